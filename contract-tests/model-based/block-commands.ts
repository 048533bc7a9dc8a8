// Commands of sequences that create, read and delete blocks, and check the replies.
import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { equal, type ReceivedRecord, recordIn, recordOf } from '../runner/replies.ts'
import { add } from './add-tracked-record.ts'
import { carriedBlocks } from './compare.ts'
import { type After, mayBeListedElsewhere } from './read-back.ts'
import { unknownId } from './refused-commands.ts'
import {
  type Both,
  isSuccess,
  ModelDiverged,
  type SequenceRun,
  unless,
  unlessSuccess,
} from './sequence-run.ts'
import { isOutsideGraph, type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'
import { compareReply, isAccepted, noteRefusal, type Write } from './write.ts'
import { flawOfUuid } from './write-commands.ts'

/** Values of a new block; with numbers for its upstream blocks and further pipelines. */
export interface BlockCreation {
  readonly name: string
  readonly type: string
  readonly values: ReceivedRecord
  readonly upstream: readonly number[]
  readonly also?: readonly number[]
  /** True for the name of a deleted block. */
  readonly isAgain?: boolean
  /** True if a target may refuse it for its size or name. */
  readonly isOdd?: boolean
  /** True if its name has digits only. */
  readonly isNumeric?: boolean
}

/**
 * Creates a block, and finds its uuid, which the reply does not contain. Undefined if its pipeline has a block with
 * this name: the result is not specified (`duplicate-name`).
 */
export function createBlock(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { isAgain, isNumeric, ...given }: BlockCreation,
): Write | undefined {
  // A block may be in several pipelines, so a target may identify all blocks by name: this one is unique to the sequence.
  const name = isNumeric ? String(unknownId(sequence)) : `${given.name} ${sequence.prefix}`
  const values = withinPipeline(given.values, sequence.all('block', pipeline).length)
  const block = { ...given, name, values }
  // `pipelines`: "the block is a member of". There may be one block for a name and type in two pipelines.
  const isTaken = sequence.trackedRecords.some(
    ({ kind, home, written, isGone }) =>
      kind === 'block' &&
      !(isAgain && isGone) &&
      written.name === block.name &&
      (home === pipeline || written.type === block.type),
  )
  if (isTaken) return undefined
  const also = othersOf(sequence, pipeline, block)
  // A target may make uuids unique across pipelines, and refuse a name that another block has.
  const isElsewhere =
    sequence.takenNames.has(block.name) ||
    sequence.all('block').some(({ written }) => written.name === block.name)
  const request = requestOf(sequence, pipeline, block, also)
  return {
    request,
    async finish(both) {
      if (!isAccepted(sequence, 'createBlock', request, both, block.isOdd || isElsewhere)) return []
      const seen = await readHome(sequence, pipeline)
      const tracked = await takeUp(sequence, pipeline, block, both, seen)
      if (tracked === undefined) return []
      // A block may be listed after those that it depends on.
      if (block.upstream.length === 0) await comparePlace(sequence, tracked, both.exchange, seen)
      // The specification leaves open whether the links also exist in the other pipelines.
      if (block.upstream.length > 0) for (const other of also) sequence.relinked.add(other)
      const copies = also.map((other) => trackCopy(sequence, other, tracked, both))
      return [
        { by: 'createBlock', touched: tracked, seen },
        ...copies.map((copy): After => ({ by: 'createBlock', touched: copy })),
      ]
    },
  }
}

/** Omits a priority beyond the end of a pipeline, whose effect is not specified. */
function withinPipeline({ priority, ...others }: ReceivedRecord, length: number): ReceivedRecord {
  return typeof priority === 'number' && priority <= length ? { priority, ...others } : others
}

const homePath = (pipeline: TrackedRecord, side: Side) => `/api/pipelines/${segment(pipeline, side)}`

/** Reads a pipeline; again only after a write. */
async function readHome(sequence: SequenceRun, pipeline: TrackedRecord): Promise<Exchange> {
  const home = sequence.homes.get(pipeline) ?? (await sequence.get(homePath(pipeline, 'target')))
  sequence.homes.set(pipeline, home)
  return home
}

/** Returns the other pipelines of a new block: those without a block of its name. */
function othersOf(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, also = [] }: BlockCreation,
): TrackedRecord[] {
  const others = sequence.all('pipeline').filter((other) => other !== pipeline)
  const isFree = (other: TrackedRecord) =>
    sequence.all('block', other).every(({ written }) => written.name !== name)
  return [...new Set(also.map((number) => others[number % others.length]))]
    .filter((other) => other !== undefined)
    .filter(isFree)
}

