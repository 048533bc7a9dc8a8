import type { Aspect } from '../../rules/derived.ts'
import type { OperationId } from '../../rules/index.ts'
import type { Exchange } from '../client.ts'
import { metadataIn, type ReceivedRecord, recordIn } from '../replies.ts'
import { readWhole } from '../whole-list.ts'
import { carriedBlocks, compareRecords } from './compare.ts'
import { type Both, errorOf, type Story } from './story.ts'
import { segment, type Thing } from './things.ts'

/** A write that has just been made, and the record it was made to. */
export interface After {
  readonly by: OperationId
  readonly touched: Thing | undefined
  /** Where it was refused: which aspect it is that nothing has changed. */
  readonly refused?: 'refused-unchanged' | 'credentials'
}

/** Which rule a difference of a record belongs to: the read's own, or that of the write before it. */
function blame(
  read: OperationId,
  thing: Thing | undefined,
  after: After | undefined,
): readonly [OperationId, Aspect] {
  if (after === undefined) return [read, 'values']
  if (after.refused !== undefined) return [after.by, after.refused]
  return [after.by, thing === after.touched ? 'read-back' : 'unchanged-neighbours']
}

/**
 * Reads what shows a record that was written, and by turns what must not have changed: a record of the same kind, the
 * pipeline next door, what else is in its own. `seen` is the pipeline as it has been read since.
 */
export async function lookAround(story: Story, after: After, seen?: Exchange): Promise<void> {
  const { touched } = after
  const home = touched?.kind === 'pipeline' ? touched : touched?.home
  if (touched === undefined || home === undefined) return
  const other = story.all('pipeline').find((pipeline) => pipeline !== home)
  const neighbour = story.neighbour(touched)
  const turns: (() => Promise<unknown>)[] = []
  if (touched.kind === 'backfill') {
    await readBackfills(story, home, after)
    if (other) turns.push(() => readBackfills(story, other, after))
    turns.push(() => readPipeline(story, home, after))
    if (!touched.isGone) turns.push(() => readDetail(story, touched, after))
  } else {
    await readPipeline(story, home, after, seen)
    if (touched.kind === 'block' && !touched.isGone) await readBlock(story, touched, after)
    const twin = touched.kind === 'block' ? story.twinOf(touched) : undefined
    if (twin && touched.isGone) await readBlock(story, twin, after)
    if (other) turns.push(() => readPipeline(story, other, after))
    if (neighbour && touched.kind === 'block') turns.push(() => readBlock(story, neighbour, after))
    if (story.all('backfill').length > 0) turns.push(() => readBackfills(story, home, after))
  }
  // What has changed stays so: every second time is soon enough.
  const turn = story.turn++
  if (turn % 2 === 0) await turns[(turn / 2) % turns.length]?.()
}

/** Reads a pipeline with its blocks; by turns with its triggers, which change nothing of the rest. */
export async function readPipeline(
  story: Story,
  pipeline: Thing,
  after?: After,
  seen?: Exchange,
): Promise<ReceivedRecord | undefined> {
  const query = seen ? '' : story.takeTurn('readPipeline', ['', '', '?include_schedules=1'])
  const both = await story.ask({
    method: 'GET',
    path: (side) => `/api/pipelines/${segment(pipeline, side)}${query}`,
    ...(seen && { send: async () => seen }),
  })
  const { exchange, predicted } = both
  const record = recordIn(exchange, 'pipeline')
  const expected = predicted.body.pipeline as ReceivedRecord | undefined
  const rule = pipeline.isUnread
    ? (['createPipeline', 'read-back'] as const)
    : blame('readPipeline', pipeline, after)
  pipeline.isUnread = false
  if (record === undefined || expected === undefined) {
    noteMissing(story, rule, both)
    return undefined
  }
  story.noteDifferences(
    rule,
    pipeline,
    compareRecords('readPipeline', pipeline, expected, record, story),
    exchange,
  )
  compareMembers(story, exchange, 'readPipeline', after, {
    kind: 'block',
    things: story.all('block', pipeline),
    predicted: carriedBlocks(expected),
    received: carriedBlocks(record),
    key: 'uuid',
    // Callbacks, conditionals, charts and extensions stand where the target likes (`callback-lists`).
    mayLack: ({ type }) => ['callback', 'conditional', 'chart', 'extension'].includes(String(type)),
  })
  return record
}

/** Reads one block. */
export async function readBlock(story: Story, block: Thing, after?: After): Promise<void> {
  const both = await story.ask({
    method: 'GET',
    path: (side) => `/api/pipelines/${segment(block.home!, side)}/blocks/${segment(block, side)}`,
  })
  const rule = blame('readBlock', block, after)
  const record = recordIn(both.exchange, 'block')
  const expected = both.predicted.body.block as ReceivedRecord | undefined
  if (record === undefined || expected === undefined) return noteMissing(story, rule, both)
  story.noteDifferences(
    rule,
    block,
    compareRecords('readBlock', block, expected, record, story),
    both.exchange,
  )
}

