import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { OperationRecord } from '../../../src/api/index.ts'
import type { WrittenBy } from '../../../src/resources/table-types.ts'
import { fittingGuards } from '../guards.ts'
import { asked, bodyWith, facts, mapRecords, type Strike, sentRecord } from '../mutant.ts'
import { type Ask, type HeardRequest, isErrorReply, type Start } from '../wrong-server.ts'

/** An operation whose replies show what was written. */
export type WriteOperation = 'createPipeline' | 'createBlock' | 'createBackfill' | 'updateBackfill'

/** The writable attributes that replies show, by operation: the compiler knows both. */
const shown: { readonly [Id in WriteOperation]: readonly (keyof WrittenBy<Id> & string)[] } = {
  createPipeline: ['name', 'type'],
  createBlock: [
    'name',
    'type',
    'content',
    'language',
    'configuration',
    'config',
    'priority',
    'upstream_blocks',
  ],
  createBackfill: ['name'],
  updateBackfill: [
    'name',
    'start_datetime',
    'end_datetime',
    'interval_type',
    'interval_units',
    'status',
    'variables',
  ],
}

/** Sent attributes that only other replies show. */
export const shownElsewhere: readonly (keyof OperationRecord<'readBlock'> &
  keyof WrittenBy<'createBlock'>)[] = [
  'color',
  'configuration',
  'content',
  'upstream_blocks',
  'language',
  'name',
]

const operations = Object.keys(shown) as readonly WriteOperation[] // The keys of a constant are what its type says.

export function written(operation: WriteOperation, name: string): Statement {
  const stated = facts(operation).writes.find((known) => known.name === name)?.stated
  if (!stated) throw new Error(`[understudy] Expected a row about ${name} of ${operation}; found none.`)
  return stated
}

export type WriteStrikeBuilder = (
  operation: WriteOperation,
  name: string,
  holds: (heard: HeardRequest) => boolean,
) => Start

/** Strikes the attributes that requests write. */
export function strikes(
  build: WriteStrikeBuilder,
  fits: (operation: WriteOperation, name: string) => boolean = () => true,
): Strike[] {
  return operations.flatMap((operation) =>
    shown[operation]
      .filter((name) => fits(operation, name))
      .map((name) => ({
        operation,
        aspect: name,
        sentence: written(operation, name),
        guards: fittingGuards(facts(operation), name, ['request']),
        wrong: (holds) =>
          build(
            operation,
            name,
            (heard) =>
              heard.operation === operation && name in sentRecord(heard) && holds(asked(heard, name)),
          ),
      })),
  )
}

export const isOptional = (operation: WriteOperation, name: string) =>
  facts(operation).writes.some((known) => known.name === name && !known.isRequired)

/** Sends another record than the client did; the reply may be mended. */
export async function sendInstead(
  heard: HeardRequest,
  ask: Ask,
  record: Json,
  mend: (shown: Json) => Json = (same) => same,
) {
  const reply = await ask({ body: bodyWith(heard, record) })
  if (isErrorReply(reply) || !isObject(reply.body)) return reply
  return { ...reply, body: mapRecords(reply.body, heard, mend) }
}

export const changed: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: (value) => `${String(value)}x`,
  content: (value) => `${String(value)} `,
  type: (value) =>
    value === 'streaming'
      ? 'python'
      : value === 'transformer'
        ? 'custom'
        : value === 'python'
          ? 'streaming'
          : value === 'data_loader'
            ? 'transformer'
            : value,
  language: (value) => (value === 'sql' ? 'python' : 'sql'),
  interval_type: (value) => (value === 'day' ? 'hour' : 'day'),
  interval_units: (value) => (typeof value === 'number' ? value + 1 : value),
  priority: (value) => (typeof value === 'number' ? Math.max(0, value - 1) : value),
  status: (value) => (value === 'failed' ? 'cancelled' : value),
  start_datetime: (value) => shiftDay(value),
  end_datetime: (value) => shiftDay(value),
  variables: (value) => (isObject(value) ? { ...value, more: 1 } : value),
  configuration: () => ({}),
}

function shiftDay(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const moment = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(moment)
    ? value
    : `${new Date(moment - 86_400_000).toISOString().slice(0, 10)}${value.slice(10)}`
}

export const mangled: Readonly<
  Record<string, { readonly on: readonly string[]; readonly change: (value: unknown) => unknown }>
