import { quote, recordInvalid } from '../../shared/errors.ts'
import * as limits from '../../shared/limits.ts'
import type { Timestamp } from '../../shared/timestamps.ts'
import type { RecordModel, RecordOf, ValuesOf } from '../records.ts'

type StoredBlock = RecordOf<'blocks'>
/** A block without a priority and links. */
type NewBlock = ValuesOf<'blocks'> & Pick<StoredBlock, 'uuid' | 'pipeline_uuid'>

/** Refuses a pipeline with too many blocks. */
export function boundBlocks(uuid: string, count: number): void {
  if (count > limits.pipelineBlocks)
    throw recordInvalid(
      `The pipeline ${quote(uuid)} would have ${count} blocks, more than ${limits.pipelineBlocks}.`,
    )
}

/** Inserts a block at its priority (default: last) and links its upstream blocks to it. */
export function placeBlock(model: RecordModel, written: NewBlock): StoredBlock {
  const blocks = model.table('blocks')
  const siblings = blocks.where('pipeline_uuid', written.pipeline_uuid)
  const priority = Math.min(written.priority ?? siblings.length, siblings.length)
  for (const sibling of siblings.slice(priority)) {
    blocks.change(sibling, { priority: sibling.priority + 1 })
  }
  const upstream = knownBlocks(model, written.pipeline_uuid, written.upstream_blocks).map(({ uuid }) => uuid)
  const created = blocks.insert({ ...written, priority, upstream_blocks: upstream })
  link(model, created, [])
  return updateExecutionFlag(model, created)
}

/** Removes a block and the links to it, and moves up the blocks after it. */
export function takeBlock(model: RecordModel, record: StoredBlock): void {
  const blocks = model.table('blocks')
  const { uuid } = record
  if (model.switches['force-effect'] === 'joined') {
    for (const below of knownBlocks(model, record.pipeline_uuid, record.downstream_blocks))
      joinUpstream(model, below, [...record.upstream_blocks, ...below.upstream_blocks])
  }
  blocks.remove(record)
  const without = (uuids: readonly string[]) => uuids.filter((other) => other !== uuid)
  for (const linked of blocks.where('pipeline_uuid', record.pipeline_uuid)) {
    const { upstream_blocks: upstream, downstream_blocks: downstream, priority } = linked
    const isLater = priority > record.priority
    if (!upstream.includes(uuid) && !downstream.includes(uuid) && !isLater) continue
    const changed = blocks.change(linked, {
      upstream_blocks: without(upstream),
      downstream_blocks: without(downstream),
      priority: priority - (isLater ? 1 : 0),
    })
    updateExecutionFlag(model, changed)
  }
}

/** Updates the time of the last change of a pipeline, after a change of one of its blocks. */
export function touchPipeline(model: RecordModel, uuid: string, now: Timestamp): void {
  const record = model.table('pipelines').get(uuid)
  if (record) model.table('pipelines').change(record, { updated_at: now })
}

/**
 * Finds the blocks of a pipeline by their uuids, each once; drops unknown uuids (`unknown-upstream`).
 */
export function knownBlocks(
  model: RecordModel,
  pipelineUuid: string,
  uuids: readonly string[] = [],
): StoredBlock[] {
  return [...new Set(uuids)]
    .map((uuid) => model.table('blocks').get(`${pipelineUuid}/${uuid}`))
    .filter((block) => block !== undefined)
}

/** Replaces the upstream blocks of a block, without missing ones. */
export function joinUpstream(
  model: RecordModel,
  record: StoredBlock,
  requested: readonly string[],
): StoredBlock {
  const upstream = knownBlocks(model, record.pipeline_uuid, requested)
    .map(({ uuid }) => uuid)
    .filter((uuid) => uuid !== record.uuid)
  const joined = model.table('blocks').change(record, { upstream_blocks: upstream })
  link(model, joined, record.upstream_blocks)
  return joined
}

/** Updates the downstream lists of the previous and the new upstream blocks. */
function link(model: RecordModel, record: StoredBlock, before: readonly string[]): void {
  const { uuid, pipeline_uuid: pipelineUuid, upstream_blocks: after } = record
  for (const linked of knownBlocks(model, pipelineUuid, [...before, ...after])) {
    const others = linked.downstream_blocks.filter((other) => other !== uuid)
    const downstream = after.includes(linked.uuid) ? [...others, uuid] : others
    model.table('blocks').change(linked, { downstream_blocks: downstream })
  }
}

/** Moves a block to another priority among its siblings. */
export function moveBlock(model: RecordModel, record: StoredBlock, requested: number): StoredBlock {
  const blocks = model.table('blocks')
  const others = blocks
    .where('pipeline_uuid', record.pipeline_uuid)
    .filter(({ uuid }) => uuid !== record.uuid)
  const priority = Math.min(requested, others.length)
  for (const [index, sibling] of others.toSpliced(priority, 0, record).entries()) {
    if (sibling !== record && sibling.priority !== index) blocks.change(sibling, { priority: index })
  }
  return record.priority === priority ? record : blocks.change(record, { priority })
}

/** Updates the flag for the execution of all upstream blocks. */
export function updateExecutionFlag(model: RecordModel, record: StoredBlock): StoredBlock {
  const blocks = model.table('blocks')
  const executed = record.upstream_blocks.every(
    (uuid) => blocks.get(`${record.pipeline_uuid}/${uuid}`)?.status === 'executed',
  )
  return record.all_upstream_blocks_executed === executed
    ? record
    : blocks.change(record, { all_upstream_blocks_executed: executed })
}
