import { equal, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { add } from './add-tracked-record.ts'
import { compareRecords } from './compare.ts'
import { readAround } from './read-back.ts'
import { unknownId } from './refused-commands.ts'
import type { Both, SequenceRun } from './sequence-run.ts'
import { type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'

/** Sends several writes at once: the outcome must be that of one order of them. */
export async function writeAtOnce(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  all: readonly ReceivedRecord[],
): Promise<void> {
  const path = (side: Side) =>
    `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`
  const replies = await Promise.all(
    all.map((values) => sequence.context.put(path('target'), { backfill: values })),
  )
  for (const [index, values] of all.entries()) {
    const reply = replies[index]!
    if (reply.error !== undefined) continue
    await sequence.model.ask('PUT', path('model'), { backfill: values })
    backfill.written = { ...backfill.written, ...values }
    const record = recordIn(reply, 'backfill')
    const wrong = Object.entries(values).find(
      ([attribute, value]) => record && !equal(record[attribute], value) && typeof value !== 'string',
    )
    sequence.note(
      'updateBackfill',
      'values',
      reply,
      wrong && { received: { [wrong[0]]: record?.[wrong[0]] }, expected: { [wrong[0]]: wrong[1] } },
    )
  }
  touch(backfill)
  await readAround(sequence, { by: 'updateBackfill', touched: backfill })
}

/** Creates several backfills at once: each is one, with an id of its own. */
export async function createAtOnce(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  names: readonly string[],
): Promise<void> {
  const sent = Date.now()
  // What is refused meanwhile changes nothing of the others.
  const [, ...replies] = await Promise.all([
    sequence.send('DELETE', `/api/backfills/${unknownId(sequence)}`),
    ...names.map((name) =>
      sequence.context.post(`/api/pipelines/${segment(pipeline, 'target')}/backfills`, {
        backfill: { name },
      }),
    ),
  ])
  const created = { sent, received: Date.now() }
  let last: TrackedRecord | undefined
  for (const [index, name] of names.entries()) {
    const exchange = replies[index]!
    const record = recordIn(exchange, 'backfill')
    if (record === undefined) continue
    const predicted = await sequence.model.ask(
      'POST',
      `/api/pipelines/${segment(pipeline, 'model')}/backfills`,
      {
        backfill: { name },
      },
    )
    const both: Both = { exchange, predicted, created, agree: true, succeeded: true }
    last = add(sequence, both, {
      kind: 'backfill',
      home: pipeline,
      target: record.id,
      model: 'id',
      written: { name },
    })
    const expected = predicted.body.backfill as ReceivedRecord
    sequence.noteDifferences(
      ['createBackfill', 'values'],
      last,
      compareRecords('createBackfill', last, expected, record, sequence),
      exchange,
    )
  }
  if (last !== undefined) await readAround(sequence, { by: 'createBackfill', touched: last })
}
