import type { OperationRecord } from '../../../../src/api/index.ts'
import type { WrittenBy } from '../../../../src/resources/table-types.ts'
import type { Statement } from '../../../rules/document.ts'
import { fittingGuards } from '../guards.ts'
import {
  asked,
  bodyWith,
  facts,
  mapRecords,
  type Operator,
  onSuccess,
  refusal,
  type Strike,
  sentence,
  sentRecord,
  without,
} from '../mutant.ts'
import { type Ask, type Heard, isErrorReply, isJson, type Json, type Start } from '../wrong-server.ts'

type Written = 'createPipeline' | 'createBlock' | 'createBackfill' | 'updateBackfill'

/** The writable attributes that replies show, by operation: the compiler knows both. */
const shown: { readonly [Id in Written]: readonly (keyof WrittenBy<Id> & string)[] } = {
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
const shownElsewhere: readonly (keyof OperationRecord<'readBlock'> & keyof WrittenBy<'createBlock'>)[] = [
  'color',
  'configuration',
  'content',
  'upstream_blocks',
  'language',
  'name',
]

const operations = Object.keys(shown) as readonly Written[] // The keys of a constant are what its type says.

function written(operation: Written, name: string): Statement {
  const stated = facts(operation).writes.find((known) => known.name === name)?.stated
  if (!stated) throw new Error(`[understudy] Expected a row about ${name} of ${operation}; found none.`)
  return stated
}

type Build = (operation: Written, name: string, holds: (heard: Heard) => boolean) => Start

/** Strikes the attributes that requests write. */
function strikes(build: Build, fits: (operation: Written, name: string) => boolean = () => true): Strike[] {
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

const isOptional = (operation: Written, name: string) =>
  facts(operation).writes.some((known) => known.name === name && !known.isRequired)

/** Sends another record than the client did; the reply may be mended. */
async function sendInstead(
  heard: Heard,
  ask: Ask,
  record: Json,
  mend: (shown: Json) => Json = (same) => same,
) {
  const reply = await ask({ body: bodyWith(heard, record) })
  if (isErrorReply(reply) || !isJson(reply.body)) return reply
  return { ...reply, body: mapRecords(reply.body, heard, mend) }
}

const changed: Readonly<Record<string, (value: unknown) => unknown>> = {
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
  variables: (value) => (isJson(value) ? { ...value, more: 1 } : value),
  configuration: () => ({}),
}

function shiftDay(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const moment = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(moment)
    ? value
    : `${new Date(moment - 86_400_000).toISOString().slice(0, 10)}${value.slice(10)}`
}

const mangled: Readonly<
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
      isJson(value)
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

function deepText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((inner) => deepText(inner, change))
  return isJson(value) ? membersAs(value, (inner) => deepText(inner, change)) : value
}

function membersAs(value: unknown, change: (inner: unknown) => unknown): unknown {
  return isJson(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
    : value
}

function pruned(value: unknown, goes: (inner: unknown) => boolean): unknown {
  return isJson(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !goes(inner))) : value
}

function shallow(value: unknown): unknown {
  return membersAs(value, (inner) => (isJson(inner) ? {} : inner))
}

/** Values that a table of the document lists: each of them must be taken, and no other. */
const listed: readonly {
  readonly operation: Written
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

function byValue(
  wrong: (operation: Written, name: string, value: string, holds: (heard: Heard) => boolean) => Start,
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
function acceptsUnlisted(spell: (value: string) => string): Strike[] {
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

/** What goes wrong with what requests write. */
export const writeOperators: readonly Operator[] = [
  {
    name: 'echo-only',
    does: 'shows in its reply what it does not store',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        return sendInstead(heard, ask, without(sent, name), (shown) =>
          name in shown ? { ...shown, [name]: sent[name] } : shown,
        )
      },
      isOptional,
    ),
  },
  {
    name: 'not-stored',
    does: 'ignores an attribute that was sent',
    strikes: [
      ...strikes(
        (_, name, holds) => () => (heard, ask) =>
          holds(heard) ? sendInstead(heard, ask, without(sentRecord(heard), name)) : ask(),
        isOptional,
      ),
      ...shownElsewhere
        .filter((name) => name === 'color')
        .map(
          (name): Strike => ({
            operation: 'createBlock',
            aspect: name,
            sentence: written('createBlock', name),
            guards: fittingGuards(facts('createBlock'), name, ['request']),
            wrong: (holds) => () => (heard, ask) =>
              heard.operation === 'createBlock' && name in sentRecord(heard) && holds(asked(heard, name))
                ? sendInstead(heard, ask, without(sentRecord(heard), name))
                : ask(),
          }),
        ),
    ],
  },
  {
    name: 'stored-not-shown',
    does: 'stores an attribute and shows the value before in its reply',
    strikes: strikes(
      (operation, name, holds) => () => {
        const before = new Map<unknown, Json>()
        return async (heard, ask) => {
          const reply = await ask()
          if (!isJson(reply.body) || isErrorReply(reply) || heard.operation === undefined) return reply
          const old = before.get(heard.parameters.backfill_id)
          const record = reply.body.backfill
          if (isJson(record)) before.set(String(record.id), record)
          if (heard.operation !== operation || !old || !holds(heard)) return reply
          return {
            ...reply,
            body: mapRecords(reply.body, heard, (shown) => ({ ...shown, [name]: old[name] })),
          }
        }
      },
      (operation) => operation === 'updateBackfill',
    ),
  },
  {
    name: 'stored-otherwise',
    does: 'stores a value near the one that was sent, and shows that one',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        return sendInstead(heard, ask, { ...sent, [name]: changed[name]?.(sent[name]) ?? sent[name] })
      },
      (_, name) => name in changed,
    ),
  },
  {
    name: 'echoed-stored-otherwise',
    does: 'shows what was sent, and stores a value near it',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        const near = changed[name]?.(sent[name]) ?? sent[name]
        return sendInstead(heard, ask, { ...sent, [name]: near }, (shown) => ({
          ...shown,
          [name]: sent[name],
        }))
      },
      (operation, name) =>
        name in changed &&
        !(operation === 'createPipeline' && name === 'name') &&
        !(operation === 'createBlock' && name === 'name'),
    ),
  },
  ...Object.entries(mangled).map(
    ([kind, { on, change }]): Operator => ({
      name: `mangles-${kind}`,
      does: `changes what it stores: ${kind.replaceAll('-', ' ')}`,
      strikes: strikes(
        (_, name, holds) => () => (heard, ask) => {
          if (!holds(heard)) return ask()
          const sent = sentRecord(heard)
          return sendInstead(heard, ask, { ...sent, [name]: change(sent[name]) })
        },
        (_, name) => on.includes(name),
      ),
    }),
  ),
  {
    name: 'refuses-listed-value',
    does: 'refuses a value that the document lists',
    strikes: byValue(
      (_, name, value, holds) => () => (heard, ask) =>
        holds(heard) ? refusal(`${name}: ${value} is not supported.`) : ask(),
    ),
  },
  {
    name: 'listed-value-replaced',
    does: 'stores another listed value',
    strikes: byValue((operation, name, value, holds) => () => (heard, ask) => {
      const values = listed.find((row) => row.operation === operation && row.name === name)?.values ?? []
      const other = values[(values.indexOf(value) + 1) % values.length]
      return holds(heard) ? sendInstead(heard, ask, { ...sentRecord(heard), [name]: other }) : ask()
    }),
  },
  {
    name: 'accepts-other-case',
    does: 'takes a listed value in other letters',
    strikes: acceptsUnlisted((value) => value.toLowerCase()),
  },
  {
    name: 'accepts-edged',
    does: 'takes a listed value with blanks around it',
    strikes: acceptsUnlisted((value) => value.trim()),
  },
  {
    name: 'required-optional',
    does: 'makes up what is required and was not sent',
    strikes: (['createPipeline', 'createBlock'] as const).flatMap((operation) =>
      facts(operation)
        .writes.filter(({ isRequired }) => isRequired)
        .map(
          ({ name }): Strike => ({
            operation,
            aspect: name,
            sentence: written(operation, name),
            guards: fittingGuards(facts(operation), undefined, ['request']),
            wrong: (holds) => () => (heard, ask) => {
              const sent = sentRecord(heard)
              const isMissing =
                heard.operation === operation &&
                (sent[name] === undefined || sent[name] === null || sent[name] === '')
              if (!isMissing || !holds(asked(heard))) return ask()
              const types = { createPipeline: 'python', createBlock: 'custom' } as const
              const madeUp = name === 'type' ? types[operation] : `untitled ${heard.nth}`
              return sendInstead(heard, ask, { ...sent, [name]: madeUp })
            },
          }),
        ),
    ),
  },
  {
    name: 'others-reset',
    does: 'sets what was not sent to null',
    strikes: (
      ['start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables'] as const
    ).map((name) => ({
      operation: 'updateBackfill' as const,
      aspect: name,
      sentence: sentence('Update backfill', 'with the updated values'),
      guards: fittingGuards(facts('updateBackfill'), undefined, ['request']),
      wrong: (holds) => () => (heard, ask) => {
        const sent = sentRecord(heard)
        const resets = heard.operation === 'updateBackfill' && !(name in sent) && holds(asked(heard))
        return resets ? sendInstead(heard, ask, { ...sent, [name]: null }) : ask()
      },
    })),
  },
  {
    name: 'status-alone',
    does: 'updates the status and nothing that was sent with it',
    strikes: (
      ['name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables'] as const
    ).map((name) => ({
      operation: 'updateBackfill' as const,
      aspect: name,
      sentence: sentence('States and transitions', 'other supplied attributes are updated too'),
      guards: fittingGuards(facts('updateBackfill'), name, ['request']).filter(
        (guard) => guard.name !== 'only-when-sent-alone',
      ),
      wrong: (holds) => () => (heard, ask) => {
        const sent = sentRecord(heard)
        const isBoth =
          heard.operation === 'updateBackfill' &&
          'status' in sent &&
          name in sent &&
          holds(asked(heard, name))
        return isBoth ? sendInstead(heard, ask, without(sent, name)) : ask()
      },
    })),
  },
  {
    name: 'members-merged',
    does: 'adds the sent variables to those before instead of putting them in their place',
    strikes: [
      {
        operation: 'updateBackfill',
        aspect: 'variables',
        sentence: sentence('Update backfill', 'with the updated values'),
        guards: fittingGuards(facts('updateBackfill'), 'variables', ['request']),
        wrong: (holds) => () => {
          const before = new Map<unknown, Json>()
          return async (heard, ask) => {
            const { variables, ...sent } = sentRecord(heard)
            const id = heard.parameters.backfill_id
            if (heard.operation !== 'updateBackfill' || !isJson(variables)) return ask()
            const merged = holds(asked(heard, 'variables')) ? { ...before.get(id), ...variables } : variables
            before.set(id, merged)
            return sendInstead(heard, ask, { ...sent, variables: merged })
          }
        },
      },
    ],
  },
  {
    name: 'copy-changed',
    does: 'changes the copy of the trigger body',
    strikes: Object.entries({
      'null-members-lost': (value: unknown) => pruned(value, (inner) => inner === null),
      'falsy-members-lost': (value: unknown) => pruned(value, (inner) => !inner),
      'nested-lost': shallow,
      'members-as-text': (value: unknown) =>
        membersAs(value, (inner) => (isJson(inner) || Array.isArray(inner) ? inner : String(inner))),
      'beyond-ascii-lost': (value: unknown) => deepText(value, (text) => text.replaceAll(/[^ -~\n]/g, '?')),
      wrapped: (value: unknown) => ({ variables: value }),
      'first-member-only': (value: unknown) =>
        isJson(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : value,
      'arrays-of-one-unwrapped': (value: unknown) =>
        membersAs(value, (inner) => (Array.isArray(inner) && inner.length === 1 ? inner[0] : inner)),
      'numbers-cut': (value: unknown) =>
        membersAs(value, (inner) => (typeof inner === 'number' ? Math.trunc(inner) : inner)),
      'keys-with-dots-nested': (value: unknown) =>
        isJson(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, inner]) =>
                key.includes('.') ? [key.split('.')[0], { [key.split('.')[1] ?? '']: inner }] : [key, inner],
              ),
            )
          : value,
      'api-key-lost': (value: unknown) =>
        isJson(value) ? without(value, 'variables', 'pipeline_run') : value,
    }).map(([aspect, change]) => ({
      operation: 'triggerPipeline' as const,
      aspect,
      sentence: sentence('Pipeline run', 'Copy of the JSON object'),
      guards: fittingGuards(facts('triggerPipeline'), undefined, ['request']),
      wrong: (holds) =>
        onSuccess('triggerPipeline', ({ body }, heard) => ({
          body: holds(asked(heard))
            ? mapRecords(body, heard, (run) => ({ ...run, event_variables: change(run.event_variables) }))
            : body,
        })),
    })),
  },
]
