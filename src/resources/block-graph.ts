import type { Model } from '../factories/model.ts'
import type { Timestamp } from '../wire/timestamps.ts'
import type { WireRecord } from './define-resource.ts'

/** Inserts a block at its priority (last where none is given) and links its upstream blocks to it. */
export function placeBlock(model: Model, written: WireRecord): WireRecord {
  const blocks = model.table('blocks')
  const siblings = blocks.where('pipeline_uuid', written.pipeline_uuid)
  const priority = Math.min(Number(written.priority ?? siblings.length), siblings.length)
  for (const sibling of siblings.slice(priority)) {
    blocks.change(sibling, { priority: Number(sibling.priority) + 1 })
  }
  const upstream = knownBlocks(model, written.pipeline_uuid, written.upstream_blocks as string[] | undefined)
  const created = blocks.insert({ ...written, priority, upstream_blocks: upstream })
  link(model, written.pipeline_uuid, String(written.uuid), [], upstream)
  return settleExecution(model, created)
}

/** Notes that a pipeline changed through one of its blocks. */
export function touchPipeline(model: Model, uuid: string, now: Timestamp): void {
  const record = model.table('pipelines').get(uuid)
  if (record) model.table('pipelines').change(record, { updated_at: now })
}

/** Keeps the uuids that name a block of the pipeline, each once (`unknown-upstream`). */
export function knownBlocks(model: Model, pipelineUuid: unknown, uuids: readonly string[] = []): string[] {
  return [...new Set(uuids)].filter((uuid) => model.table('blocks').get(`${pipelineUuid}/${uuid}`))
}

/** Brings the downstream lists of the blocks that a block left or joined up to date. */
export function link(
  model: Model,
  pipelineUuid: unknown,
  uuid: string,
  before: string[],
  after: string[],
): void {
  const blocks = model.table('blocks')
  for (const upstream of new Set([...before, ...after])) {
    const neighbour = blocks.get(`${pipelineUuid}/${upstream}`)
    if (!neighbour) continue
    const others = (neighbour.downstream_blocks as string[]).filter((other) => other !== uuid)
    blocks.change(neighbour, { downstream_blocks: after.includes(upstream) ? [...others, uuid] : others })
  }
}

/** Puts a block at another priority among its siblings. */
export function moveBlock(model: Model, record: WireRecord, asked: number): WireRecord {
  const blocks = model.table('blocks')
  const others = blocks
    .where('pipeline_uuid', record.pipeline_uuid)
    .filter(({ uuid }) => uuid !== record.uuid)
  const priority = Math.min(asked, others.length)
  const order = others.toSpliced(priority, 0, record)
  for (const [index, sibling] of order.entries()) {
    if (sibling !== record && sibling.priority !== index) blocks.change(sibling, { priority: index })
  }
  return record.priority === priority ? record : blocks.change(record, { priority })
}

/** Works out whether every upstream block has been executed. */
export function settleExecution(model: Model, record: WireRecord): WireRecord {
  const blocks = model.table('blocks')
  const executed = (record.upstream_blocks as string[]).every(
    (uuid) => blocks.get(`${record.pipeline_uuid}/${uuid}`)?.status === 'executed',
  )
  return record.all_upstream_blocks_executed === executed
    ? record
    : blocks.change(record, { all_upstream_blocks_executed: executed })
}
