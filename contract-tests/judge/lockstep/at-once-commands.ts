import { equal, type ReceivedRecord, recordIn } from '../replies.ts'
import { add } from './add-thing.ts'
import { compareRecords } from './compare.ts'
import { lookAround } from './looks.ts'
import { unknownId } from './refused-commands.ts'
import type { Both, Story } from './story.ts'
import { type Side, segment, type Thing, touch } from './things.ts'

/** Sends several writes at once: the outcome must be that of one order of them. */
export async function writeAtOnce(
  story: Story,
  backfill: Thing,
  all: readonly ReceivedRecord[],
): Promise<void> {
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
  touch(backfill)
  await lookAround(story, { by: 'updateBackfill', touched: backfill })
}

/** Creates several backfills at once: each is one, with an id of its own. */
export async function createAtOnce(story: Story, pipeline: Thing, names: readonly string[]): Promise<void> {
  const sent = Date.now()
  // What is refused meanwhile changes nothing of the others.
  const [, ...replies] = await Promise.all([
    story.send('DELETE', `/api/backfills/${unknownId(story)}`),
    ...names.map((name) => story.stage.createBackfill(segment(pipeline, 'target'), { name })),
  ])
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
    const expected = predicted.body.backfill as ReceivedRecord
    story.noteDifferences(
      ['createBackfill', 'values'],
      last,
      compareRecords('createBackfill', last, expected, record, story),
      exchange,
    )
  }
  if (last !== undefined) await lookAround(story, { by: 'createBackfill', touched: last })
}