/** What a list of backfills may be asked for besides, where it is to be whole all the same. */
export const wholeQueries = [
  '',
  '&include_run_count=true',
  '&_limit=60',
  '&_offset=0',
  '&_offset=0&_limit=60',
]

/**
 * Reads the backfills of a pipeline, all of them, by turns with parameters that leave the list whole; the ids in the
 * order that the target gives them.
 */
async function readBackfills(story: Story, pipeline: Thing, after?: After): Promise<string[] | undefined> {
  const query = story.takeTurn('listBackfills', wholeQueries)
  const both = await story.ask({
    method: 'GET',
    path: (side) => `/api/backfills?pipeline_uuid=${segment(pipeline, side)}${query}`,
  })
  const { exchange, predicted } = both
  const expected = listOf(predicted.body.backfills)
  // The target may not give a list whole where nobody says how many, and says so by `next`.
  const path = `/api/backfills?pipeline_uuid=${segment(pipeline, 'target')}`
  const whole = await readWhole(
    async (asked) => (asked === path ? exchange : story.get(asked)),
    path,
    'backfills',
  )
  if (whole === undefined) {
    noteMissing(story, blame('listBackfills', undefined, after), both)
    return undefined
  }
  const { records: received, last } = whole
  const next = metadataIn(last)?.next
  story.note(
    'listBackfills',
    'next',
    last,
    whole.isWhole && next !== false ? { received: { next }, expected: { next: false } } : undefined,
  )
  compareMembers(story, exchange, 'listBackfills', after, {
    kind: 'backfill',
    things: story.all('backfill', pipeline),
    predicted: expected,
    received,
    key: 'id',
  })
  const order = received.map(({ id }) => String(id))
  story.orders.set(pipeline, { order, writes: story.writes })
  return order
}

/** The ids of a pipeline's backfills in the target's order, read again only where something was written since. */
export async function orderOf(story: Story, pipeline: Thing): Promise<readonly string[] | undefined> {
  const known = story.orders.get(pipeline)
  return known?.writes === story.writes ? known.order : readBackfills(story, pipeline)
}

/** Reads a backfill by the path of the conventions; a target that has none there answers an error. */
async function readDetail(story: Story, backfill: Thing, after: After): Promise<void> {
  const both = await story.ask({
    method: 'GET',
    path: (side) => `/api/backfills/${segment(backfill, side)}`,
  })
  const record = recordIn(both.exchange, 'backfill')
  if (record === undefined || String(record.id) !== backfill.keys.target) return
  const expected = both.predicted.body.backfill as ReceivedRecord
  const flaws = compareRecords('readBackfill', backfill, expected, record, story)
  story.noteDifferences(blame('readBackfill', backfill, after), backfill, flaws, both.exchange)
}

/** What is compared of a list: its members by what identifies them, and each with the model's. */
interface ComparedList {
  readonly kind: 'block' | 'backfill' | 'schedule'
  readonly things: readonly Thing[]
  readonly predicted: readonly ReceivedRecord[]
  readonly received: readonly ReceivedRecord[]
  readonly key: 'id' | 'uuid'
  readonly mayLack?: (predicted: ReceivedRecord) => boolean
}

/** Holds the records that a reply lists against those that the model lists: each once, no others, as they are. */
export function compareMembers(
  story: Story,
  exchange: Exchange,
  read: OperationId,
  after: After | undefined,
  { kind, things, predicted, received, key, mayLack }: ComparedList,
): void {
  const complete = (thing: Thing | undefined): readonly [OperationId, Aspect] =>
    after === undefined ? [read, read === 'readPipeline' ? 'values' : 'complete'] : blame(read, thing, after)
  for (const thing of things) {
    const expected = predicted.find((record) => String(record[key]) === thing.keys.model)
    const found = received.filter((record) => String(record[key]) === thing.keys.target)
    if (expected === undefined) continue
    if (found.length === 0 && mayLack?.(expected)) continue
    if (found.length !== 1) {
      story.noteOnce(
        complete(thing),
        exchange,
        { [key]: thing.keys.target, found: found.length },
        { found: 1 },
      )
      continue
    }
    const differences = compareRecords(read, thing, expected, found[0]!, story)
    story.noteDifferences(blame(read, thing, after), thing, differences, exchange)
    if (after === undefined) story.note(...complete(thing), exchange)
  }
  const strange = received.filter((record) => !things.some(({ keys }) => keys.target === String(record[key])))
  for (const { [key]: id } of strange) {
    const gone = story.things.find((thing) => thing.kind === kind && thing.keys.target === String(id))
    story.noteOnce(complete(gone), exchange, { [key]: id }, `no ${kind} of this ${key}`)
  }
  if (strange.length === 0 && after?.touched?.isGone) story.note(...complete(after.touched), exchange)
}

function noteMissing(
  story: Story,
  [operation, aspect]: readonly [OperationId, Aspect],
  { exchange, predicted }: Both,
): void {
  if (predicted.isError) return
  story.noteOnce([operation, aspect], exchange, errorOf(exchange), 'a success')
}

/** The records of a list of the model. */
export function listOf(value: unknown): ReceivedRecord[] {
  return Array.isArray(value) ? (value as ReceivedRecord[]) : []
}