/** Returns the upstream blocks of a new block. */
function upstreamOf(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  numbers: readonly number[],
): TrackedRecord[] {
  const siblings = sequence.all('block', pipeline)
  return [...new Set(numbers.map((number) => siblings.at(number % siblings.length)))].filter(
    (tracked) => tracked !== undefined,
  )
}

function requestOf(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, type, values, upstream: numbers }: BlockCreation,
  also: readonly TrackedRecord[],
) {
  const upstream = upstreamOf(sequence, pipeline, numbers)
  const body = (side: Side) => ({
    block: {
      name,
      type,
      ...values,
      ...(upstream.length > 0 && { upstream_blocks: upstream.map(({ keys }) => keys[side]) }),
      ...(also.length > 0 && { pipelines: [pipeline, ...also].map(({ keys }) => keys[side]) }),
    },
  })
  return { method: 'POST', path: (side: Side) => `${homePath(pipeline, side)}/blocks`, body }
}

/** Tracks a new block, and compares it. */
async function takeUp(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, type, values }: BlockCreation,
  both: Both,
  seen: Exchange,
): Promise<TrackedRecord | undefined> {
  const record = recordIn(both.exchange, 'block')
  const found = await findBlock(sequence, pipeline, { name, returned: record?.uuid, seen })
  const expected = both.predicted.body.block
  const modelUuid = sequence.model.uuidOfBlock(pipeline.keys.model, name)
  if (record === undefined || modelUuid === undefined) return undefined
  const carried = carriedBlocks(recordIn(seen, 'pipeline'))
  if (found === undefined) {
    const flaw = { received: 'the blocks without it', expected: 'the new block among them' }
    if (carried !== undefined) sequence.noteOnce('create-block/read-back', both.exchange, flaw)
    throw new ModelDiverged()
  }
  const written = { name, type, ...values }
  const tracked = add(sequence, both, {
    kind: 'block',
    home: pipeline,
    target: found,
    modelKey: modelUuid,
    written,
  })
  const { upstream_blocks: above } = recordOf(expected)
  const linked = sequence.all('block', pipeline).filter(({ keys }) => [above].flat().includes(keys.model))
  for (const written of [pipeline, ...linked]) touch(written)
  const isSafe = !/[/\\]|^\.+$/.test(found)
  sequence.note('block-uuid/safe', both.exchange, unless(isSafe, { uuid: found }, 'a uuid without slashes'))
  // A path cannot name it.
  if (!isSafe) throw new ModelDiverged()
  const uuid = flawOfUuid(found, name, ' ')
  if (uuid !== undefined)
    sequence.noteOnce('create-block/read-back', both.exchange, {
      received: { uuid: found },
      expected: { uuid },
    })
  compareReply(sequence, 'createBlock', tracked, both)
  noteNewlines(sequence, tracked, record, both.exchange)
  if (carried !== undefined && !mayBeListedElsewhere(written)) {
    const uuids = carried.map((block) => block.uuid)
    sequence.note('create-block/read-back', seen, unless(uuids.includes(found), uuids, found))
  }
  return tracked
}

/** "Newlines written as `/n`": the reply shows them unchanged. */
function noteNewlines(
  sequence: SequenceRun,
  { written: { content } }: TrackedRecord,
  record: ReceivedRecord,
  exchange: Exchange,
): void {
  if (typeof content !== 'string' || !content.includes('/n') || content.includes('\n')) return
  const isAsSent = String(record.content).includes('/n')
  const flaw = unless(isAsSent, { content: record.content }, { content })
  sequence.note('block-create/newlines', exchange, flaw)
}

