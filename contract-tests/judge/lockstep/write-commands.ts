import type { OperationId } from '../../rules/index.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import { equal, type Received, recordIn } from '../replies.ts'
import { carriedBlocks, compareRecords } from './compare.ts'
import { lookAround, readPipeline } from './looks.ts'
import type { Kind } from './relation.ts'
import { type Asked, type Both, errorOf, Lost, type Story } from './story.ts'
import { type Side, segment, type Thing } from './things.ts'

/** Sends a write that both should take; undefined where one does not, which is a finding, or the target's choice. */
async function write(
  story: Story,
  operation: OperationId,
  asked: Asked,
  mayRefuse = false,
): Promise<Both | undefined> {
  const both = await story.ask(asked)
  if (both.predicted.isError) {
    // A request that the model refuses is none that a command sends here, unless its own rules are narrower.
    if (both.succeeded) throw new Lost()
    return undefined
  }
  if (both.succeeded) {
    story.note(operation, 'accepted', both.exchange)
    return both
  }
  if (!mayRefuse)
    story.note(operation, 'accepted', both.exchange, {
      received: errorOf(both.exchange),
      expected: 'a success',
    })
  return undefined
}

/** Creates a pipeline. */
export async function createPipeline(
  story: Story,
  word: string,
  type: string,
  mayRefuse = false,
): Promise<void> {
  const name = `${story.prefix}-${word}`
  const values = { name, type }
  const both = await write(
    story,
    'createPipeline',
    {
      method: 'POST',
      path: () => '/api/pipelines',
      body: () => ({ pipeline: values }),
      send: () => story.stage.createPipeline(values),
    },
    mayRefuse,
  )
  const record = both && recordIn(both.exchange, 'pipeline')
  if (both === undefined || typeof record?.uuid !== 'string') return
  const thing = add(story, both, { kind: 'pipeline', target: record.uuid, model: 'uuid', written: values })
  const flaws = compareRecords('pipeline', thing, both.predicted.body.pipeline as Received, record, story)
  const uuid = flawOfUuid(record.uuid, name, '-')
  if (uuid !== undefined) flaws.push({ attribute: 'uuid', expected: uuid, received: record.uuid })
  if (carriedBlocks(record).length > 0)
    flaws.push({ attribute: 'blocks', expected: [], received: record.blocks })
  story.noteDifferences(['createPipeline', 'values'], thing, flaws, both.exchange)
  await lookAround(story, { by: 'createPipeline', touched: thing })
}

/** What a uuid should be; undefined where it is so, or where the document says no more. */
function flawOfUuid(uuid: string, name: string, replaced: '-' | ' '): string | undefined {
  // What becomes of capitals and of other characters is not said (`pipeline-uuid-rule`).
  const isPlain = new RegExp(`^[a-z0-9_${replaced}]*$`).test(name)
  if (isPlain) return uuid === name.replaceAll(replaced, '_') ? undefined : name.replaceAll(replaced, '_')
  return uuid.includes(replaced) ? `a uuid without "${replaced}"` : undefined
}

/** Creates a backfill. */
export async function createBackfill(
  story: Story,
  pipeline: Thing,
  name: string,
  mayRefuse = false,
): Promise<void> {
  const values = { name }
  const both = await write(
    story,
    'createBackfill',
    {
      method: 'POST',
      path: (side) => `/api/pipelines/${segment(pipeline, side)}/backfills`,
      body: () => ({ backfill: values }),
      send: () => story.stage.createBackfill(segment(pipeline, 'target'), values),
    },
    mayRefuse,
  )
  const record = both && recordIn(both.exchange, 'backfill')
  if (both === undefined || record === undefined) return
  const thing = add(story, both, {
    kind: 'backfill',
    home: pipeline,
    target: record.id,
    model: 'id',
    written: values,
  })
  await compareReply(story, 'createBackfill', thing, both)
}

