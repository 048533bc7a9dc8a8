import * as z from 'zod/mini'
import { freeze } from '../../factories/freeze.ts'
import { count, duration, positiveInteger } from '../../resources/attributes.ts'
import { type Flaw, toFlaw } from '../../wire/issues.ts'

/** How long a reply takes: always the same, or drawn by the world's seed. Texts are durations such as `'200ms'`. */
export type Latency =
  | string
  | number
  | { readonly normal: { readonly mean: string | number; readonly deviation: string | number } }
  | { readonly lognormal: { readonly median: string | number; readonly sigma: number } }

/**
 * Something that goes wrong on purpose: which requests, how often, and what happens to them.
 *
 * @example
 * const fault: Fault = { operation: 'deleteBackfill', times: 1, error: { code: 500, message: 'Out of disk.' } }
 */
export interface Fault {
  /** Only requests that reach this operation, such as `updateBackfill`. */
  readonly operation?: string
  readonly method?: string
  /** Only this path: `:name` stands for one segment, `*` for anything. */
  readonly path?: string
  /** Only requests whose path names this record, by plural and key: `{ backfills: 7 }`. */
  readonly record?: Readonly<Record<string, string | number>>

  /** At most so many times. */
  readonly times?: number
  /** Every so many matching requests: 3 is the third, the sixth, … */
  readonly every?: number
  /** How likely, from 0 to 1; drawn by the seed. */
  readonly probability?: number

  /** Answers with an error envelope; HTTP 200 as ever. */
  readonly error?: { readonly code: number; readonly type?: string; readonly message?: string }
  /** Answers with an HTTP error status, and `body` and `headers` where given. */
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Answers with HTTP 502 and the HTML page of a proxy. */
  readonly badGateway?: boolean
  /** Never answers. */
  readonly hang?: boolean
  /** Closes the connection without an answer. */
  readonly drop?: boolean
  /** Breaks the connection in the middle of the body. */
  readonly reset?: boolean
  /** Cuts the JSON: in the middle, or after so many characters. */
  readonly truncate?: boolean | number
  /** Answers reads from the state as it was so long ago, like a replica that lags. */
  readonly stale?: string | number
  /** How long the reply waits. */
  readonly latency?: Latency
  /** How long the head of the reply takes. */
  readonly slowHeaders?: string | number
  /** How long the body of the reply takes. */
  readonly slowBody?: string | number

  /** Whether the operation runs although its reply is lost. Default: not for `error`, `status`, `badGateway`, `drop`, `hang`. */
  readonly runs?: boolean
}

/** Thrown for a fault that is none, or that a face cannot express; it is not added. */
export class FaultError extends Error {
  readonly flaw: Flaw

  constructor(flaw: Flaw) {
    super(`[understudy] The fault is broken at ${flaw.path}: expected ${flaw.expected}; found ${flaw.found}.`)
    this.name = 'FaultError'
    this.flaw = flaw
  }
}

/** What happens to a request: one of these, */
export const endings = [
  'error',
  'status',
  'badGateway',
  'hang',
  'drop',
  'reset',
  'truncate',
  'stale',
] as const
/** and any of these. */
export const delays = ['latency', 'slowHeaders', 'slowBody'] as const
/** A name of something that can go wrong. */
export type FaultEffect = (typeof endings)[number] | (typeof delays)[number]

const pathPattern = /^\/api(?:\/[^?#]*[^/?#]|\*)?$/
const pathExpected = 'a path such as /api/backfills/:id, without query and last slash'
const namesOne = (record: object) => Object.keys(record).length === 1
const recordExpected = 'one plural and one key, such as { backfills: 7 }'

const schema = z.strictObject({
  operation: z.optional(z.string()),
  method: z.optional(z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])),
  path: z.optional(z.string().check(z.regex(pathPattern, pathExpected))),
  record: z.optional(
    z.record(z.string(), z.union([z.string(), z.int()])).check(z.refine(namesOne, recordExpected)),
  ),
  times: z.optional(positiveInteger),
  every: z.optional(positiveInteger),
  probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  error: z.optional(
    z.strictObject({ code: z.int(), type: z.optional(z.string()), message: z.optional(z.string()) }),
  ),
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  body: z.optional(z.unknown()),
  headers: z.optional(
    z.record(
      z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a header name')),
      z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'text without line breaks')),
    ),
  ),
  badGateway: z.optional(z.boolean()),
  hang: z.optional(z.boolean()),
  drop: z.optional(z.boolean()),
  reset: z.optional(z.boolean()),
  truncate: z.optional(z.union([z.boolean(), count])),
  stale: z.optional(duration),
  latency: z.optional(
    z.union([
      duration,
      z.strictObject({ normal: z.strictObject({ mean: duration, deviation: duration }) }),
      z.strictObject({
        lognormal: z.strictObject({ median: duration, sigma: z.number().check(z.minimum(0)) }),
      }),
    ]),
  ),
  slowHeaders: z.optional(duration),
  slowBody: z.optional(duration),
  runs: z.optional(z.boolean()),
})

/**
 * Reads a fault.
 *
 * @throws FaultError with the JSON path, what was expected there and what was found.
 */
export function readFault(given: unknown, path = '$'): Fault {
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const flaw = toFlaw(issue!, given, path)
    if (issue!.code !== 'unrecognized_keys' || issue!.path.length > 0) throw new FaultError(flaw)
    throw new FaultError({ ...flaw, expected: `one of ${Object.keys(schema.shape).join(', ')}` })
  }
  const fault = parsed.data as Fault
  const ending = effectsOf(fault).filter((effect) => (endings as readonly string[]).includes(effect))
  if (ending.length > 1) {
    throw new FaultError({ path, expected: `one of ${endings.join(', ')}`, found: ending.join(' and ') })
  }
  if (effectsOf(fault).length === 0) {
    const expected = `something that happens: one of ${[...endings, ...delays].join(', ')}`
    throw new FaultError({ path, expected, found: 'none of them' })
  }
  if (fault.status === undefined && (fault.body !== undefined || fault.headers !== undefined)) {
    throw new FaultError({ path, expected: 'a status beside body and headers', found: 'none' })
  }
  if (fault.runs !== undefined && !ending.some((effect) => instead.includes(effect))) {
    throw new FaultError({
      path: `${path}.runs`,
      expected: `${instead.join(', ')} beside it`,
      found: 'none of them',
    })
  }
  return freeze(structuredClone(fault))
}

/** What is answered instead of the operation. */
const instead: readonly FaultEffect[] = ['error', 'status', 'badGateway', 'hang', 'drop']

/** What a fault does. */
export function effectsOf(fault: Fault): FaultEffect[] {
  return [...endings, ...delays].filter((effect) => fault[effect] !== undefined && fault[effect] !== false)
}

/** Reads a list of faults, as a file has them. */
export function readFaults(given: unknown): Fault[] {
  if (!Array.isArray(given))
    throw new FaultError({ path: '$', expected: 'a list of faults', found: typeof given })
  return given.map((fault, index) => readFault(fault, `$[${index}]`))
}