/** Compares the position of a block with its priority: "0-indexed position of the block in the pipeline". */
async function comparePlace(
  sequence: SequenceRun,
  tracked: TrackedRecord,
  exchange: Exchange,
  seen: Exchange,
): Promise<void> {
  const { priority } = tracked.written
  const blocks = recordIn(seen, 'pipeline')?.blocks
  const siblings = sequence.all('block', tracked.home)
  // With blocks in other lists (`callback-lists`) the meaning of the position is not specified.
  if (typeof priority !== 'number' || !Array.isArray(blocks) || blocks.length !== siblings.length) return
  const shown = blocks.map((each) => (isObject(each) ? String(each.uuid) : ''))
  const model = await sequence.model.predict('GET', homePath(tracked.home!, 'model'))
  const expected = carriedBlocks(recordOf(model.body.pipeline))?.map(({ uuid }) =>
    String(sequence.uuidOf(tracked.home, uuid)),
  )
  const own = tracked.keys.target
  const others = (uuids: readonly string[]) => uuids.filter((uuid) => uuid !== own)
  // The order of blocks in a pipeline is not specified: the place is compared only if the others are in order, and all of
  // them in no other order.
  if (shown.length < 3 || !equal(others(shown), others(expected ?? [])) || isOrdered(shown, siblings)) return
  const place = shown.indexOf(own)
  const flaw = unless(place === priority, { place }, { place: priority })
  sequence.note('create-block/read-back', exchange, flaw)
}

/** Returns whether blocks are in the order of an attribute. */
function isOrdered(uuids: readonly string[], blocks: readonly TrackedRecord[]): boolean {
  const shown = uuids.map((uuid) => blocks.find(({ keys }) => keys.target === uuid))
  return ['name', 'type'].some((attribute) => {
    const values = shown.map((each) => String(each?.written[attribute]))
    return equal(values, values.toSorted()) || equal(values, values.toSorted().reverse())
  })
}

/** Tracks a block also in another pipeline of its creation. */
function trackCopy(
  sequence: SequenceRun,
  other: TrackedRecord,
  block: TrackedRecord,
  both: Both,
): TrackedRecord {
  const copy = add(sequence, both, {
    kind: 'block',
    home: other,
    target: block.keys.target,
    modelKey: block.keys.model,
    written: block.written,
  })
  for (const [attribute, value] of block.chosen) copy.chosen.set(attribute, value)
  touch(other)
  return copy
}

/**
 * "Force-deletes a block": the specification does not define whether that deletes its dependents, so the model follows the
 * target.
 */
async function deleteMissing(sequence: SequenceRun, dependents: readonly TrackedRecord[]): Promise<void> {
  for (const dependent of dependents) {
    const path = (side: Side) => `${homePath(dependent.home!, side)}/blocks/${segment(dependent, side)}`
    if (dependent.isGone || isSuccess(await sequence.get(path('target')))) continue
    const { downstream_blocks: below } = recordOf(
      (await sequence.model.predict('GET', path('model'))).body.block,
    )
    await sequence.model.predict('DELETE', `${path('model')}?force=True`)
    dependent.isGone = true
    touch(dependent)
    const siblings = sequence.all('block', dependent.home)
    await deleteMissing(
      sequence,
      siblings.filter(({ keys }) => [below].flat().includes(keys.model)),
    )
  }
}

