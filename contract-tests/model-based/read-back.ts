// Reads after writes: each compares the replies of the target with the model.
import { derivedRule } from '../rules/derived.ts'
import type { OperationId, RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { readWhole } from '../runner/whole-list.ts'
import { carriedBlocks, compareRecords } from './compare.ts'
import { type Both, errorOf, type SequenceRun, unless } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

/** The last write, and its record. */
export interface After {
  readonly by: OperationId
  readonly touched: TrackedRecord | undefined
  /** The aspect that a change violates, if the target refused the write. */
  readonly refused?: 'refused-unchanged' | 'credentials'
  /** The pipeline in a read after the write. */
  readonly seen?: Exchange | undefined
}

/** The rule that a difference of a record violates: that of the read, or that of the preceding write. */
function blame(
  read: OperationId,
  tracked: TrackedRecord | undefined,
  after: After | undefined,
): RuleId | undefined {
  if (after === undefined) return derivedRule(read, 'values')
  if (after.refused !== undefined) return derivedRule(after.by, after.refused)
  return derivedRule(after.by, tracked === after.touched ? 'read-back' : 'unchanged-neighbours')
}

/**
 * Reads a written record, and in rotation others that must not have changed: a record of the same kind, another pipeline, other
 * records of its pipeline.
 */
export async function readAround(sequence: SequenceRun, after: After): Promise<void> {
  const { touched, seen } = after
  const home = touched?.kind === 'pipeline' ? touched : touched?.home
  if (touched === undefined || home === undefined) return
  const other = sequence.all('pipeline').find((pipeline) => pipeline !== home)
  const another = sequence.otherThan(touched)
  const rotatingReads: (() => Promise<unknown>)[] = []
  if (touched.kind === 'backfill') {
    await readBackfills(sequence, home, after)
    if (other) rotatingReads.push(() => readBackfills(sequence, other, after))
    rotatingReads.push(() => readPipeline(sequence, home, after))
  } else {
    await readPipeline(sequence, home, after, seen)
    if (touched.kind === 'block' && !touched.isGone) await readBlock(sequence, touched, after)
    const copy = touched.kind === 'block' ? sequence.copyOf(touched) : undefined
    if (copy && touched.isGone) await readBlock(sequence, copy, after)
    if (other) rotatingReads.push(() => readPipeline(sequence, other, after))
    if (another && touched.kind === 'block') rotatingReads.push(() => readBlock(sequence, another, after))
    if (sequence.all('backfill').length > 0) rotatingReads.push(() => readBackfills(sequence, home, after))
  }
  // A change is permanent: every third time is enough.
  const readNumber = sequence.rotation++
  if (readNumber % 3 === 0) await rotatingReads[(readNumber / 3) % rotatingReads.length]?.()
}

/** Reads a pipeline with its blocks; in rotation with its triggers, which must not change the rest. */
export async function readPipeline(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  after?: After,
  seen?: Exchange,
): Promise<ReceivedRecord | undefined> {
  const query = seen ? '' : sequence.nextOf('readPipeline', ['', '', '?include_schedules=1'])
  const both = await sequence.sendToBoth({
    method: 'GET',
    path: (side) => `/api/pipelines/${segment(pipeline, side)}${query}`,
    seen,
  })
  const { exchange, predicted } = both
  const record = recordIn(exchange, 'pipeline')
  const expected = predicted.body.pipeline as ReceivedRecord | undefined
  const rule = pipeline.isUnread ? 'create-pipeline/read-back' : blame('readPipeline', pipeline, after)
  const isNew = pipeline.isUnread === true && !pipeline.isTouched
  pipeline.isUnread = false
  if (record === undefined || expected === undefined) {
    noteMissing(sequence, rule, both)
    return undefined
  }
  if (isNew) sequence.noteSamples({ extensions: ['pipeline-extensions/empty', {}] }, record, exchange)
  const differences = compareRecords('readPipeline', pipeline, expected, record, sequence)
  sequence.noteDifferences(rule, pipeline, differences, exchange)
  const [predictedBlocks, received] = [carriedBlocks(expected), carriedBlocks(record)]
  if (predictedBlocks !== undefined && received !== undefined)
    compareMembers(sequence, exchange, 'readPipeline', after, {
      kind: 'block',
      trackedRecords: sequence.all('block', pipeline),
      predicted: predictedBlocks,
      received,
      key: 'uuid',
      mayLack: mayBeListedElsewhere,
    })
  return record
}

/** Reports whether the blocks of a pipeline may lack one of this type: its list is the target's choice (`callback-lists`). */
export const mayBeListedElsewhere = ({ type }: ReceivedRecord): boolean =>
  ['callback', 'conditional', 'chart', 'extension'].includes(String(type))

/** Reads one block. */
export async function readBlock(sequence: SequenceRun, block: TrackedRecord, after?: After): Promise<void> {
  const both = await sequence.sendToBoth({
    method: 'GET',
    path: (side) => `/api/pipelines/${segment(block.home!, side)}/blocks/${segment(block, side)}`,
  })
  const { exchange } = both
  const rule = blame('readBlock', block, after)
  const record = recordIn(exchange, 'block')
  const expected = both.predicted.body.block as ReceivedRecord | undefined
  if (record === undefined || expected === undefined) {
    // Targets store these separately, so that one may fail while the others do not.
    const of = mayBeListedElsewhere(block.written) ? ` for a block of type ${String(block.written.type)}` : ''
    return noteMissing(sequence, rule, both, `a success${of}`)
  }
  const differences = compareRecords('readBlock', block, expected, record, sequence)
  sequence.noteDifferences(rule, block, differences, exchange)
  const isNew = after?.by === 'createBlock' && after.touched === block && after.refused === undefined
  if (isNew && !mayBeListedElsewhere(block.written)) sequence.noteSamples(newBlock, record, exchange)
}

/** Values of a new block that only samples show. */
const newBlock = {
  status: ['block-new/status', 'not_executed'],
  executor_type: ['block-new/executor-type', 'local_python'],
} as const

/** Query parameters that must not shorten a list of backfills. */
export const wholeQueries = [
  '',
  '&include_run_count=true',
  '&_limit=60',
  '&_offset=0',
  '&_offset=0&_limit=60',
]

/**
 * Reads all backfills of a pipeline, in rotation with parameters that do not shorten the list. Returns the ids in the
 * order of the target.
 */
export async function readBackfills(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  after?: After,
): Promise<string[] | undefined> {
  const query = sequence.nextOf('listBackfills', wholeQueries)
  const both = await sequence.sendToBoth({
    method: 'GET',
    path: (side) => `/api/backfills?pipeline_uuid=${segment(pipeline, side)}${query}`,
  })
  const { exchange, predicted } = both
  const expected = listOf(predicted.body.backfills)
  // Without a limit, a target may return a part of the list, and reports that by `next`.
  const path = `/api/backfills?pipeline_uuid=${segment(pipeline, 'target')}`
  const whole = await readWhole(
    async (page) => (page === path ? exchange : sequence.get(page)),
    path,
    'backfills',
  )
  if (whole === undefined) {
    noteMissing(sequence, blame('listBackfills', undefined, after), both)
    return undefined
  }
  const { records: received, last } = whole
  const next = metadataIn(last)?.next
  const isEnd = !whole.isWhole || next === false
  const flaw = unless(isEnd, { next }, { next: false })
  sequence.note('list-backfills/next', last, flaw)
  const trackedRecords = sequence.all('backfill', pipeline)
  noteUpdatedAt(sequence, after, received, exchange)
  compareMembers(sequence, exchange, 'listBackfills', after, {
    kind: 'backfill',
    trackedRecords,
    predicted: expected,
    received,
    key: 'id',
  })
  const order = received.map(({ id }) => String(id))
  sequence.orders.set(pipeline, order)
  return order
}

/** Checks that no update has a time before the creation of another backfill, by the clock of the same list. */
function noteUpdatedAt(
  sequence: SequenceRun,
  after: After | undefined,
  received: readonly ReceivedRecord[],
  exchange: Exchange,
): void {
  if (after?.by !== 'updateBackfill' || after.refused !== undefined) return
  const isTouched = ({ id }: ReceivedRecord) => String(id) === after.touched?.keys.target
  const updated = received.find(isTouched)?.updated_at
  const others = received.filter((record) => !isTouched(record)).map((record) => String(record.created_at))
  const latest = others.toSorted().at(-1)
  if (updated === undefined || latest === undefined) return
  const expected = `${latest}, the creation of another, or later`
  const flaw = unless(String(updated) >= latest, { updated_at: updated }, expected)
  sequence.note('backfill-times/updated-at', exchange, flaw)
}

/** Returns the ids of a pipeline's backfills in the target's order. Reads them again only after a write. */
export async function orderOf(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
): Promise<readonly string[] | undefined> {
  return sequence.orders.get(pipeline) ?? readBackfills(sequence, pipeline)
}

/** A list to compare with the list of the model, member by member. */
interface ComparedList {
  readonly kind: 'block' | 'backfill' | 'schedule'
  readonly trackedRecords: readonly TrackedRecord[]
  readonly predicted: readonly ReceivedRecord[]
  readonly received: readonly ReceivedRecord[]
  readonly key: 'id' | 'uuid'
  readonly mayLack?: (predicted: ReceivedRecord) => boolean
}

/** Compares the records in a list with the model's: each once, and no others. */
export function compareMembers(
  sequence: SequenceRun,
  exchange: Exchange,
  read: OperationId,
  after: After | undefined,
  { kind, trackedRecords, predicted, received, key, mayLack }: ComparedList,
): void {
  const complete = (tracked: TrackedRecord | undefined) =>
    after === undefined
      ? derivedRule(read, read === 'readPipeline' ? 'values' : 'complete')
      : blame(read, tracked, after)
  for (const tracked of trackedRecords) {
    const expected = predicted.find((record) => String(record[key]) === tracked.keys.model)
    const found = received.filter((record) => String(record[key]) === tracked.keys.target)
    if (expected === undefined) continue
    if (found.length === 0 && mayLack?.(expected)) continue
    const [first] = found
    if (first === undefined || found.length > 1) {
      const flaw = { received: { [key]: tracked.keys.target, found: found.length }, expected: { found: 1 } }
      sequence.noteOnce(complete(tracked), exchange, flaw)
      continue
    }
    const differences = compareRecords(read, tracked, expected, first, sequence)
    sequence.noteDifferences(blame(read, tracked, after), tracked, differences, exchange)
    if (after === undefined) sequence.note(complete(tracked), exchange)
  }
  const unexpected = received.filter(
    (record) => !trackedRecords.some(({ keys }) => keys.target === String(record[key])),
  )
  for (const { [key]: id } of unexpected) {
    const gone = sequence.trackedRecords.find(
      (tracked) => tracked.kind === kind && tracked.keys.target === String(id),
    )
    const flaw = { received: { [key]: id }, expected: `no ${kind} of this ${key}` }
    sequence.noteOnce(complete(gone), exchange, flaw)
  }
  if (unexpected.length > 0 || !after?.touched?.isGone) return
  sequence.note(complete(after.touched), exchange)
}

/** Records a missing record. */
function noteMissing(
  sequence: SequenceRun,
  rule: RuleId | undefined,
  { exchange, predicted }: Both,
  expected = 'a success',
): void {
  if (!predicted.isError) sequence.noteOnce(rule, exchange, { received: errorOf(exchange), expected })
}

/** The records of a list of the model. */
export function listOf(value: unknown): ReceivedRecord[] {
  return Array.isArray(value) ? (value as ReceivedRecord[]) : []
}
