import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import { type Received, recordIn } from '../replies.ts'
import { add } from './add-thing.ts'
import { carriedBlocks, compareRecords } from './compare.ts'
import { lookAround } from './looks.ts'
import { errorOf, Lost, type Story } from './story.ts'
import { isAside, type Side, segment, type Thing, touch } from './things.ts'
import { compareReply, flawOfUuid, noteRefusal, write } from './write-commands.ts'

/** What a block is created with, its upstream blocks by number. */
export interface NewBlock {
  readonly name: string
  readonly type: string
  readonly values: Received
  readonly upstream: readonly number[]
  readonly mayRefuse?: boolean
}

/** Creates a block, and finds out its uuid: the reply does not carry it. */
export async function createBlock(story: Story, pipeline: Thing, block: NewBlock): Promise<void> {
  const siblings = story.all('block', pipeline)
  const upstream = [...new Set(block.upstream.map((number) => siblings[number % siblings.length]))].filter(
    (thing) => thing !== undefined,
  )
  const written = { name: block.name, type: block.type, ...block.values }
  const body = (side: Side) => ({
    block: {
      ...written,
      ...(upstream.length > 0 && { upstream_blocks: upstream.map(({ keys }) => keys[side]) }),
    },
  })
  const both = await write(
    story,
    'createBlock',
    { method: 'POST', path: (side) => `/api/pipelines/${segment(pipeline, side)}/blocks`, body },
    block.mayRefuse,
  )
  if (both === undefined) return
  const record = recordIn(both.exchange, 'block')
  const { uuid: found, seen } = await findBlock(story, pipeline, block.name)
  const expected = both.predicted.body.block
  const modelUuid = await story.model.uuidOfNewest(pipeline.keys.model)
  if (record === undefined || modelUuid === undefined) return
  if (found === undefined) {
    story.stage.ledger.created(
      'block',
      `/api/pipelines/${segment(pipeline, 'target')}/blocks/${encodeURIComponent(modelUuid)}?force=True`,
    )
    story.noteOnce(
      ['createBlock', 'read-back'],
      both.exchange,
      { [block.name]: 'not among the blocks of its pipeline' },
      block.name,
    )
    throw new Lost()
  }
  const thing = add(story, both, {
    kind: 'block',
    home: pipeline,
    target: found,
    modelKey: modelUuid,
    written,
  })
  story.stage.ledger.created(
    'block',
    `/api/pipelines/${segment(pipeline, 'target')}/blocks/${segment(thing, 'target')}?force=True`,
  )
  for (const written of [pipeline, ...upstream]) touch(written)
  const flaws = compareRecords('createBlock', thing, isObject(expected) ? expected : {}, record, story)
  const uuid = flawOfUuid(found, block.name, ' ')
  if (uuid !== undefined)
    story.noteOnce(['createBlock', 'read-back'], both.exchange, { uuid: found }, { uuid })
  story.noteDifferences(['createBlock', 'values'], thing, flaws, both.exchange)
  await lookAround(story, { by: 'createBlock', touched: thing }, seen)
}

const recordOf = (value: unknown): Received => (isObject(value) ? value : {})

/** The uuid under which the target shows a block of a name. */
async function findBlock(
  story: Story,
  pipeline: Thing,
  name: string,
): Promise<{ uuid: string | undefined; seen: Exchange }> {
  const seen = await story.stage.get(`/api/pipelines/${segment(pipeline, 'target')}`)
  const known = story.all('block', pipeline).map(({ keys }) => keys.target)
  const carried = carriedBlocks(recordIn(seen, 'pipeline')).filter(
    ({ uuid }) => !known.includes(String(uuid)),
  )
  const found = carried.find((each) => each.name === name) ?? (carried.length === 1 ? carried[0] : undefined)
  if (typeof found?.uuid === 'string') return { uuid: found.uuid, seen }
  // It may stand in no list of the pipeline (`callback-lists`): then by the stated part of its uuid.
  const guess = name.replaceAll(' ', '_').toLowerCase()
  const alone = await story.stage.get(
    `/api/pipelines/${segment(pipeline, 'target')}/blocks/${encodeURIComponent(guess)}`,
  )
  const uuid = recordIn(alone, 'block')?.uuid
  return { uuid: typeof uuid === 'string' && !known.includes(uuid) ? uuid : undefined, seen }
}

/** Deletes a block; one that others depend on is refused without force. */
export async function deleteBlock(story: Story, block: Thing, query: string): Promise<void> {
  const plain = (side: Side) => `/api/pipelines/${segment(block.home!, side)}/blocks/${segment(block, side)}`
  const path = (side: Side) => `${plain(side)}${query}`
  const known = recordOf((await story.model.ask('GET', plain('model'))).body.block)
  const linkedBy = (list: unknown) =>
    story.all('block', block.home).filter(({ keys }) => [list].flat().includes(keys.model))
  const dependants = linkedBy(known.downstream_blocks)
  // What depends on what is the target's own once a block was forced out, and of blocks that stand beside the graph.
  const isOpen =
    story.isRelinked(block.home) || (dependants.length > 0 && (isAside(block) || dependants.every(isAside)))
  const both = await story.ask({ method: 'DELETE', path })
  const refused = { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' } as const
  if (isOpen && !both.agree) {
    if (both.succeeded) story.stage.ledger.deleted(`${plain('target')}?force=True`)
    throw new Lost()
  }
  if (both.predicted.isError) {
    noteRefusal(story, 'deleteBlock', both)
    return lookAround(story, refused)
  }
  if (!both.succeeded) {
    story.note('deleteBlock', 'accepted', both.exchange, {
      received: errorOf(both.exchange),
      expected: 'a success',
    })
    return lookAround(story, refused)
  }
  story.note('deleteBlock', 'accepted', both.exchange)
  story.stage.ledger.deleted(`${plain('target')}?force=True`)
  // What it was linked with, and its pipeline, are written too.
  for (const written of [block.home!, ...linkedBy(known.upstream_blocks), ...dependants]) touch(written)
  if (dependants.length > 0) story.relinked.add(block.home!)
  block.isGone = true
  await compareReply(story, 'deleteBlock', block, both)
  const gone = await story.ask({ method: 'GET', path: plain })
  noteRefusal(story, 'readBlock', gone)
}
