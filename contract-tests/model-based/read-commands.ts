// Commands of sequences that read lists and records of backfills, and compare them with the model.
import { equal, listIn, metadataIn } from '../runner/replies.ts'
import { readDeleted } from './block-commands.ts'
import { nearFilters } from './boundary-values.ts'
import { comparePage, pageThrough } from './pages.ts'
import { compareMembers, listOf, orderOf, readBackfills, readBlock, readPipeline } from './read-back.ts'
import { type SequenceRun, unless } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

const backfills = { plural: 'backfills', key: 'id' } as const

/** A page of backfills: by numbers, or relative to the end of the list. */
export interface BackfillPage {
  /** Number of items, or the number beyond those after the offset. */
  readonly limit?: number | { readonly ofRest: number } | undefined
  /** Number of items to skip, or the number that remain. */
  readonly offset?: number | { readonly left: number } | undefined
  readonly withCount?: boolean | undefined
}

/** Lists a part of a pipeline's backfills, and compares it with the whole list, read just before. */
export async function listPage(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  page: BackfillPage,
): Promise<void> {
  const order = await orderOf(sequence, pipeline)
  if (order === undefined) return
  const { withCount } = page
  const offset = typeof page.offset === 'object' ? Math.max(0, order.length - page.offset.left) : page.offset
  const rest = order.length - (offset ?? 0)
  const limit = typeof page.limit === 'object' ? Math.max(1, rest + page.limit.ofRest) : page.limit
  const parameters = [
    ...(limit === undefined ? [] : [`_limit=${limit}`]),
    ...(offset === undefined ? [] : [`_offset=${offset}`]),
    ...(withCount ? ['include_run_count=true'] : []),
    // `false` means the same as no parameter.
    ...(withCount === false ? sequence.nextOf('no run count', [[], ['include_run_count=false']]) : []),
  ]
  const both = await sequence.sendToBoth({
    method: 'GET',
    path: (side) => `/api/backfills?${[`pipeline_uuid=${segment(pipeline, side)}`, ...parameters].join('&')}`,
  })
  const { exchange } = both
  const flaws = comparePage(exchange, backfills, order, { limit, offset }, sequence.pageSizes)
  if (flaws.paging) {
    // A list in the order of the latest changes changes while a backfill runs.
    const now = await readBackfills(sequence, pipeline)
    if (now === undefined || !equal(now, order)) return
  }
  const shown = listIn(exchange, 'backfills')
  if (shown !== undefined || flaws.paging) sequence.note('list-backfills/paging', exchange, flaws.paging)
  if (shown === undefined) return
  if (limit !== 0 && !flaws.paging) sequence.note('list-backfills/next', exchange, flaws.next)
  const ids = shown.map(({ id }) => String(id))
  if (withCount && shown.length > 0) {
    const counts = shown.map(({ total_run_count: count }) => count)
    const flaw = unless(counts.every(Number.isInteger), counts, 'integers')
    sequence.note('list-backfills/run-count', exchange, flaw)
  }
  const trackedRecords = sequence.all('backfill', pipeline).filter(({ keys }) => ids.includes(keys.target))
  compareMembers(sequence, exchange, 'listBackfills', undefined, {
    kind: 'backfill',
    trackedRecords,
    // The lines above compare the selection of the page.
    predicted: listOf(
      (await sequence.model.predict('GET', `/api/backfills?pipeline_uuid=${segment(pipeline, 'model')}`)).body
        .backfills,
    ),
    received: shown,
    key: 'id',
  })
}

/** Lists all backfills: those of the sequence once each, and no deleted ones. */
export async function listEverything(sequence: SequenceRun): Promise<void> {
  const exchange = await sequence.get('/api/backfills')
  const received = listIn(exchange, 'backfills')
  // It may be long, and other clients change it: only a whole list must contain all of ours.
  if (received === undefined) return
  const isWhole = metadataIn(exchange)?.next === false
  const predicted = listOf((await sequence.model.predict('GET', '/api/backfills')).body.backfills)
  const trackedBackfills = sequence.all('backfill')
  const shown = trackedBackfills.filter(({ keys }) => received.some(({ id }) => String(id) === keys.target))
  compareMembers(sequence, exchange, 'listBackfills', undefined, {
    kind: 'backfill',
    trackedRecords: isWhole ? trackedBackfills : shown,
    predicted,
    received: received.filter(({ id }) =>
      sequence.trackedRecords.some(
        (tracked) => tracked.kind === 'backfill' && tracked.keys.target === String(id),
      ),
    ),
    key: 'id',
  })
}

/** Reads the list of all backfills in pages. */
export async function pageBackfills(sequence: SequenceRun): Promise<void> {
  await pageThrough(sequence, { ...backfills, operation: 'listBackfills', path: '/api/backfills' })
}

/** Lists backfills by a text similar to the uuid of a pipeline: those of the pipeline itself must not be among them. */
export async function filterBySimilarUuid(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { near, query }: { readonly near: number; readonly query: string },
): Promise<void> {
  const uuid = nearFilters[near % nearFilters.length]?.(pipeline.keys.target) ?? ''
  if (uuid === pipeline.keys.target || uuid === '') return
  const exchange = await sequence.get(`/api/backfills?pipeline_uuid=${encodeURIComponent(uuid)}${query}`)
  const received = listIn(exchange, 'backfills') ?? []
  const unexpected = received.find((record) => record.pipeline_uuid !== uuid)
  const flaw = unless(!unexpected, { pipeline_uuid: unexpected?.pipeline_uuid }, { pipeline_uuid: uuid })
  sequence.note('list-backfills/filter', exchange, flaw)
}

/** Reads the list of backfills below their pipeline, which the conventions describe: it is the list of that pipeline alone. */
export async function readNestedList(sequence: SequenceRun, pipeline: TrackedRecord): Promise<void> {
  const { verdicts, provided } = sequence.context
  const missing = (text: string) => verdicts.notReached(['conventions/nested-list'], text, 'need')
  if (!provided.useConventions) return missing('Only the conventions describe it; pass --use-conventions.')
  const exchange = await sequence.context.get(`/api/pipelines/${segment(pipeline, 'target')}/backfills`)
  const received = listIn(exchange, 'backfills')
  if (received === undefined) return missing('The target has no list of backfills below a pipeline.')
  const unexpected = received.find(({ pipeline_uuid: uuid }) => uuid !== pipeline.keys.target)
  const flaw = unless(
    !unexpected,
    { pipeline_uuid: unexpected?.pipeline_uuid },
    { pipeline_uuid: pipeline.keys.target },
  )
  sequence.note('conventions/nested-list', exchange, flaw)
}

/** Reads every pipeline, block and backfill again, without writes in between. */
export async function readAll(sequence: SequenceRun): Promise<void> {
  for (const pipeline of sequence.all('pipeline')) {
    await readPipeline(sequence, pipeline)
    if (sequence.all('backfill', pipeline).length > 0) await readBackfills(sequence, pipeline)
  }
  for (const block of sequence.all('block')) await readBlock(sequence, block)
  for (const block of sequence.trackedRecords.filter(({ kind, isGone }) => kind === 'block' && isGone))
    await readDeleted(sequence, block)
}