/** Returns the uuid of a block with a name on the target. `returned` is the uuid in the reply to its creation. */
async function findBlock(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, returned, seen }: { name: string; returned: unknown; seen: Exchange },
): Promise<string | undefined> {
  const known = sequence.all('block', pipeline).map(({ keys }) => keys.target)
  const carried = (carriedBlocks(recordIn(seen, 'pipeline')) ?? []).filter(
    ({ uuid }) => !known.includes(String(uuid)),
  )
  const found = carried.find((each) => each.name === name) ?? (carried.length === 1 ? carried[0] : undefined)
  if (typeof found?.uuid === 'string') return found.uuid
  // A pipeline may contain only the uuids of its blocks.
  for (const { uuid } of carried.filter((each) => !('name' in each))) {
    const path = `/api/pipelines/${segment(pipeline, 'target')}/blocks/${encodeURIComponent(String(uuid))}`
    if (recordIn(await sequence.get(path), 'block')?.name === name) return String(uuid)
  }
  // It may be missing in all lists of the pipeline (`callback-lists`). Then the specified part of its uuid identifies it.
  const guess = typeof returned === 'string' ? returned : name.replaceAll(' ', '_').toLowerCase()
  const alone = await sequence.get(
    `/api/pipelines/${segment(pipeline, 'target')}/blocks/${encodeURIComponent(guess)}`,
  )
  const uuid = recordIn(alone, 'block')?.uuid
  return typeof uuid === 'string' && !known.includes(uuid) ? uuid : undefined
}

/**
 * Deletes a block; `{type}` in the query is its own type. Without force, the target must refuse to delete a block that
 * others depend on.
 */
export async function deleteBlock(
  sequence: SequenceRun,
  block: TrackedRecord,
  { query: given }: { readonly query: string },
): Promise<Write> {
  const query = given.replace('{type}', String(block.written.type))
  const plain = (side: Side) => `/api/pipelines/${segment(block.home!, side)}/blocks/${segment(block, side)}`
  const known = recordOf((await sequence.model.predict('GET', plain('model'))).body.block)
  const linkedBy = (list: unknown) =>
    sequence.all('block', block.home).filter(({ keys }) => [list].flat().includes(keys.model))
  const dependants = linkedBy(known.downstream_blocks)
  // The links after a forced deletion are the choice of the target, and so are those of blocks beside the graph. The target
  // refuses a deletion with dependants "when force is absent": the specification omits values other than True.
  // True deletes the block in any case.
  const isForceOpen = query.includes('force=')
  // "A block type value; the sample passes it": with another type a target may find no such block.
  const isOfOtherType = query.includes('block_type=') && !query.includes(`block_type=${block.written.type}`)
  const isOpen =
    isOfOtherType ||
    (!query.includes('force=True') &&
      (sequence.isRelinked(block.home) ||
        (dependants.length > 0 &&
          (isForceOpen || isOutsideGraph(block) || dependants.every(isOutsideGraph)))))
  const refused: After = { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' }
  return {
    request: { method: 'DELETE', path: (side: Side) => `${plain(side)}${query}` },
    touched: block,
    async finish(both) {
      if (isOpen && !both.agree) throw new ModelDiverged()
      if (both.predicted.isError) {
        const rule = dependants.length > 0 ? 'block-delete/refused' : undefined
        noteRefusal(sequence, 'deleteBlock', both, rule)
        return [refused]
      }
      const flaw = unlessSuccess(both.exchange)
      sequence.note('delete-block/accepted', both.exchange, flaw)
      if (flaw !== undefined) return [refused]
      // The deletion also changes the linked blocks and the pipeline.
      for (const written of [block.home!, ...linkedBy(known.upstream_blocks), ...dependants]) touch(written)
      if (dependants.length > 0) sequence.relinked.add(block.home!)
      block.isGone = true
      await deleteMissing(sequence, dependants)
      compareReply(sequence, 'deleteBlock', block, both)
      return [{ by: 'deleteBlock', touched: block }]
    },
    async afterwards() {
      if (block.isGone && sequence.nextOf('read deleted block', [true, false]))
        await readDeleted(sequence, block)
    },
  }
}

/** Checks that the target shows no deleted block, unless there is another one of its name. */
export async function readDeleted(sequence: SequenceRun, block: TrackedRecord): Promise<void> {
  const path = (side: Side) => `${homePath(block.home!, side)}/blocks/${segment(block, side)}`
  const gone = await sequence.sendToBoth({ method: 'GET', path })
  noteRefusal(sequence, 'readBlock', gone, 'delete-block/read-back')
}
