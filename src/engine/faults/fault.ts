import * as z from 'zod/mini'
import { matching, positiveInteger } from '../../resources/attributes.ts'
import type { OperationName } from '../../resources/table-types.ts'
import { type Flaw, firstFlaw, parseBy } from '../../shared/issues.ts'
import * as limits from '../../shared/limits.ts'
import { findNonJson } from '../../shared/non-json.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { freeze, keysOf } from '../../shared/values.ts'
import { type AnswerKind, type FaultEffect, type FaultKind, faultKinds } from './fault-kinds.ts'

/** The compiler accepts any text, so that callers can pass on the method of a request. */
const method: z.ZodMiniType<string> = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])

/** This schema accepts any text. The world checks the name. */
const operationName = z.string() as unknown as z.ZodMiniType<OperationName>

/** Which requests a fault applies to, and how often. */
const conditions = {
  /** Only requests that reach this operation, such as `updateBackfill`. */
  operation: operationName,
  method,
  /** Only this path: `:name` matches one segment, `*` matches anything. */
  path: matching(
    /^\/api(?:\/[^?#]*[^/?#]|\*)?$/,
    'a path such as /api/backfills/:id, without query and last slash',
  ).check(z.refine(({ length }) => length <= limits.faultPath, `at most ${limits.faultPath}`)),
  /** Only requests whose path names this record, by plural and key: `{ backfills: 7 }`. */
  record: z
    .catchall(z.object({}), z.union([z.string(), z.int()]))
    .check(
      z.refine(
        (record) => Object.keys(record).length === 1,
        'one plural and one key, such as { backfills: 7 }',
      ),
    ),
  /** Maximum number of requests that the fault applies to. */
  times: positiveInteger,
  /** Applies to every nth matching request: 3 is the third, the sixth, … */
  every: positiveInteger,
  /** Probability from 0 to 1, drawn with the seed. */
  probability: z.number().check(z.minimum(0), z.maximum(1)),
}

/** Headers that frame a message. Only the server may set them: another value splits one message into two. */
const framing = /^(?:content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

function isFraming([name, value]: readonly [string, string]): boolean {
  return framing.test(name) || (/^connection$/i.test(name) && !/^close$/i.test(value.trim()))
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/** Optional properties of a fault with `status`. */
const besideStatus = {
  /** Body to send with `status`: a text, or a value to write as JSON. */
  body: z.unknown(),
  /** Headers to send with `status`. */
  headers: z
    .catchall(z.object({}), matching(/^[\t\x20-\x7e\x80-\xff]*$/, 'text without line breaks'))
    .check(({ value, issues }) => {
      for (const header of Object.entries(value)) {
        const [name] = header
        const refuse = (message: string) =>
          issues.push({ code: 'custom', input: value, message, path: [name], continue: true })
        if (!headerName.test(name)) refuse('a header name')
        if (isFraming(header)) refuse('no header that frames the message: the server sets it')
      }
    }),
}

const runs = {
  /** True if the operation runs although its client gets no reply. Default: false if the fault replaces the reply. */
  runs: z.boolean(),
}

type Outputs<Shape extends Readonly<Record<string, z.ZodMiniType>>> = {
  readonly [Name in keyof Shape]?: AsRead<z.output<Shape[Name]>>
}
/** Faults are immutable. */
type AsRead<Value> = unknown extends Value ? Value : Readonly<Value>
type KindOutputs = {
  readonly [Effect in keyof typeof faultKinds]?: z.output<(typeof faultKinds)[Effect]['schema']>
}

/**
 * Fault to inject: the requests that it applies to, how often, and its effect.
 *
 * @example
 * const fault: Fault = { operation: 'deleteBackfill', times: 1, error: { code: 500, message: 'Out of disk.' } }
 */
export interface Fault
  extends Outputs<typeof conditions>,
    KindOutputs,
    Outputs<typeof besideStatus>,
    Outputs<typeof runs> {}

/**
 * Thrown when a fault definition is invalid, or is not supported by an adapter.
 *
 * @example
 * expect(() => understudy.faults.add({ times: 1 })).toThrow(FaultError)
 */
export class FaultError extends UnderstudyError {
  readonly flaw: Flaw

  constructor(flaw: Flaw) {
    const { path, expected, found } = flaw
    super('FAULT_BROKEN', `The fault is broken at ${path}: expected ${expected}; found ${found}.`, {
      flaws: [flaw],
    })
    this.name = 'FaultError'
    this.flaw = flaw
  }
}

const kinds: Readonly<Record<FaultEffect, FaultKind>> = faultKinds
const effects = keysOf(kinds)
const answers = effects.filter((effect) => kinds[effect].decides === 'answer')
/** Kinds that answer instead of the operation. */
const replacements = effects.filter((effect) => {
  const kind = kinds[effect]
  return kind.decides === 'answer' && !kind.runsOperation
})

const schema = z.strictObject(
  Object.fromEntries(
    Object.entries<z.ZodMiniType>({
      ...conditions,
      ...Object.fromEntries(effects.map((effect) => [effect, kinds[effect].schema])),
      ...besideStatus,
      ...runs,
    }).map(([name, type]) => [name, z.optional(type)]),
  ),
)

/**
 * Reads a fault.
 *
 * @throws FaultError with the JSON path, the expected and the actual value.
 */
export function readFault(given: unknown, path = '$'): Fault {
  const parsed = parseBy(schema, given)
  if (!parsed.success) throw new FaultError(firstFlaw(parsed.error, given, path))
  // The schema and the type derive from the same tables.
  const fault = parsed.data as Fault
  const named = effectsOf(fault).map(({ effect }) => effect)
  const namedAnswers = named.filter((effect) => answers.includes(effect))
  if (namedAnswers.length > 1) {
    const found = namedAnswers.join(' and ')
    throw new FaultError({ path, expected: `one of ${answers.join(', ')}`, found })
  }
  if (named.length === 0) {
    const expected = `an effect: one of ${effects.join(', ')}`
    throw new FaultError({ path, expected, found: 'none of them' })
  }
  if (fault.status === undefined && (fault.body !== undefined || fault.headers !== undefined)) {
    throw new FaultError({ path, expected: 'a status beside body and headers', found: 'none' })
  }
  if (fault.runs !== undefined && !named.some((effect) => replacements.includes(effect))) {
    throw new FaultError({
      path: `${path}.runs`,
      expected: `${replacements.join(', ')} beside it`,
      found: 'none of them',
    })
  }
  const nonJson = findNonJson(fault.body)
  if (nonJson !== undefined) throw new FaultError({ ...nonJson, path: `${path}.body${nonJson.path}` })
  return freeze(structuredClone(fault))
}

/** An effect of a fault: its kind, and the value that the fault gives it. */
interface Effect<Kind extends FaultKind = FaultKind> {
  readonly effect: FaultEffect
  readonly kind: Kind
  readonly value: unknown
}

export type AnswerEffect = Effect<AnswerKind>

export function effectsOf(fault: Fault): Effect[] {
  return effects
    .map((effect) => ({ effect, kind: kinds[effect], value: fault[effect] }))
    .filter(({ value }) => value !== undefined && value !== false)
}

/** Returns the effect of a fault that decides the answer, if it has one. */
export function answerOf(fault: Fault): AnswerEffect | undefined {
  return effectsOf(fault).find((each): each is AnswerEffect => each.kind.decides === 'answer')
}

/** Reads a list of faults, such as a file contains. */
export function readFaults(given: unknown): Fault[] {
  if (!Array.isArray(given))
    throw new FaultError({ path: '$', expected: 'a list of faults', found: typeof given })
  return given.map((fault, index) => readFault(fault, `$[${index}]`))
}
