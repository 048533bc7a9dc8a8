import type { Exchange } from '../runner/client.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { compareRecords } from './compare.ts'
import { readAround } from './read-back.ts'
import { takeUpRun } from './schedule-commands.ts'
import { errorOf, isSuccess, type SequenceRun } from './sequence-run.ts'
import { type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'
import { isUnusual } from './write-commands.ts'

const recordPath = (backfill: TrackedRecord, side: Side) =>
  `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`
const deletion = (backfill: TrackedRecord, side: Side) => `/api/backfills/${segment(backfill, side)}`

/** Deletes a backfill twice at once: one of the two finds it. */
export async function deleteTwice(sequence: SequenceRun, backfill: TrackedRecord): Promise<void> {
  const path = deletion(backfill, 'target')
  const replies = await Promise.all([sequence.send('DELETE', path), sequence.send('DELETE', path)])
  const taken = replies.filter(isSuccess).length
  const [first, second] = replies as [Exchange, Exchange]
  const received = `${taken} of 2 deletions`
  if (taken === 0) sequence.note('deleteBackfill', 'accepted', first, { received, expected: 'a deletion' })
  else
    sequence.note(
      'deleteBackfill',
      'refuses',
      second,
      taken === 1 ? undefined : { received, expected: 'one' },
    )
  if (taken > 0) await forget(sequence, backfill)
}

/** Updates a backfill while it is deleted: whichever comes first, it is gone afterwards. */
export async function updateAndDelete(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  values: ReceivedRecord,
): Promise<void> {
  const [updated, deleted] = await Promise.all([
    sequence.send('PUT', recordPath(backfill, 'target'), { body: { backfill: values } }),
    sequence.send('DELETE', deletion(backfill, 'target')),
  ])
  if (!isSuccess(deleted))
    return sequence.note('deleteBackfill', 'accepted', deleted, {
      received: errorOf(deleted),
      expected: 'a success',
    })
  const record = recordIn(updated, 'backfill')
  const isOther = record !== undefined && String(record.id) !== backfill.keys.target
  sequence.note(
    'updateBackfill',
    'values',
    updated,
    isOther ? { received: { id: record.id }, expected: { id: backfill.keys.target } } : undefined,
  )
  await forget(sequence, backfill)
}

async function forget(sequence: SequenceRun, backfill: TrackedRecord): Promise<void> {
  backfill.isGone = true
  await sequence.model.ask('DELETE', deletion(backfill, 'model'))
  await readAround(sequence, { by: 'deleteBackfill', touched: backfill })
}

/** Updates several backfills at once, each in its own way, while their list is read: none is taken for another. */
export async function updateEach(
  sequence: SequenceRun,
  backfills: readonly TrackedRecord[],
  all: readonly ReceivedRecord[],
): Promise<void> {
  const pairs = backfills.map(
    (backfill, index) => [backfill, all[index % all.length] as ReceivedRecord] as const,
  )
  const home = backfills[0]?.home
  if (home === undefined) return
  const list = () => sequence.get(`/api/backfills?pipeline_uuid=${segment(home, 'target')}`)
  const [listed, ...replies] = await Promise.all([
    // Sent after them, while all are at work.
    Promise.resolve().then(list),
    ...pairs.map(([backfill, values]) =>
      sequence.send('PUT', recordPath(backfill, 'target'), { body: { backfill: values } }),
    ),
  ])
  for (const [index, [backfill, values]] of pairs.entries()) {
    const reply = replies[index] as Exchange
    const record = recordIn(reply, 'backfill')
    if (!isSuccess(reply) || record === undefined) {
      if (!isUnusual(values, backfill.written))
        sequence.note('updateBackfill', 'accepted', reply, {
          received: errorOf(reply),
          expected: 'a success',
        })
      continue
    }
    const predicted = await sequence.model.ask('PUT', recordPath(backfill, 'model'), { backfill: values })
    backfill.written = { ...backfill.written, ...values }
    touch(backfill)
    const expected = predicted.body.backfill as ReceivedRecord
    const flaws = compareRecords('updateBackfill', backfill, expected, record, sequence)
    sequence.noteDifferences(['updateBackfill', 'values'], backfill, flaws, reply)
  }
  const found = listIn(listed, 'backfills')
  if (found !== undefined) {
    const ids = found.map(({ id }) => String(id)).sort()
    const wanted = sequence.all('backfill', home).map(({ keys }) => keys.target)
    // Without a limit a target may give a part only, and says so.
    const isPart = metadataIn(listed)?.next === true
    const fits = isPart ? ids.every((id) => wanted.includes(id)) : equal(ids, wanted.toSorted())
    sequence.note('listBackfills', 'complete', listed, fits ? undefined : { received: ids, expected: wanted })
  }
  const [first] = backfills
  if (first) await readAround(sequence, { by: 'updateBackfill', touched: first })
}

/** Triggers schedules at once, each with variables of its own: each gets a run of its own. */
export async function triggerEach(
  sequence: SequenceRun,
  schedules: readonly TrackedRecord[],
  bodies: readonly ReceivedRecord[],
): Promise<void> {
  if (schedules.length === 0) return
  const path = (schedule: TrackedRecord, side: Side) =>
    `/api/pipeline_schedules/${segment(schedule, side)}/pipeline_runs/${encodeURIComponent(schedule.tokens?.[side] ?? '')}`
  const sent = Date.now()
  const asked = bodies.map(
    (body, index) => [schedules[index % schedules.length] as TrackedRecord, body] as const,
  )
  const replies = await Promise.all(
    asked.map(([schedule, body]) => sequence.send('POST', path(schedule, 'target'), { body })),
  )
  const created = { sent, received: Date.now() }
  for (const [index, [schedule, body]] of asked.entries()) {
    const exchange = replies[index] as Exchange
    const predicted = await sequence.model.ask('POST', path(schedule, 'model'), body)
    takeUpRun(sequence, schedule, {
      exchange,
      predicted,
      created,
      agree: true,
      succeeded: isSuccess(exchange),
    })
  }
}

/** Reads with the right credentials while others try with none: neither is taken for the other. */
export async function rightBesideWrong(sequence: SequenceRun, home: TrackedRecord): Promise<void> {
  const { apiKey, token } = sequence.context.client.credentials
  if (apiKey === undefined || !sequence.context.provided.checksKeys) return
  const path = `/api/pipelines/${segment(home, 'target')}`
  const without = {
    credentials: false,
    headers: token === undefined ? {} : { 'OAUTH-TOKEN': token },
  } as const
  const replies = await Promise.all([
    sequence.context.get(path, without),
    sequence.context.get(path),
    sequence.context.get(path, without),
    sequence.context.get(path),
  ])
  for (const [index, reply] of replies.entries()) {
    const isRight = index % 2 === 1
    const received = isSuccess(reply) ? reply.body : errorOf(reply)
    const expected = `${isRight ? 'a success with' : 'an error without'} the key, while the other is sent as well`
    sequence.note(
      'readPipeline',
      'credentials',
      reply,
      isSuccess(reply) === isRight ? undefined : { received, expected },
    )
  }
}
