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
import { deep, type HarmlessVariant, onBodies } from './variant.ts'

/** What a value of a documented type may be as well; undefined where a change of it would be no choice. */
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
  /** Its type, as its row has it. */
  readonly type: string
  /** Whether a client may have written the value: then only what is null has been written by nobody. */
  readonly isWritable: boolean
}

/** The attributes of a kind that the document leaves to the target, by their relations. */
function openIn(kind: ComparedKind): Open[] {
  return [...relationsOf(kind)].flatMap(([name, { is, rests }]): Open[] => {
    const type = rests?.text.split('|')[2]?.trim()
    const isWritable = is === 'written' || is === 'filled'
    const isOpen = is === 'constant' || is === 'free' || isWritable
    // What has listed values may have those alone, and what is unique is no two records'.
    const isListed = /See the|One of|Unique/.test(rests?.text ?? '')
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

/** A server that gives every open attribute another value, in the replies of one operation. */
const otherwise = (kind: ComparedKind, operation: OperationId): Start =>
  onRecords(operation, (record) => chosen(kind, record, ({ type }, value) => another(type, value, 1)))

/** A server that gives every open attribute null, where its row lets it. */
const nulls = (kind: ComparedKind, operation: OperationId): Start =>
  onRecords(operation, (record) =>
    chosen(kind, record, ({ type }, value) => (/\bnull\b/.test(type) ? null : value)),
  )

/** A server whose open attributes move with each write to anything, and not between writes. */
const moving =
  (kind: ComparedKind, operation: OperationId): Start =>
  () => {
    const writes = new Map<unknown, number>()
    return async (heard, ask) => {
      const reply = await ask()
      const id = Number(heard.parameters.backfill_id)
      // What was refused has written nothing.
      if (heard.method !== 'GET' && !isErrorReply(reply)) writes.set(id, (writes.get(id) ?? 0) + 1)
      return onRecords(operation, (record) =>
        chosen(kind, record, ({ type }, value) => another(type, value, writes.get(Number(record.id)) ?? 0)),
      )()(heard, async () => reply)
    }
  }

/** The attributes of a kind into which a target may write members of its own. */
const filledIn = (kind: ComparedKind): string[] =>
  [...relationsOf(kind)].filter(([, { is }]) => is === 'filled').map(([name]) => name)

/** A record whose objects have further members: a documented one with its default, and another. */
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

/** Servers that choose otherwise wherever the relations say that the choice is theirs. */
export const openAttributes: readonly HarmlessVariant[] = [
  ...shows
    .filter(({ kind, operation }) => openIn(kind).some(({ name }) => isShownBy(operation, name)))
    .map(
      ({ kind, operation }): HarmlessVariant => ({
        name: `${operation}-chooses-otherwise`,
        leaves,
        start: otherwise(kind, operation),
        toldBy: [
          'block-new/status',
          'block-new/executor-type',
          'pipeline-extensions/empty',
          'trigger/variables',
          'trigger/not-completed',
        ],
      }),
    ),
  ...shows
    .filter(({ kind }) => filledIn(kind).length > 0)
    .map(
      ({ kind, operation }): HarmlessVariant => ({
        name: `${operation}-fills-objects`,
        leaves: sentence('Block', 'Block `configuration` properties'),
        start: onRecords(operation, (record) => filled(kind, record)),
      }),
    ),
  {
    name: 'every-reply-fills-objects',
    leaves: sentence('Block', 'Block `configuration` properties'),
    start: onBodies((body) => deep(body, (record) => filled('block', record))),
  },
  ...shows
    // Of the others no open attribute has another value than null where nobody has written one.
    .filter(({ kind }) => kind === 'schedule')
    .map(
      ({ kind, operation }): HarmlessVariant => ({
        name: `${operation}-chooses-null`,
        leaves,
        start: nulls(kind, operation),
      }),
    ),
  ...(['listBackfills', 'updateBackfill'] as const).map(
    (operation): HarmlessVariant => ({
      name: `${operation}-moves-with-writes`,
      leaves,
      start: moving('backfill', operation),
    }),
  ),
]
