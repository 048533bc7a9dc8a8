import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { WrittenBy } from '../../../src/resources/table-types.ts'
import {
  at,
  atRow,
  bodyWith,
  defineOperators,
  earlier,
  facts,
  handles,
  mapRecords,
  operatorsOf,
  recordIn,
  refusal,
  requests,
  requestTriggers,
  rowOf,
  sentence,
  sentRecord,
  shows,
  type Target,
  valuesOf,
  type When,
  without,
} from '../mutant.ts'
import { updatedValues } from '../sentences.ts'
import { type Forward, type Handler, isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { withOthers } from './backfill-states.ts'
import { array, arrays, type Change, deep, entries, members, number, text } from './value-changes.ts'

type WriteOperation = 'createPipeline' | 'createBlock' | 'createBackfill' | 'updateBackfill'

/** The attributes that requests write and replies show; the compiler knows both. */
const written: { readonly [Id in WriteOperation]: readonly (keyof WrittenBy<Id> & string)[] } = {
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
const operations = ['createPipeline', 'createBlock', 'createBackfill', 'updateBackfill'] as const
const updatesToo = sentence('States and transitions', 'other supplied attributes are updated too')
const updatable = written.updateBackfill
const settable = updatableBut('name', 'status')
const languages = valuesOf('createBlock', 'language')

function updatableBut(...names: string[]): readonly string[] {
  return updatable.filter((name) => !names.includes(name))
}

/** Handles writes of every matching attribute. */
function onWrites(
  fits: (operation: WriteOperation, name: string) => boolean,
  handlerOf: (name: string, operation: WriteOperation) => Handler,
): Target[] {
  return operations.flatMap((operation) =>
    written[operation]
      .filter((name) => fits(operation, name))
      .map((name) =>
        handles(atRow(operation, name), (request, forward) =>
          name in sentRecord(request) ? handlerOf(name, operation)(request, forward) : forward(),
        ),
      ),
  )
}

const isOptional = (operation: WriteOperation, name: string) =>
  facts(operation).writes.some((own) => own.name === name && !own.isRequired)

/** Removes the trigger of empty values if the change leaves all of them as they are. */
const viable = (change: Change, targets: readonly Target[]) =>
  [null, 0, '', {}, []].some((value) => !isDeepStrictEqual(change(value), value))
    ? targets
    : targets.map((target) => ({
        ...target,
        triggers: target.triggers.filter(({ name }) => name !== 'only-when-null-zero-false-or-empty'),
      }))

/** A name, the source of the uuid; the reply shows the stored one at once. */
const isKey = (operation: WriteOperation, name: string) => name === 'name' && !operation.endsWith('Backfill')
const unseen = (targets: readonly Target[]) =>
  targets.map((target) => ({ ...target, aspect: `${target.aspect}-unseen` }))

/** Sends another record than the client did; may correct the reply. */
async function sends(
  request: MutantRequest,
  forward: Forward,
  record: Json,
  shown: (record: Json) => Json = (same) => same,
) {
  const reply = await forward({ body: bodyWith(request, record) })
  if (isErrorReply(reply) || !isObject(reply.body)) return reply
  return { ...reply, body: mapRecords(reply.body, request, shown) }
}

/** Stores a changed value, or with `undefined` no value; the reply shows it, or the sent value. */
const stores =
  (change: Change, reply: 'stored' | 'sent' = 'stored') =>
  (name: string): Handler =>
  (request, forward) => {
    const sent = sentRecord(request)
    return sends(request, forward, { ...sent, [name]: change(sent[name]) }, (record) =>
      reply === 'sent' && name in record ? { ...record, [name]: sent[name] } : record,
    )
  }
const ignores = (reply: 'stored' | 'sent') => stores(() => undefined, reply)

const swapped =
  (one: string, other: string): Change =>
  (value) =>
    value === one ? other : value === other ? one : value
const day = text((value) => {
  const time = Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(time) ? value : new Date(time - 86_400_000).toISOString().slice(0, 10) + value.slice(10)
})

/** A value near the sent one. */
const near: Readonly<Record<string, Change>> = {
  name: (value) => `${String(value)}x`,
  content: (value) => `${String(value)} `,
  type: (value) => swapped('python', 'streaming')(swapped('transformer', 'data_loader')(value)),
  language: (value) => (value === 'sql' ? 'python' : 'sql'),
  interval_type: (value) => (value === 'day' ? 'hour' : 'day'),
  interval_units: number((value) => value + 1),
  priority: number((value) => Math.max(0, value - 1)),
  status: swapped('failed', 'cancelled'),
  start_datetime: day,
  end_datetime: day,
  variables: (value) => (isObject(value) ? { ...value, more: 1 } : value),
  configuration: () => ({}),
}
const isNear = (_: WriteOperation, name: string) => name in near
const toNear = (name: string): Change => near[name] ?? ((value) => value)

const texts = (change: (value: string) => unknown): Change => deep(text(change))
const keys = (rename: (key: string) => string): Change => deep((same) => same, rename)

const names = ['name', 'content'] as const
const objects = ['variables', 'config', 'configuration'] as const
const dates = ['start_datetime', 'end_datetime'] as const
/** Objects with members of any kind. */
const freeObjects = ['variables', 'config'] as const

/** Losses and conversions on the way to storage, and the attributes that they affect. */
const conversions: Readonly<Record<string, readonly [on: readonly string[], change: Change]>> = {
  'mangles-cut-at-64': [names, text((value) => value.slice(0, 64))],
  'mangles-cut-at-255': [names, text((value) => value.slice(0, 255))],
  'mangles-cut-at-65535': [['content'], text((value) => value.slice(0, 65_535))],
  'mangles-beyond-ascii-lost': [[...names, ...objects], texts((value) => value.replaceAll(/[^ -~\n]/g, '?'))],
  'mangles-four-bytes-lost': [[...names, ...objects], texts((value) => value.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'))],
  'mangles-composed': [names, text((value) => value.normalize('NFC'))],
  'mangles-invisible-lost': [names, text((value) => value.replaceAll(/[\u200b\ufeff]/g, ''))],
  'mangles-line-separator-lost': [['content'], text((value) => value.replaceAll('\u2028', '\n'))],
  'mangles-carriage-returns-lost': [['content'], text((value) => value.replaceAll('\r', ''))],
  'mangles-escaped-for-html': [[...names, ...objects], texts((value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))],
  'mangles-end-trimmed': [names, text((value) => value.trimEnd())],
  'mangles-start-trimmed': [names, text((value) => value.trimStart())],
  'mangles-blanks-collapsed': [names, text((value) => value.replaceAll(/ +/g, ' '))],
  'mangles-lower-case': [names, text((value) => value.toLowerCase())],
  'mangles-leading-zeros-lost': [['name'], text((value) => value.replace(/^0+(?=\d+$)/, ''))],
  'mangles-literals-lost': [['name'], text((value) => (/^(?:None|undefined|NaN|false|0)$/.test(value) ? 'untitled' : value))],
  'mangles-blank-lost': [['content'], text((value) => (value.trim() === '' ? '' : value))],
  'mangles-last-newlines-lost': [['content'], text((value) => value.replace(/\n+$/, '\n'))],
  'mangles-first-mark-lost': [['content'], text((value) => value.replace(/^\ufeff/, ''))],
  'mangles-templates-rendered': [['content'], text((value) => value.replaceAll(/\{\{.*?\}\}/g, ''))],
  'mangles-json-rewritten': [['content'], text((value) => (/^\{".*\}$/.test(value) ? JSON.stringify(JSON.parse(value)) : value))],
  'mangles-null-elements-lost': [freeObjects, arrays((value) => value.filter((inner) => inner !== null))],
  'mangles-empty-elements-lost': [freeObjects, arrays((value) => value.filter((inner) => inner !== ''))],
  'mangles-repeated-elements-lost': [freeObjects, arrays((value) => value.filter((inner, index) => value.indexOf(inner) === index))],
  'mangles-elements-cut-at-fifty': [freeObjects, arrays((value) => value.slice(0, 50))],
  'mangles-members-cut-at-forty': [freeObjects, members(entries((_, __, index) => index < 40))],
  'mangles-texts-cut-at-1000': [freeObjects, texts((value) => value.slice(0, 1_000))],
  'mangles-keys-trimmed': [freeObjects, keys((key) => key.trim())],
  'mangles-first-week-moved': [dates, text((value) => value.replace('2024-12-31', '2025-12-31'))],
  'mangles-noon-lost': [dates, text((value) => value.replace(' 12:', ' 00:'))],
  'mangles-digits-as-number': [['name'], text((value) => (/^\d+$/.test(value) ? Number(value) : value))],
  'mangles-nested-lost': [objects, members((inner) => (isObject(inner) ? {} : inner))],
  'mangles-null-members-lost': [objects, entries((_, inner) => inner !== null)],
  'mangles-falsy-members-lost': [objects, entries((_, inner) => Boolean(inner))],
  'mangles-dollar-keys-lost': [objects, entries((key) => !key.startsWith('$'))],
  'mangles-empty-keys-lost': [objects, entries((key) => key !== '')],
  'mangles-numeric-keys-lost': [objects, entries((key) => !/^\d+$/.test(key))],
  'mangles-dotted-keys-lost': [objects, entries((key) => !key.includes('.'))],
  'mangles-inherited-keys-lost': [objects, entries((key) => !(key in {}))],
  'mangles-members-cut-at-ten': [objects, entries((_, __, index) => index < 10)],
  'mangles-members-as-text': [objects, members((inner) => (['number', 'boolean'].includes(typeof inner) ? String(inner) : inner))],
  'mangles-empty-object-ignored': [['variables'], (value) => (isObject(value) && Object.keys(value).length === 0 ? undefined : value)],
  'mangles-keys-in-lower-case': [objects, keys((key) => key.toLowerCase())],
  'mangles-keys-in-camel-case': [objects, keys((key) => key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))],
  'mangles-floats-in-32-bits': [objects, deep(number(Math.fround))],
  'mangles-integers-in-32-bits': [objects, deep(number((inner) => (Number.isInteger(inner) ? inner | 0 : inner)))],
  'mangles-dates-completed': [objects, texts((value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? `${value} 00:00:00` : value))],
  'mangles-timestamps-rewritten': [objects, texts((value) => value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z$/, '$1 $2 UTC'))],
  'mangles-yaml-values-read': [objects, texts((value) => (/^(?:no|off)$/.test(value) ? false : /^\d+e\d+$/.test(value) ? Number(value) : value))],
  'mangles-time-of-day-lost': [dates, text((value) => `${value.slice(0, 10)} 00:00:00`)],
  'mangles-seconds-lost': [dates, text((value) => `${value.slice(0, 16)}:00`)],
  'mangles-leap-day-moved': [dates, text((value) => value.replace(/-02-29 /, '-03-01 '))],
  'mangles-after-2038-lost': [dates, text((value) => (value > '2038-01-19' ? '1970-01-01 00:00:00' : value))],
  'mangles-before-1970-lost': [dates, text((value) => (value < '1970' ? '1970-01-01 00:00:00' : value))],
  'mangles-skipped-hour-moved': [dates, text((value) => value.replace('2026-03-08 02:', '2026-03-08 03:'))],
  'mangles-absolute-number': [['interval_units'], number((value) => Math.max(1, value))],
  'mangles-zero-is-none': [['interval_units', 'priority'], number((value) => (value === 0 ? undefined : value))],
  'mangles-last-only': [['upstream_blocks'], array((value) => value.slice(-1))],
  'mangles-first-only': [['upstream_blocks'], array((value) => value.slice(0, 1))],
  'mangles-elements-cut-at-ten': [['upstream_blocks'], array((value) => value.slice(0, 10))],
} // biome-ignore format: one conversion a line

/** The listed values of attributes: a server must accept each of them, and no other. */
const listed = operations.flatMap((operation) =>
  facts(operation)
    .writes.filter(({ name }) => written[operation].some((own) => own === name))
    .flatMap(({ name, values }) => (values ? [{ operation, name, values: values.map(String) }] : [])),
)

/** Handles writes of each listed value. */
const onListed = (handlerOf: (name: string, value: string, values: readonly string[]) => Handler): Target[] =>
  listed.flatMap(({ operation, name, values }) =>
    values.map((value) =>
      handles(at(operation, `${name}-${value}`, rowOf(operation, name)), (request, forward) =>
        sentRecord(request)[name] === value ? handlerOf(name, value, values)(request, forward) : forward(),
      ),
    ),
  )

/** Accepts another spelling of a listed value. */
const acceptsSpelling = (spell: (value: string) => string): Target[] =>
  listed.map(({ operation, name, values }) =>
    handles(atRow(operation, name), (request, forward) => {
      const sent = sentRecord(request)
      const given = sent[name]
      const instead = values.find(
        (value) => typeof given === 'string' && spell(value) === spell(given) && value !== given,
      )
      return instead === undefined
        ? forward()
        : sends(request, forward, { ...sent, [name]: instead }, (record) => ({ ...record, [name]: given }))
    }),
  )

/** Ignores one attribute beside another one, or beside a certain value of it. */
const losesWith = (
  operation: WriteOperation,
  name: string,
  aspect: string,
  isWith: (sent: Json) => boolean,
  stated = rowOf(operation, name),
  ...triggers: readonly When[]
): Target =>
  handles(at(operation, aspect, stated, ...triggers), (request, forward) => {
    const sent = sentRecord(request)
    return name in sent && isWith(sent) ? sends(request, forward, without(sent, name)) : forward()
  })

/** Sets an attribute to null on an update without it. */
const resets = (
  name: string,
  aspect: string,
  when: (sent: Json) => boolean,
  ...triggers: readonly When[]
): Target =>
  handles(at('updateBackfill', aspect, updatedValues, ...triggers), (request, forward) => {
    const sent = sentRecord(request)
    return name in sent || !when(sent) ? forward() : sends(request, forward, { ...sent, [name]: null })
  })

const blockOptions = written.createBlock.filter((name) => isOptional('createBlock', name))
const pairs = (names: readonly string[]) =>
  names.flatMap((one) => names.filter((other) => other !== one).map((other) => [one, other] as const))

/** Changes of the values that requests write. */
export const writeOperators = defineOperators({
  'echo-only': onWrites(isOptional, ignores('sent')),
  'not-stored': [
    onWrites(isOptional, ignores('stored')),
    handles(atRow('createBlock', 'color'), (request, forward) =>
      'color' in sentRecord(request) ? ignores('stored')('color')(request, forward) : forward(),
    ),
  ],
  'stored-not-shown': updatable.map((name) =>
    shows(atRow('updateBackfill', name), (record, request) => {
      const before = request.earlier
        .map(({ reply }) => recordIn(reply, 'backfill'))
        .findLast((own) => own?.id === record.id)
      return before && name in sentRecord(request) ? { ...record, [name]: before[name] } : record
    }),
  ),
  'stored-otherwise': onWrites(isNear, (name) => stores(toNear(name))(name)),
  'echoed-stored-otherwise': onWrites(
    (operation, name) => isNear(operation, name) && !isKey(operation, name),
    (name) => stores(toNear(name), 'sent')(name),
  ),
  ...operatorsOf(conversions, ([on, change]) => [
    viable(
      change,
      onWrites((_, own) => on.includes(own), stores(change)),
    ),
    unseen(
      viable(
        change,
        onWrites((operation, own) => on.includes(own) && !isKey(operation, own), stores(change, 'sent')),
      ),
    ),
  ]),
  'refuses-listed-value': onListed((name, value) => () => refusal(`${name}: ${value} is not supported.`)),
  'listed-value-replaced': onListed((name, value, values) =>
    stores(() => values[(values.indexOf(value) + 1) % values.length])(name),
  ),
  'accepts-other-case': acceptsSpelling((value) => value.toLowerCase()),
  'accepts-edged': acceptsSpelling((value) => value.trim()),
  'required-optional': (['createPipeline', 'createBlock'] as const).flatMap((operation) =>
    facts(operation)
      .writes.filter(({ isRequired }) => isRequired)
      .map(({ name }) =>
        handles(atRow(operation, name, ...requestTriggers(operation)), (request, forward) => {
          const sent = sentRecord(request)
          const type = operation === 'createBlock' ? 'custom' : 'python'
          const value = name === 'type' ? type : `untitled ${request.nth}`
          return [undefined, null, ''].some((empty) => sent[name] === empty)
            ? sends(request, forward, { ...sent, [name]: value })
            : forward()
        }),
      ),
  ),
  'others-reset': settable.map((name) =>
    resets(name, name, () => true, ...requestTriggers('updateBackfill')),
  ),
  'reset-by-another': pairs(updatable)
    .filter(([name]) => settable.includes(name))
    .map(([name, other]) => resets(name, `${name}-by-${other}`, (sent) => other in sent, 'always')),
  'status-alone': updatableBut('status').map((name) =>
    losesWith(
      'updateBackfill',
      name,
      name,
      (sent) => 'status' in sent,
      updatesToo,
      ...requestTriggers('updateBackfill', name, 'only-when-sent-alone'),
    ),
  ),
  'lost-with-status': updatableBut('status').flatMap((name) =>
    ['initial', 'running', 'completed', 'failed', 'cancelled'].map((status) =>
      losesWith(
        'updateBackfill',
        name,
        `${name}-with-${status}`,
        (sent) => sent.status === status,
        updatesToo,
        'always',
      ),
    ),
  ),
  'lost-with-another': [
    pairs(blockOptions).map(([name, other]) =>
      losesWith('createBlock', name, `${name}-with-${other}`, (sent) => other in sent, undefined, 'always'),
    ),
    pairs(updatableBut('status')).map(([name, other]) =>
      losesWith(
        'updateBackfill',
        name,
        `${name}-with-${other}`,
        (sent) => other in sent,
        undefined,
        'always',
      ),
    ),
  ],
  'lost-in-pair': pairs(updatable).map(([name, other]) =>
    losesWith(
      'updateBackfill',
      name,
      `${name}-with-only-${other}`,
      (sent) => other in sent && Object.keys(sent).length === 2,
      updatesToo,
      'always',
    ),
  ),
  'language-lost-on-type': valuesOf('createBlock', 'type').flatMap((type) =>
    // Python is the default: its loss changes nothing.
    languages
      .slice(1)
      .map((language) =>
        losesWith(
          'createBlock',
          'language',
          `${language}-of-${type}`,
          (sent) => sent.type === type && sent.language === language,
          undefined,
          'always',
        ),
      ),
  ),
  'stored-value-refused': updatable.map((name) =>
    handles(at('updateBackfill', name, updatedValues, 'always'), async (request, forward) => {
      const { own } = await withOthers(request, forward)
      const sent = sentRecord(request)
      const isStored = own !== undefined && name in sent && isDeepStrictEqual(sent[name], own[name])
      return isStored ? refusal(`${name} is the same.`) : forward()
    }),
  ),
  'lost-on-type': valuesOf('createBlock', 'type').flatMap((type) =>
    blockOptions.map((name) =>
      losesWith('createBlock', name, `${name}-of-${type}`, (sent) => sent.type === type, undefined, 'always'),
    ),
  ),
  'members-merged': requests(at('updateBackfill', 'variables', updatedValues), (request) => {
    const { variables, ...sent } = sentRecord(request)
    if (!isObject(variables)) return undefined
    const before = earlier(request, 'updateBackfill')
      .filter((own) => own.request.parameters.backfill_id === request.parameters.backfill_id)
      .map((own) => sentRecord(own.request).variables)
    const merged = Object.assign({}, ...before.filter(isObject), variables)
    return { body: bodyWith(request, { ...sent, variables: merged }) }
  }),
  'sent-null-as-text': settable.map((name) =>
    shows(at('updateBackfill', name, updatedValues, 'always'), (record, request) =>
      sentRecord(request)[name] === null ? { ...record, [name]: 'null' } : record,
    ),
  ),
})

const copy = sentence('Pipeline run', 'Copy of the JSON object')

/** Changes of the copy of the trigger's body. */
const copies: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    Object.entries(conversions).flatMap(([name, [on, change]]) =>
      on.includes('variables') ? [[name.replace('mangles-', ''), change]] : [],
    ),
  ),
  'own-names-lost': entries((key) => !['status', 'id', 'token'].includes(key)),
  'envelope-lost': entries((key) => !['variables', 'pipeline_run'].includes(key)),
  'first-member-only': entries((_, __, index) => index === 0),
  'members-as-text': members((inner) => (isObject(inner) || Array.isArray(inner) ? inner : String(inner))),
  'arrays-of-one-unwrapped': members((inner) =>
    Array.isArray(inner) && inner.length === 1 ? inner[0] : inner,
  ),
  'numbers-cut': members((inner) => (typeof inner === 'number' ? Math.trunc(inner) : inner)),
  wrapped: (value) => ({ variables: value }),
  'keys-with-dots-nested': (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => {
            const [first = key, ...rest] = key.split('.')
            return rest.length === 0 ? [key, inner] : [first, { [rest.join('.')]: inner }]
          }),
        )
      : value,
}

/** Changes of the event variables of a run. */
export const copyOperators = defineOperators({
  'copy-changed': Object.entries(copies).map(([aspect, change]) =>
    shows(at('triggerPipeline', aspect, copy), (run) => ({
      ...run,
      event_variables: change(run.event_variables),
    })),
  ),
})