/** Changes a backfill. */
export async function updateBackfill(
  story: Story,
  backfill: Thing,
  values: Received,
  mayRefuse = false,
  options?: Asked['options'],
): Promise<void> {
  const both = await write(
    story,
    'updateBackfill',
    {
      method: 'PUT',
      path: (side) => `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`,
      body: () => ({ backfill: values }),
      ...(options && { options }),
    },
    mayRefuse,
  )
  if (both === undefined)
    return lookAround(story, { by: 'updateBackfill', touched: backfill, refused: 'refused-unchanged' })
  backfill.written = { ...backfill.written, ...values }
  backfill.isTouched = true
  await compareReply(story, 'updateBackfill', backfill, both)
}

/** Deletes a backfill. */
export async function deleteBackfill(story: Story, backfill: Thing): Promise<void> {
  const path = (side: Side) => `/api/backfills/${segment(backfill, side)}`
  const both = await write(story, 'deleteBackfill', { method: 'DELETE', path })
  if (both === undefined) return
  story.stage.ledger.deleted(path('target'))
  backfill.isGone = true
  await compareReply(story, 'deleteBackfill', backfill, both)
  const again = await story.ask({ method: 'DELETE', path })
  noteRefusal(story, 'deleteBackfill', again)
}

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
  const expected = recordIn({ body: both.predicted.body } as Exchange, 'block')
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
  pipeline.isTouched = true
  const flaws = compareRecords('block', thing, expected ?? {}, record, story)
  const uuid = flawOfUuid(found, block.name, ' ')
  if (uuid !== undefined)
    story.noteOnce(['createBlock', 'read-back'], both.exchange, { uuid: found }, { uuid })
  story.noteDifferences(['createBlock', 'values'], thing, flaws, both.exchange)
  await lookAround(story, { by: 'createBlock', touched: thing }, seen)
}