> = {
  'cut-at-64': {
    on: ['name', 'content'],
    change: (value) => (typeof value === 'string' ? value.slice(0, 64) : value),
  },
  'beyond-ascii-lost': {
    on: ['name', 'content', 'variables', 'configuration', 'config'],
    change: (value) => deepText(value, (text) => text.replaceAll(/[^ -~\n]/g, '?')),
  },
  'escaped-for-html': {
    on: ['name', 'content', 'variables', 'configuration'],
    change: (value) => deepText(value, (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  },
  'end-trimmed': {
    on: ['content'],
    change: (value) => (typeof value === 'string' ? value.trimEnd() : value),
  },
  'start-trimmed': {
    on: ['content'],
    change: (value) => (typeof value === 'string' ? value.trimStart() : value),
  },
  'blanks-collapsed': {
    on: ['name', 'content'],
    change: (value) => deepText(value, (text) => text.replaceAll(/ +/g, ' ')),
  },
  'lower-case': { on: ['name', 'content'], change: (value) => deepText(value, (text) => text.toLowerCase()) },
  'nested-lost': { on: ['variables', 'configuration', 'config'], change: (value) => shallow(value) },
  'null-members-lost': {
    on: ['variables', 'config'],
    change: (value) => pruned(value, (inner) => inner === null),
  },
  'falsy-members-lost': { on: ['variables', 'config'], change: (value) => pruned(value, (inner) => !inner) },
  'members-as-text': {
    on: ['variables', 'config'],
    change: (value) =>
      membersAs(value, (inner) =>
        typeof inner === 'number' || typeof inner === 'boolean' ? String(inner) : inner,
      ),
  },
  'keys-in-lower-case': {
    on: ['variables', 'config'],
    change: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))
        : value,
  },
  'time-of-day-lost': {
    on: ['start_datetime', 'end_datetime'],
    change: (value) => (typeof value === 'string' ? `${value.slice(0, 10)} 00:00:00` : value),
  },
  'seconds-lost': {
    on: ['start_datetime', 'end_datetime'],
    change: (value) => (typeof value === 'string' ? `${value.slice(0, 16)}:00` : value),
  },
  'leap-day-moved': {
    on: ['start_datetime', 'end_datetime'],
    change: (value) => (typeof value === 'string' ? value.replace(/-02-29 /, '-03-01 ') : value),
  },
  'absolute-number': {
    on: ['interval_units'],
    change: (value) => (typeof value === 'number' ? Math.max(1, value) : value),
  },
  'last-only': {
    on: ['upstream_blocks'],
    change: (value) => (Array.isArray(value) ? value.slice(-1) : value),
  },
  'first-only': {
    on: ['upstream_blocks'],
    change: (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
  },
}

export function deepText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => deepText(inner, change))
  return isObject(value) ? membersAs(value, (inner) => deepText(inner, change)) : value
}

export function membersAs(value: unknown, change: (inner: unknown) => unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
    : value
}

export function pruned(value: unknown, goes: (inner: unknown) => boolean): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !goes(inner)))
    : value
}

export function shallow(value: unknown): unknown {
  return membersAs(value, (inner) => (isObject(inner) ? {} : inner))
}

/** Values that a table of the document lists: each of them must be taken, and no other. */
export const listed: readonly {
  readonly operation: WriteOperation
  readonly name: string
  readonly values: readonly string[]
}[] = operations.flatMap((operation) =>
  facts(operation)
    .writes.filter(
      ({ name, values }) => values !== undefined && shown[operation].some((known) => known === name),
    )
    .map(({ name, values = [] }) => ({
      operation,
      name,
      values: values.filter((value): value is string => typeof value === 'string'),
    })),
)

export function byValue(
  wrong: (
    operation: WriteOperation,
    name: string,
    value: string,
    holds: (heard: HeardRequest) => boolean,
  ) => Start,
): Strike[] {
  return listed.flatMap(({ operation, name, values }) =>
    values.map((value) => ({
      operation,
      aspect: `${name}-${value}`,
      sentence: written(operation, name),
      guards: fittingGuards(facts(operation), name, ['request']).filter(
        (guard) => guard.name !== 'only-when-null-zero-false-or-empty',
      ),
      wrong: (holds) =>
        wrong(
          operation,
          name,
          value,
          (heard) =>
            heard.operation === operation && sentRecord(heard)[name] === value && holds(asked(heard, name)),
        ),
    })),
  )
}

/** Takes what should be refused: the good server is sent a value that it takes. */
export function acceptsUnlisted(spell: (value: string) => string): Strike[] {
  return listed.map(({ operation, name, values }) => ({
    operation,
    aspect: name,
    sentence: written(operation, name),
    guards: fittingGuards(facts(operation), name, ['request']).filter(
      (guard) => guard.name !== 'only-when-null-zero-false-or-empty',
    ),
    wrong: (holds) => () => async (heard, ask) => {
      const sent = sentRecord(heard)[name]
      const instead = values.find(
        (value) => typeof sent === 'string' && spell(value) === spell(sent) && value !== sent,
      )
      if (heard.operation !== operation || instead === undefined || !holds(asked(heard, name))) return ask()
      return sendInstead(heard, ask, { ...sentRecord(heard), [name]: instead }, (shown) => ({
        ...shown,
        [name]: sent,
      }))
    },
  }))
}
