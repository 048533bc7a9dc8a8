import {
  type ComparedKind,
  kinds,
  operationsOf,
  relationsOf,
} from '../../contract-tests/model-based/relation.ts'
import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { facts, onRecords, sentence } from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { deep, onBodies } from './reply-changes.ts'
import { defineVariants, type VariantRow } from './variant.ts'

/** Returns another value of a documented type, or the same value if another would not conform. */
function another(type: string, value: unknown, salt: number): unknown {
  if (/\bobject\b/.test(type)) return { chosen: { by: 'us', for: salt } }
  if (/\binteger\b/.test(type)) return 70 + salt
  if (/\bboolean\b/.test(type)) return value !== true
  if (/\barray of string\b/.test(type)) return value
  if (/\barray\b/.test(type)) return [{ chosen: salt }]
  if (/\btimestamp\b/.test(type)) return '2031-05-06 07:08:09.101112+00:00'
  return /\bstring\b/.test(type) ? `chosen ${salt}` : value
}

interface Open {
  readonly name: string
  /** The type in its row of the API specification. */
  readonly type: string
  /** True if a client may have written the value. Then only null is certainly a value of the server. */
  readonly isWritable: boolean
}

/** The attributes of a kind whose values the target chooses. */
function openIn(kind: ComparedKind): Open[] {
  return [...relationsOf(kind)].flatMap(([name, { is, sentence }]): Open[] => {
    const type = sentence?.text.split('|')[2]?.trim()
    const isWritable = is === 'written' || is === 'filled'
    const isOpen = is === 'constant' || is === 'free' || isWritable
    // Listed values allow no others, and unique values must differ.
    const isListed = /See the|One of|Unique/.test(sentence?.text ?? '')
    return isOpen && type !== undefined && !isListed ? [{ name, type, isWritable }] : []
  })
}

const chosen = (kind: ComparedKind, record: Json, choose: (open: Open, value: unknown) => unknown): Json => ({
  ...record,
  ...Object.fromEntries(
    openIn(kind)
      .filter(({ name, isWritable }) => name in record && (!isWritable || record[name] === null))
      .map((open) => [open.name, choose(open, record[open.name])]),
  ),
})

/** Gives every open attribute another value, in the replies of one operation. */
const otherwise = (kind: ComparedKind, operation: OperationId): Start =>
  onRecords(operation, (record) => chosen(kind, record, ({ type }, value) => another(type, value, 1)))

/** Gives every open attribute null, where its row allows null. */
const nulls = (kind: ComparedKind, operation: OperationId): Start =>
  onRecords(operation, (record) =>
    chosen(kind, record, ({ type }, value) => (/\bnull\b/.test(type) ? null : value)),
  )

/** Changes the open attributes with each write to the record, and not between writes. */
const moving = (kind: ComparedKind, operation: OperationId): Start =>
  onRecords(operation, (record, { request }) => {
    const writes = request.earlier.filter(
      (own) =>
        own.request.method !== 'GET' &&
        !isErrorReply(own.reply) &&
        Number(own.request.parameters.backfill_id) === Number(record.id),
    )
    // The request itself may be such a write.
    const count = writes.length + Number(request.method !== 'GET')
    return chosen(kind, record, ({ type }, value) => another(type, value, count))
  })

/** The attributes of a kind to which a target may add members. */
const filledIn = (kind: ComparedKind): string[] =>
  [...relationsOf(kind)].filter(([, { is }]) => is === 'filled').map(([name]) => name)

/** Adds members to the objects of a record: a documented one with its default, and another. */
function filled(kind: ComparedKind, record: Json): Json {
  const objects = filledIn(kind).filter((name) => isObject(record[name]))
  const fill = (value: unknown) => ({
    data_provider_schema: 'public',
    retries: { times: 0 },
    ...(value as Json),
  })
  return { ...record, ...Object.fromEntries(objects.map((name) => [name, fill(record[name])])) }
}

const isShownBy = (operation: OperationId, name: string): boolean => {
  const { attributes } = facts(operation)
  return attributes !== 'all' && attributes.some((attribute) => attribute.name === name)
}
const leaves = sentence('What the service does', 'which decides which attributes the response carries')
const shows = kinds.flatMap((kind) => operationsOf(kind).map((operation) => ({ kind, operation })))
const properties = sentence('Block', 'Block `configuration` properties')

/** Creates a row for each operation whose replies show records of a selected kind. */
const forOperations = (
  ending: string,
  fits: (kind: ComparedKind, operation: OperationId) => boolean,
  rowOf: (kind: ComparedKind, operation: OperationId) => VariantRow,
): Record<string, VariantRow> =>
  Object.fromEntries(
    shows
      .filter(({ kind, operation }) => fits(kind, operation))
      .map(({ kind, operation }) => [`${operation}-${ending}`, rowOf(kind, operation)]),
  )

/** Servers with other values of every attribute that the target chooses. */
export const openAttributes = defineVariants({
  ...forOperations(
    'chooses-otherwise',
    (kind, operation) => openIn(kind).some(({ name }) => isShownBy(operation, name)),
    (kind, operation) => [
      leaves,
      otherwise(kind, operation),
      'block-new/status',
      'block-new/executor-type',
      'pipeline-extensions/empty',
      'trigger/variables',
      'trigger/not-completed',
    ],
  ),
  ...forOperations(
    'fills-objects',
    (kind) => filledIn(kind).length > 0,
    (kind, operation) => [properties, onRecords(operation, (record) => filled(kind, record))],
  ),
  'every-reply-fills-objects': [
    properties,
    onBodies((body) => deep(body, (record) => filled('block', record))),
  ],
  // Open attributes of other kinds are null already, unless a client has written them.
  ...forOperations(
    'chooses-null',
    (kind) => kind === 'schedule',
    (kind, operation) => [leaves, nulls(kind, operation)],
  ),
  ...forOperations(
    'moves-with-writes',
    (_, operation) => operation === 'listBackfills' || operation === 'updateBackfill',
    (kind, operation) => [leaves, moving(kind, operation)],
  ),
})