/** The uuid under which the target shows a block of a name. */
async function findBlock(story: Story, pipeline: Thing, name: string): Promise<{ uuid: string | undefined; seen: Exchange }> {
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
  const path = (side: Side) =>
    `/api/pipelines/${segment(block.home!, side)}/blocks/${segment(block, side)}${query}`
  const both = await story.ask({ method: 'DELETE', path })
  if (both.predicted.isError) {
    noteRefusal(story, 'deleteBlock', both)
    return lookAround(story, { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' })
  }
  if (!both.succeeded) {
    story.note('deleteBlock', 'accepted', both.exchange, {
      received: errorOf(both.exchange),
      expected: 'a success',
    })
    return lookAround(story, { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' })
  }
  story.note('deleteBlock', 'accepted', both.exchange)
  story.stage.ledger.deleted(`${path('target').split('?')[0]}?force=True`)
  block.isGone = true
  await compareReply(story, 'deleteBlock', block, both)
  const gone = await story.ask({ method: 'GET', path: (side) => path(side).split('?')[0] ?? '' })
  noteRefusal(story, 'readBlock', gone)
}

/** Notes whether what the model refuses was refused; a story cannot go on where it was not. */
export function noteRefusal(
  story: Story,
  operation: OperationId,
  { exchange, predicted, succeeded }: Both,
): void {
  if (!predicted.isError) return
  if (!succeeded) return story.note(operation, 'refuses', exchange)
  story.note(operation, 'refuses', exchange, { received: exchange.body, expected: 'an error' })
  throw new Lost()
}

/** Compares the reply of a write, and reads everything that can show it. */
async function compareReply(story: Story, operation: OperationId, thing: Thing, both: Both): Promise<void> {
  const record = recordIn(both.exchange, thing.kind)
  const expected = both.predicted.body[thing.kind]
  if (record !== undefined && isObject(expected)) {
    const flaws = compareRecords(thing.kind, thing, expected, record, story)
    story.noteDifferences([operation, 'values'], thing, flaws, both.exchange)
  }
  await lookAround(story, { by: operation, touched: thing })
}

interface Born {
  readonly kind: Kind
  readonly home?: Thing
  readonly schedule?: Thing
  readonly target: unknown
  /** The attribute that identifies it in the model's reply, or its key itself. */
  readonly model?: 'id' | 'uuid'
  readonly modelKey?: string
  readonly written: Received
  readonly tokens?: Thing['tokens']
}

/** Takes a record up that both have made. */
export function add(story: Story, { predicted, born }: Both, made: Born): Thing {
  const { kind, home, schedule, target, model, modelKey, written, tokens } = made
  const wrapped = predicted.body[kind === 'schedule' ? 'pipeline_schedule' : kind]
  const own = modelKey ?? (isObject(wrapped) && model ? String(wrapped[model]) : '')
  const thing: Thing = {
    kind,
    keys: { model: own, target: String(target) },
    home,
    schedule,
    born,
    written,
    ...(tokens && { tokens }),
    isGone: false,
    isTouched: false,
    chosen: new Map(),
  }
  const twin = story.things.find(
    (other) =>
      other.kind === kind &&
      other.keys.target === thing.keys.target &&
      (kind !== 'block' || other.home === home) &&
      !other.isGone,
  )
  if (twin !== undefined) {
    const operation =
      kind === 'backfill' ? 'createBackfill' : kind === 'block' ? 'createBlock' : 'createPipeline'
    const [exchange] = story.stage.client.exchanges.slice(-1)
    if (exchange)
      story.note(operation, 'values', exchange, {
        received: { [model ?? 'uuid']: target },
        expected: 'another than that of the record before',
      })
    throw new Lost()
  }
  story.things.push(thing)
  return thing
}

/** Sends what is refused, and holds the target to having changed nothing. */
export async function sendRefused(
  story: Story,
  pipeline: Thing,
  what: 'block' | 'pipeline',
  values: Received,
): Promise<void> {
  const reply =
    what === 'block'
      ? await story.stage.createBlock(segment(pipeline, 'target'), values)
      : await story.stage.createPipeline(values)
  // Whether it must be refused is a hand-written rule's matter; taken, it cannot be followed.
  if (reply.error === undefined) throw new Lost()
  await readPipeline(story, pipeline, {
    by: what === 'block' ? 'createBlock' : 'createPipeline',
    touched: pipeline,
    refused: 'refused-unchanged',
  })
}

/** Sends several writes at once: the outcome must be that of one order of them. */
export async function writeAtOnce(story: Story, backfill: Thing, all: readonly Received[]): Promise<void> {
  const path = (side: Side) =>
    `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`
  const replies = await Promise.all(
    all.map((values) => story.stage.put(path('target'), { backfill: values })),
  )
  for (const [index, values] of all.entries()) {
    const reply = replies[index]!
    if (reply.error !== undefined) continue
    await story.model.ask('PUT', path('model'), { backfill: values })
    backfill.written = { ...backfill.written, ...values }
    const record = recordIn(reply, 'backfill')
    const wrong = Object.entries(values).find(
      ([attribute, value]) => record && !equal(record[attribute], value) && typeof value !== 'string',
    )
    story.note(
      'updateBackfill',
      'values',
      reply,
      wrong && { received: { [wrong[0]]: record?.[wrong[0]] }, expected: { [wrong[0]]: wrong[1] } },
    )
  }
  backfill.isTouched = true
  await lookAround(story, { by: 'updateBackfill', touched: backfill })
}

/** Creates several backfills at once: each is one, with an id of its own. */
export async function createAtOnce(story: Story, pipeline: Thing, names: readonly string[]): Promise<void> {
  const sent = Date.now()
  const replies = await Promise.all(
    names.map((name) => story.stage.createBackfill(segment(pipeline, 'target'), { name })),
  )
  const born = { sent, received: Date.now() }
  let last: Thing | undefined
  for (const [index, name] of names.entries()) {
    const exchange = replies[index]!
    const record = recordIn(exchange, 'backfill')
    if (record === undefined) continue
    const predicted = await story.model.ask(
      'POST',
      `/api/pipelines/${segment(pipeline, 'model')}/backfills`,
      {
        backfill: { name },
      },
    )
    const both: Both = { exchange, predicted, born, agree: true, succeeded: true }
    last = add(story, both, {
      kind: 'backfill',
      home: pipeline,
      target: record.id,
      model: 'id',
      written: { name },
    })
    const expected = predicted.body.backfill as Received
    story.noteDifferences(
      ['createBackfill', 'values'],
      last,
      compareRecords('backfill', last, expected, record, story),
      exchange,
    )
  }
  if (last !== undefined) await lookAround(story, { by: 'createBackfill', touched: last })
}
