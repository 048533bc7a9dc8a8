import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { listOf } from './read-back.ts'
import { givenTo } from './schedule-commands.ts'
import { type SequenceRun, unless } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

/** Lists the pipelines, with and without their triggers: those of the sequence once each, unchanged. */
export async function listPipelines(sequence: SequenceRun): Promise<void> {
  const isPlainFirst = sequence.nextOf('list pipelines', [true, false])
  const first = isPlainFirst ? await sequence.get('/api/pipelines') : undefined
  const withSchedules = await sequence.get('/api/pipelines?include_schedules=1')
  const plain = first ?? (await sequence.get('/api/pipelines'))
  for (const exchange of [plain, withSchedules]) await compareListed(sequence, exchange)
  await compareAll(sequence, plain, { withSchedules, isPlainFirst })
  for (const pipeline of sequence.all('pipeline')) {
    const [before, after] = [plain, withSchedules].map((exchange) =>
      listIn(exchange, 'pipelines')?.find(({ uuid }) => uuid === pipeline.keys.target),
    )
    await noteTriggers(sequence, 'listPipelines', pipeline, before, after, withSchedules)
  }
}

/** Reads a pipeline with and without its triggers. */
export async function readTriggers(sequence: SequenceRun, pipeline: TrackedRecord): Promise<void> {
  const path = `/api/pipelines/${segment(pipeline, 'target')}`
  const [plain, withSchedules] = [await sequence.get(path), await sequence.get(`${path}?include_schedules=1`)]
  const [without, withThem] = [recordIn(plain, 'pipeline'), recordIn(withSchedules, 'pipeline')]
  await noteTriggers(sequence, 'readPipeline', pipeline, without, withThem, withSchedules)
  if (without === undefined) return
  const always = keyOfTriggers(without)
  const flaw = unless(always === undefined, always && { [always]: without[always] }, 'no triggers')
  sequence.note('pipeline-read/schedules-only-when-asked', plain, flaw)
}

/** The key that known servers use for the triggers of a pipeline: the specification shows none. */
const keyOfTriggers = (pipeline: ReceivedRecord) =>
  ['schedules', 'pipeline_schedules', 'triggers'].find((key) => Object.hasOwn(pipeline, key))

/** Compares the triggers in the reply about a pipeline with its schedules. */
async function noteTriggers(
  sequence: SequenceRun,
  operation: 'readPipeline' | 'listPipelines',
  pipeline: TrackedRecord,
  without: ReceivedRecord | undefined,
  withThem: ReceivedRecord | undefined,
  exchange: Exchange,
): Promise<void> {
  // A page of the list may not show it.
  if (without === undefined || withThem === undefined) return
  const added = Object.entries(withThem).filter(([key]) => !Object.hasOwn(without, key))
  const lists = added.flatMap(([, value]) => (Array.isArray(value) ? [value as unknown[]] : []))
  // The specification does not show the key (`schedules-key`). Some servers always return it, but empty.
  const isCarried = lists.length > 0 || keyOfTriggers(without) !== undefined
  const rule = operation === 'readPipeline' ? 'read-pipeline/triggers' : 'list-pipelines/values'
  sequence.note(rule, exchange, unless(isCarried, 'no triggers', 'triggers'))
  if (lists.length === 0) return
  const ids = sequence.all('schedule', pipeline).map(({ keys }) => keys.target)
  const found = lists.map((list) => list.map(idOfTrigger).sort())
  // The specification does not show the elements either: without ids, only their number is known.
  const shows = (own: readonly string[]) =>
    found.some((list) =>
      list.includes(undefined) ? list.length === own.length : equal(list, own.toSorted()),
    )
  const fits = shows(ids) || shows([...ids, ...(await givenTo(sequence, pipeline))])
  sequence.note(rule, exchange, unless(fits, found[0], ids))
}

/** The id of an element of a list of triggers: a schedule, or the id alone. */
function idOfTrigger(item: unknown): string | undefined {
  const id = isObject(item) ? item.id : item
  return typeof id === 'number' ? String(id) : undefined
}

/** The parameter adds attributes to items, and removes no item, not even those of other clients. */
async function compareAll(
  sequence: SequenceRun,
  plain: Exchange,
  first: { readonly withSchedules: Exchange; readonly isPlainFirst: boolean },
): Promise<void> {
  const uuids = (exchange: Exchange) => (listIn(exchange, 'pipelines') ?? []).map(({ uuid }) => uuid)
  const lostIn = (exchange: Exchange) => uuids(plain).filter((uuid) => !uuids(exchange).includes(uuid))
  if (lostIn(first.withSchedules).length === 0) return
  // Other clients may create pipelines between the lists: only pipelines before and after also existed in between.
  const withSchedules = first.isPlainFirst
    ? first.withSchedules
    : await sequence.get('/api/pipelines?include_schedules=1')
  const lost = lostIn(withSchedules)
  if (lost.length === 0 || [plain, withSchedules].some((exchange) => metadataIn(exchange)?.next === true))
    return
  const after = uuids(await sequence.get('/api/pipelines'))
  const missing = lost.filter((uuid) => after.includes(uuid))
  if (missing.length > 0)
    sequence.note('list-pipelines/complete', withSchedules, {
      received: { absent: missing },
      expected: { absent: [] },
    })
}

async function compareListed(sequence: SequenceRun, exchange: Exchange): Promise<void> {
  const received = listIn(exchange, 'pipelines')
  // The specification shows nothing of its items, not even their identity.
  if (received === undefined || (received.length > 0 && received.every(({ uuid }) => uuid === undefined)))
    return
  const trackedPipelines = sequence.all('pipeline')
  const predicted = listOf((await sequence.model.predict('GET', '/api/pipelines')).body.pipelines)
  const isWhole = metadataIn(exchange)?.next !== true
  for (const tracked of trackedPipelines) {
    const found = received.filter(({ uuid }) => uuid === tracked.keys.target)
    const isThere = found.length === 1 || (!isWhole && found.length === 0)
    const flaw = unless(isThere, { [tracked.keys.target]: found.length }, 1)
    sequence.note('list-pipelines/complete', exchange, flaw)
    const expected = predicted.find(({ uuid }) => uuid === tracked.keys.model)
    const [first] = found
    if (first === undefined || expected === undefined) continue
    // Only the identity of the items is certain. Other shown values must be correct (`pipelines-list-shape`).
    const wrong = ['name', 'type'].find(
      (attribute) => attribute in first && !equal(first[attribute], expected[attribute]),
    )
    const differing = wrong && { received: { [wrong]: first[wrong] }, expected: { [wrong]: expected[wrong] } }
    sequence.note('list-pipelines/values', exchange, differing || undefined)
  }
}
