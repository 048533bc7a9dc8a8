import type { OperationId, RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { equal, listIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { add } from './add-tracked-record.ts'
import { rulesAboutWrite } from './attribute-rules.ts'
import * as corner from './boundary-values.ts'
import { compareRecords } from './compare.ts'
import { type After, readAround, readPipeline } from './read-back.ts'
import {
  type Both,
  type ComparedRequest,
  errorOf,
  isSuccess,
  ModelDiverged,
  type SequenceRun,
} from './sequence-run.ts'
import { type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'

/** A pipeline to create. */
export interface NewPipeline {
  /** The end of its name, after the prefix of the sequence. */
  readonly word: string
  readonly type: string
  /** Whether the target may refuse the name. */
  readonly isOdd?: boolean
  /** Whether another sequence checks pipelines of this kind. */
  readonly isFamiliar?: boolean
  /** Whether its name has no hyphen. */
  readonly isPlain?: boolean
}

/** Values of which nothing is specified, so that a target may refuse them, alone or beside what is stored. */
export function isUnusual(sent: ReceivedRecord, stored: ReceivedRecord = {}): boolean {
  const { name, interval_units: units } = sent
  const { start_datetime: start, end_datetime: end } = { ...stored, ...sent }
  const isOddName = typeof name === 'string' && !/^[!-~](?:[ -~]{0,62}[!-~])?$/.test(name)
  const isOddUnit = typeof units === 'number' && (units < 1 || units > 1_000)
  return isOddName || isOddUnit || (typeof start === 'string' && typeof end === 'string' && end < start)
}

/** Sends a write that both should accept; undefined where the target refuses it, which is a finding, or its choice. */
export async function write(
  sequence: SequenceRun,
  operation: OperationId,
  asked: ComparedRequest,
  mayRefuse = false,
): Promise<Both | undefined> {
  const both = await sequence.ask(asked)
  if (both.predicted.isError) {
    if (!both.succeeded) return undefined
    // The rules of the model are narrower: what is taken must come back as it was sent, and nobody knows more.
    noteEcho(sequence, operation, asked, both)
    throw new ModelDiverged()
  }
  if (both.succeeded) {
    sequence.note(operation, 'accepted', both.exchange)
    return both
  }
  const [[, nested] = []] = Object.entries(recordOf(asked.body?.('target')))
  const sent = recordOf(nested)
  if (mayRefuse || isUnusual(sent)) return undefined
  const flaw = { received: errorOf(both.exchange), expected: 'a success' }
  sequence.note(operation, 'accepted', both.exchange, flaw)
  for (const id of rulesAboutWrite(operation, sent).accepted) sequence.noteRule(id, both.exchange, flaw)
  return undefined
}

/** Holds what a target has taken and the model has refused to what was sent. */
function noteEcho(
  sequence: SequenceRun,
  operation: OperationId,
  asked: ComparedRequest,
  { exchange }: Both,
): void {
  const [[singular, sent] = ['', {}]] = Object.entries(recordOf(asked.body?.('target')))
  const received = recordIn(exchange, singular)
  const other = Object.entries(recordOf(sent)).find(
    ([attribute, value]) =>
      typeof value === 'number' && received?.[attribute] !== undefined && received[attribute] !== value,
  )
  if (other === undefined) return
  const [attribute, value] = other
  sequence.note(operation, 'values', exchange, {
    received: { [attribute]: received?.[attribute] },
    expected: { [attribute]: value },
  })
}

const recordOf = (value: unknown): ReceivedRecord => (isObject(value) ? value : {})

/** Creates a pipeline; one like others that are looked at elsewhere is read once there is more to see. */
export async function createPipeline(
  sequence: SequenceRun,
  { word, type, isOdd, isFamiliar, isPlain = false }: NewPipeline,
): Promise<void> {
  const name = `${sequence.prefix}${isPlain ? '_' : '-'}${word}`
  const values = { name, type }
  const both = await write(
    sequence,
    'createPipeline',
    {
      method: 'POST',
      path: () => '/api/pipelines',
      body: () => ({ pipeline: values }),
    },
    isOdd,
  )
  const record = both && recordIn(both.exchange, 'pipeline')
  if (both === undefined || typeof record?.uuid !== 'string') return
  const tracked = add(sequence, both, {
    kind: 'pipeline',
    target: record.uuid,
    model: 'uuid',
    written: values,
  })
  const flaws = compareRecords(
    'createPipeline',
    tracked,
    both.predicted.body.pipeline as ReceivedRecord,
    record,
    sequence,
  )
  const uuid = flawOfUuid(record.uuid, name, '-')
  if (uuid !== undefined) flaws.push({ attribute: 'uuid', expected: uuid, received: record.uuid })
  for (const attribute of ['blocks', 'callbacks', 'conditionals', 'widgets'])
    if (Object.hasOwn(record, attribute) && !equal(record[attribute], []))
      flaws.push({ attribute, expected: [], received: record[attribute] })
  sequence.noteDifferences(['createPipeline', 'values'], tracked, flaws, both.exchange)
  const { attributes } = rulesAboutWrite('createPipeline', values)
  const uuidRule = name.includes('-') ? 'pipeline-new/uuid-hyphens' : 'pipeline-new/uuid-from-name'
  sequence.noteAttributes({ ...attributes, uuid: [uuidRule] }, record, flaws, both.exchange)
  tracked.isUnread = true
  if (!isFamiliar) await readAround(sequence, { by: 'createPipeline', touched: tracked })
}

/**
 * The uuid that a name should lead to; undefined where the uuid is a possible one. A target may add to it so that it is
 * unique, and may shorten separators; of capitals, other characters and long names nothing is specified.
 */
export function flawOfUuid(uuid: string, name: string, replaced: '-' | ' '): string | undefined {
  if (uuid.includes(replaced)) return `a uuid without "${replaced}"`
  const isPlain = new RegExp(`^[a-z0-9_${replaced}]{1,64}$`).test(name)
  const expected = name.replaceAll(replaced, '_')
  const separated = (text: string) => text.toLowerCase().replaceAll(/_+/g, '_')
  const isDerived = separated(uuid).includes(separated(expected).replaceAll(/^_|_$/g, ''))
  return isPlain && !isDerived ? expected : undefined
}

/** A backfill to create. */
export interface NewBackfill {
  readonly name: string
  /** Whether the target may refuse the name. */
  readonly mayRefuse?: boolean
  /** Whether it is created by PUT, which only an example of the specification shows. */
  readonly isSample?: boolean
}

/** Creates a backfill. */
export async function createBackfill(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, mayRefuse = false, isSample = false }: NewBackfill,
): Promise<void> {
  const values = { name }
  const method = isSample ? 'PUT' : 'POST'
  const asked: ComparedRequest = {
    method,
    path: (side) => `/api/pipelines/${segment(pipeline, side)}/backfills`,
    body: () => ({ backfill: values }),
  }
  const both = isSample
    ? await createBySample(sequence, asked)
    : await write(sequence, 'createBackfill', asked, mayRefuse)
  const record = both && recordIn(both.exchange, 'backfill')
  if (both === undefined || record === undefined) return
  const tracked = add(sequence, both, {
    kind: 'backfill',
    home: pipeline,
    target: record.id,
    model: 'id',
    written: values,
  })
  const shows = { rule: 'backfill-create/listed', attributes: [] } as const
  await compareReply(sequence, { by: 'createBackfill', touched: tracked, shows }, both, values)
}

/** Sends the creation that an example shows; undefined where the target refuses it. */
async function createBySample(sequence: SequenceRun, asked: ComparedRequest): Promise<Both | undefined> {
  const both = await sequence.ask(asked)
  const flaw = { received: errorOf(both.exchange), expected: 'a success' }
  sequence.noteRule('backfill-create/put-sample', both.exchange, both.succeeded ? undefined : flaw)
  return both.succeeded ? both : undefined
}

/** Changes a backfill, now and then by the same request twice. */
export async function updateBackfill(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  values: ReceivedRecord,
  isOdd = false,
): Promise<void> {
  // The specification allows null in records, not in requests.
  const mayRefuse = isOdd || Object.values(values).includes(null) || isUnusual(values, backfill.written)
  // An update with a status may start the backfill, and change what it shows.
  const hasStatus = Object.hasOwn(backfill.written, 'status') || Object.hasOwn(values, 'status')
  const written = Object.keys(values).filter((name) => values[name] !== null)
  const shows = hasStatus ? undefined : { rule: 'backfill-update/stored' as const, attributes: written }
  const after: WrittenTo = { by: 'updateBackfill', touched: backfill, shows }
  const kept = hasStatus ? [] : Object.keys(backfill.written).filter((name) => !Object.hasOwn(values, name))
  const both = await write(sequence, 'updateBackfill', updateOf(backfill, values), mayRefuse)
  if (both === undefined)
    return readAround(sequence, { by: 'updateBackfill', touched: backfill, refused: 'refused-unchanged' })
  // Null leaves it to the target again.
  const all = Object.entries({ ...backfill.written, ...values })
  backfill.written = Object.fromEntries(all.filter(([, value]) => value !== null))
  touch(backfill)
  noteState(sequence, both.exchange, values)
  // Whoever asks for what is so already is no less right.
  if (sequence.takeTurn('said twice', [false, false, false, false, false, true])) {
    compareRecord(sequence, after, both, values)
    const again = await write(sequence, 'updateBackfill', updateOf(backfill, values), mayRefuse)
    touch(backfill)
    if (again !== undefined) return compareReply(sequence, after, again, values, kept)
  }
  await compareReply(sequence, after, both, values, kept)
}

function updateOf(backfill: TrackedRecord, values: ReceivedRecord): ComparedRequest {
  return {
    method: 'PUT',
    path: (side) => `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`,
    body: () => ({ backfill: values }),
  }
}

/** The reply shows the status that was supplied; only later ones may show what has become of it. */
function noteState(sequence: SequenceRun, exchange: Exchange, { status }: ReceivedRecord): void {
  const received = recordIn(exchange, 'backfill')?.status
  const rule = corner.statuses.find((each) => each === status)
  if (rule === undefined) return
  const flaw = received === status ? undefined : { received: { status: received }, expected: { status } }
  sequence.noteRule(`backfill-states/${rule}`, exchange, flaw)
  if (flaw !== undefined) sequence.note('updateBackfill', 'values', exchange, flaw)
}

/** Deletes a backfill. */
export async function deleteBackfill(sequence: SequenceRun, backfill: TrackedRecord): Promise<void> {
  const path = (side: Side) => `/api/backfills/${segment(backfill, side)}`
  const both = await write(sequence, 'deleteBackfill', { method: 'DELETE', path })
  if (both === undefined) return
  backfill.isGone = true
  // What is taken out may be marked so, and be shown with that.
  touch(backfill)
  // What is gone is gone for whoever asks; what is read next is read after an error.
  const [again, updated] = [
    await sequence.ask({ method: 'DELETE', path }),
    await sequence.ask(updateOf(backfill, { name: 'gone' })),
  ]
  await compareReply(sequence, { by: 'deleteBackfill', touched: backfill }, both)
  noteRefusal(sequence, 'deleteBackfill', again, 'backfill-states/removed', 'backfill-delete/again')
  noteRefusal(sequence, 'updateBackfill', updated, 'backfill-states/removed')
}

/**
 * Notes whether what the model refuses was refused; a sequence cannot go on where it was not. That it is an error follows
 * from the document; where a sentence says so, its rule is named.
 */
export function noteRefusal(
  sequence: SequenceRun,
  operation: OperationId,
  { exchange, predicted, succeeded }: Both,
  ...stated: readonly (RuleId | undefined)[]
): void {
  if (!predicted.isError) return
  const flaw = succeeded ? { received: exchange.body, expected: 'an error' } : undefined
  sequence.note(operation, 'refuses', exchange, flaw)
  for (const id of stated) if (id !== undefined) sequence.noteRule(id, exchange, flaw)
  if (flaw !== undefined) throw new ModelDiverged()
}

/** Compares the reply to a write of these values, and reads everything that can show it. */
export async function compareReply(
  sequence: SequenceRun,
  after: WrittenTo,
  both: Both,
  sent: ReceivedRecord = {},
  kept: readonly string[] = [],
): Promise<void> {
  compareRecord(sequence, after, both, sent, kept)
  await readAround(sequence, after)
}

/** A write, and the record that it changed. */
type WrittenTo = After & { readonly touched: TrackedRecord }

/** Compares the record in a reply: the attributes that were sent, and those that must be as they were. */
function compareRecord(
  sequence: SequenceRun,
  { by: operation, touched: tracked }: WrittenTo,
  both: Both,
  sent: ReceivedRecord,
  kept: readonly string[] = [],
): void {
  const record = recordIn(both.exchange, tracked.kind)
  const expected = both.predicted.body[tracked.kind]
  if (record === undefined || !isObject(expected)) return
  const flaws = compareRecords(operation, tracked, expected, record, sequence)
  sequence.noteDifferences([operation, 'values'], tracked, flaws, both.exchange)
  const partial = kept.map((name) => [name, ['backfill-update/partial' as const]] as const)
  const { attributes } = rulesAboutWrite(operation, sent)
  sequence.noteAttributes({ ...attributes, ...Object.fromEntries(partial) }, record, flaws, both.exchange)
}

/** Sends a value that is not listed, checks that it is neither stored nor shown, and writes a listed one. */
export async function updateUnlisted(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  attribute: 'status' | 'interval_type',
  value: string,
): Promise<void> {
  if (!sequence.context.provided.allowDestructive || sequence.storedUnlisted.has(attribute)) return
  const rule = attribute === 'status' ? 'backfill-states/unknown-status' : 'backfill-update/unknown-interval'
  const listed: readonly unknown[] = attribute === 'status' ? corner.statuses : corner.intervalTypes
  const expected = { [attribute]: 'a listed value, or an error' }
  const { path } = updateOf(backfill, {})
  const update = (to: unknown) => sequence.context.put(path('target'), { backfill: { [attribute]: to } })
  const reply = await update(value)
  const received = recordIn(reply, 'backfill')?.[attribute]
  const isReplied = isSuccess(reply) && !listed.includes(received) && received !== null
  sequence.noteRule(rule, reply, isReplied ? { received: { [attribute]: received }, expected } : undefined)
  const list = await sequence.context.get(
    `/api/backfills?pipeline_uuid=${segment(backfill.home ?? backfill, 'target')}`,
  )
  // A value that was refused and stored all the same is in the list, or makes it fail.
  const shown = listIn(list, 'backfills')?.find(({ id }) => String(id) === backfill.keys.target)?.[attribute]
  const isShown = !isSuccess(list) || !(listed.includes(shown) || (shown ?? null) === null)
  const listFlaw = { received: isSuccess(list) ? { [attribute]: shown } : errorOf(list), expected }
  sequence.noteRule(rule, list, isShown ? listFlaw : undefined)
  if (isReplied || isShown) sequence.storedUnlisted.add(attribute)
  // It is changed once in any case: a target may treat what follows an update differently.
  if (isReplied || isShown || (shown ?? null) === null) await update(listed[0])
}

/** A creation without a required attribute, or with a value that is not in its list. */
export interface RefusedCreation {
  readonly what: 'block' | 'pipeline'
  readonly values: ReceivedRecord
  /** The attribute whose value is not listed: the target may refuse it, or store a listed value instead. */
  readonly unlisted?: 'type' | 'language'
}

/** Sends a creation that must not succeed as it is, and checks that nothing has changed. */
export async function sendRefused(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { what, values, unlisted }: RefusedCreation,
): Promise<void> {
  // A target that stores one such value may fail on it later: no more of the kind is sent.
  if (unlisted !== undefined && sequence.storedUnlisted.has(`${what} ${unlisted}`)) return
  const name = typeof values.name === 'string' ? `${sequence.prefix}-${values.name}` : undefined
  const sent = { ...values, ...(name !== undefined && { name }) }
  const home = `/api/pipelines/${segment(pipeline, 'target')}`
  const isBlock = what === 'block'
  const reply = isBlock
    ? await sequence.send('POST', `${home}/blocks`, { body: { block: sent } })
    : await sequence.context.post('/api/pipelines', { pipeline: sent })
  const missing = (['name', 'type'] as const).find((attribute) => !Object.hasOwn(values, attribute))
  const isTaken = isSuccess(reply)
  const flaw = isTaken ? { received: reply.body, expected: 'an error' } : undefined
  if (missing !== undefined) sequence.noteRule(`${what}-create/${missing}-required`, reply, flaw)
  if (!isBlock && name !== undefined && !isTaken) await noteNotStored(sequence, name)
  if (unlisted !== undefined) {
    const received = recordIn(reply, what)?.[unlisted]
    const isListed = listedValues(what, unlisted).includes(String(received))
    const rule =
      unlisted === 'language' ? 'block-create/language-listed' : (`${what}-create/type-listed` as const)
    const expected = { [unlisted]: 'a listed value' }
    sequence.noteRule(
      rule,
      reply,
      isTaken && !isListed ? { received: { [unlisted]: received }, expected } : undefined,
    )
    if (isTaken) sequence.storedUnlisted.add(`${what} ${unlisted}`)
  }
  // The model has no such block, so the pipeline is not compared any more.
  if (isTaken) {
    if (isBlock) sequence.forget(pipeline)
    return
  }
  await readPipeline(sequence, pipeline, {
    by: isBlock ? 'createBlock' : 'createPipeline',
    touched: pipeline,
    refused: 'refused-unchanged',
  })
}

/** The values of an attribute that the specification lists. */
function listedValues(what: RefusedCreation['what'], attribute: 'type' | 'language'): readonly string[] {
  if (what === 'pipeline') return corner.pipelineTypes
  return attribute === 'type' ? corner.blockTypes : corner.blockLanguages
}

/** Checks that the list of pipelines shows none of a name that was refused. */
async function noteNotStored(sequence: SequenceRun, name: string): Promise<void> {
  const list = await sequence.get('/api/pipelines')
  const stored = listIn(list, 'pipelines')?.filter((item) => item.name === name)
  if (stored === undefined) return
  const flaw = { received: stored.map((item) => item.name), expected: [] }
  sequence.noteRule('pipeline-create/refused-not-stored', list, stored.length === 0 ? undefined : flaw)
}
