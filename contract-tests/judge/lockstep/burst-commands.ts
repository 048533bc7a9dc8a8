import type { Exchange } from '../client.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn } from '../replies.ts'
import { compareRecords } from './compare.ts'
import { lookAround } from './looks.ts'
import { takeUpRun } from './schedule-commands.ts'
import { errorOf, isSuccess, type Story } from './story.ts'
import { type Side, segment, type Thing, touch } from './things.ts'

const recordPath = (backfill: Thing, side: Side) =>
  `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`
const deletion = (backfill: Thing, side: Side) => `/api/backfills/${segment(backfill, side)}`

/** Deletes a backfill twice at once: one of the two finds it. */
export async function deleteTwice(story: Story, backfill: Thing): Promise<void> {
  const path = deletion(backfill, 'target')
  const replies = await Promise.all([story.send('DELETE', path), story.send('DELETE', path)])
  const taken = replies.filter(isSuccess).length
  const [first, second] = replies as [Exchange, Exchange]
  const received = `${taken} of 2 deletions`
  if (taken === 0) story.note('deleteBackfill', 'accepted', first, { received, expected: 'a deletion' })
  else
    story.note('deleteBackfill', 'refuses', second, taken === 1 ? undefined : { received, expected: 'one' })
  if (taken > 0) await forget(story, backfill)
}

/** Updates a backfill while it is deleted: whichever comes first, it is gone afterwards. */
export async function updateAndDelete(story: Story, backfill: Thing, values: ReceivedRecord): Promise<void> {
  const [updated, deleted] = await Promise.all([
    story.send('PUT', recordPath(backfill, 'target'), { body: { backfill: values } }),
    story.send('DELETE', deletion(backfill, 'target')),
  ])
  if (!isSuccess(deleted))
    return story.note('deleteBackfill', 'accepted', deleted, {
      received: errorOf(deleted),
      expected: 'a success',
    })
  const record = recordIn(updated, 'backfill')
  const isOther = record !== undefined && String(record.id) !== backfill.keys.target
  story.note(
    'updateBackfill',
    'values',
    updated,
    isOther ? { received: { id: record.id }, expected: { id: backfill.keys.target } } : undefined,
  )
  await forget(story, backfill)
}

async function forget(story: Story, backfill: Thing): Promise<void> {
  story.stage.ledger.deleted(deletion(backfill, 'target'))
  backfill.isGone = true
  await story.model.ask('DELETE', deletion(backfill, 'model'))
  await lookAround(story, { by: 'deleteBackfill', touched: backfill })
}

/** Updates several backfills at once, each in its own way, while their list is read: none is taken for another. */
export async function updateEach(
  story: Story,
  backfills: readonly Thing[],
  all: readonly ReceivedRecord[],
): Promise<void> {
  const pairs = backfills.map(
    (backfill, index) => [backfill, all[index % all.length] as ReceivedRecord] as const,
  )
  const home = backfills[0]?.home
  if (home === undefined) return
  const list = () => story.get(`/api/backfills?pipeline_uuid=${segment(home, 'target')}`)
  const [listed, ...replies] = await Promise.all([
    // Sent after them, while all are at work.
    Promise.resolve().then(list),
    ...pairs.map(([backfill, values]) =>
      story.send('PUT', recordPath(backfill, 'target'), { body: { backfill: values } }),
    ),
  ])
  for (const [index, [backfill, values]] of pairs.entries()) {
    const reply = replies[index] as Exchange
    const record = recordIn(reply, 'backfill')
    if (!isSuccess(reply) || record === undefined) {
      story.note('updateBackfill', 'accepted', reply, { received: errorOf(reply), expected: 'a success' })
      continue
    }
    const predicted = await story.model.ask('PUT', recordPath(backfill, 'model'), { backfill: values })
    backfill.written = { ...backfill.written, ...values }
    touch(backfill)
    const expected = predicted.body.backfill as ReceivedRecord
    const flaws = compareRecords('updateBackfill', backfill, expected, record, story)
    story.noteDifferences(['updateBackfill', 'values'], backfill, flaws, reply)
  }
  const found = listIn(listed, 'backfills')
  if (found !== undefined) {
    const ids = found.map(({ id }) => String(id)).sort()
    const wanted = story.all('backfill', home).map(({ keys }) => keys.target)
    // Without a limit a target may give a part only, and says so.
    const isPart = metadataIn(listed)?.next === true
    const fits = isPart ? ids.every((id) => wanted.includes(id)) : equal(ids, wanted.toSorted())
    story.note('listBackfills', 'complete', listed, fits ? undefined : { received: ids, expected: wanted })
  }
  const [first] = backfills
  if (first) await lookAround(story, { by: 'updateBackfill', touched: first })
}

/** Triggers schedules at once, each with variables of its own: each gets a run of its own. */
export async function triggerEach(
  story: Story,
  schedules: readonly Thing[],
  bodies: readonly ReceivedRecord[],
): Promise<void> {
  if (schedules.length === 0) return
  const path = (schedule: Thing, side: Side) =>
    `/api/pipeline_schedules/${segment(schedule, side)}/pipeline_runs/${encodeURIComponent(schedule.tokens?.[side] ?? '')}`
  const sent = Date.now()
  const asked = bodies.map((body, index) => [schedules[index % schedules.length] as Thing, body] as const)
  const replies = await Promise.all(
    asked.map(([schedule, body]) => story.send('POST', path(schedule, 'target'), { body })),
  )
  const born = { sent, received: Date.now() }
  for (const [index, [schedule, body]] of asked.entries()) {
    const exchange = replies[index] as Exchange
    const predicted = await story.model.ask('POST', path(schedule, 'model'), body)
    takeUpRun(story, schedule, { exchange, predicted, born, agree: true, succeeded: isSuccess(exchange) })
  }
}

/** Reads with the right credentials while others try with none: neither is taken for the other. */
export async function rightBesideWrong(story: Story, home: Thing): Promise<void> {
  const { apiKey, token } = story.stage.client.credentials
  if (apiKey === undefined || !story.stage.provided.checksKeys) return
  const path = `/api/pipelines/${segment(home, 'target')}`
  const without = {
    credentials: false,
    headers: token === undefined ? {} : { 'OAUTH-TOKEN': token },
  } as const
  const replies = await Promise.all([
    story.stage.get(path, without),
    story.stage.get(path),
    story.stage.get(path, without),
    story.stage.get(path),
  ])
  for (const [index, reply] of replies.entries()) {
    const isRight = index % 2 === 1
    const received = isSuccess(reply) ? reply.body : errorOf(reply)
    const expected = `${isRight ? 'a success with' : 'an error without'} the key, while the other is sent as well`
    story.note(
      'readPipeline',
      'credentials',
      reply,
      isSuccess(reply) === isRight ? undefined : { received, expected },
    )
  }
}
