import type { Exchange } from '../client.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn } from '../replies.ts'
import { add } from './add-thing.ts'
import { compareRecords } from './compare.ts'
import type { TriggerPath } from './corner-values.ts'
import { compareMembers, listOf } from './looks.ts'
import { type Both, errorOf, Lost, type Story, type StoryRequest } from './story.ts'
import { type Side, segment, type Thing, touch } from './things.ts'
import { noteRefusal } from './write-commands.ts'

/** Makes a schedule by the conventions, where they may be used and the target follows them; else the story is over. */
export async function createSchedule(story: Story, pipeline: Thing, tags: readonly string[]): Promise<void> {
  if (!story.stage.provided.useConventions) throw new Lost()
  await givenTo(story, pipeline)
  const values = { name: story.stage.name('schedule'), schedule_type: 'api' }
  const path = (side: Side) => `/api/pipelines/${segment(pipeline, side)}/pipeline_schedules`
  const both = await story.ask({ method: 'POST', path, body: () => ({ pipeline_schedule: values }) })
  const record = recordIn(both.exchange, 'pipeline_schedule')
  if (!both.agree || record === undefined) throw new Lost()
  const predicted = both.predicted.body.pipeline_schedule as ReceivedRecord
  story.stage.ledger.created('schedule', `/api/pipeline_schedules/${record.id}`, {
    home: String(pipeline.keys.target),
    name: values.name,
  })
  const listed = await story.get(path('target'))
  const shown = listIn(listed, 'pipeline_schedules')
  const own = shown?.find(({ id }) => id === record.id)
  if (own === undefined) {
    if (shown?.every(({ name }) => name !== values.name))
      story.noteOnce(['listPipelineSchedules', 'complete'], listed, shown, { name: values.name })
    // The reply may have shown the schedule of somebody else, which must not be touched.
    throw new Lost()
  }
  // A policy may not let the name be written: what cannot be written cannot be held.
  if (record.name !== values.name) throw new Lost()
  const token = own.token ?? record.token
  const thing = add(story, both, {
    kind: 'schedule',
    home: pipeline,
    target: record.id,
    model: 'id',
    written: values,
    tokens: { model: String(predicted.token), target: String(token) },
  })
  if (tags.length === 0) return
  // Tags come in a second step: there are servers that take them only so.
  const detail = (side: Side) => `/api/pipeline_schedules/${segment(thing, side)}`
  const tagged = await story.ask({
    method: 'PUT',
    path: detail,
    body: () => ({ pipeline_schedule: { tags } }),
  })
  // Nor the tags: only those that the reply shows as they were sent are looked for.
  const taken = recordIn(tagged.exchange, 'pipeline_schedule')?.tags
  if (!tagged.agree || !Array.isArray(taken) || !equal(taken.toSorted(), tags.toSorted())) throw new Lost()
  touch(thing)
}

/**
 * The schedules that the target itself has given a pipeline: how they come to be is not said, so that it may have some
 * before one is made. Those of another pipeline, as their records say or as we know, are none of its own.
 */
export async function givenTo(
  story: Story,
  pipeline: Thing,
  listed?: readonly ReceivedRecord[],
): Promise<ReadonlySet<string>> {
  const known = story.givenSchedules.get(pipeline)
  if (known !== undefined) return known
  const path = `/api/pipelines/${segment(pipeline, 'target')}/pipeline_schedules`
  const records = listed ?? listIn(await story.get(path), 'pipeline_schedules') ?? []
  const ours = story.all('schedule').map(({ keys }) => keys.target)
  const given = new Set(
    records
      .filter(({ pipeline_uuid: uuid }) => uuid === pipeline.keys.target)
      .map(({ id }) => String(id))
      .filter((id) => !ours.includes(id)),
  )
  story.givenSchedules.set(pipeline, given)
  return given
}

/** Lists the schedules of a pipeline, all or by tags. */
export async function listSchedules(story: Story, pipeline: Thing, tags: readonly string[]): Promise<void> {
  const query = tags.map((tag) => `tag[]=${encodeURIComponent(tag)}`).join('&')
  const both = await story.ask({
    method: 'GET',
    path: (side) => `/api/pipelines/${segment(pipeline, side)}/pipeline_schedules${query && `?${query}`}`,
  })
  const { exchange, predicted } = both
  const listed = listIn(exchange, 'pipeline_schedules')
  if (listed === undefined) {
    return story.note('listPipelineSchedules', 'values', exchange, {
      received: errorOf(exchange),
      expected: 'a list',
    })
  }
  const given = await givenTo(story, pipeline, tags.length === 0 ? listed : undefined)
  const received = listed.filter(({ id }) => !given.has(String(id)))
  const expected = listOf(predicted.body.pipeline_schedules)
  const things = story.all('schedule', pipeline)
  const ids = received.map(({ id }) => String(id)).sort()
  const wanted = things.filter(({ keys }) => expected.some(({ id }) => String(id) === keys.model))
  if (tags.length > 0) {
    const fits = equal(ids, wanted.map(({ keys }) => keys.target).sort())
    story.note(
      'listPipelineSchedules',
      'filter',
      exchange,
      fits ? undefined : { received: ids, expected: wanted.map(({ keys }) => keys.target) },
    )
    if (!fits) return
  }
  compareMembers(story, exchange, 'listPipelineSchedules', undefined, {
    kind: 'schedule', things: wanted, predicted: expected, received, key: 'id',
  }) // biome-ignore format: one line
  // Its schedules are ours alone: the list is whole, so nothing follows.
  const next = metadataIn(exchange)?.next
  if (ids.length === wanted.length)
    story.note(
      'listPipelineSchedules',
      'next',
      exchange,
      next === false ? undefined : { received: { next }, expected: { next: false } },
    )
}

/** Triggers a schedule with free-form variables. */
export async function trigger(story: Story, schedule: Thing, body: ReceivedRecord): Promise<void> {
  const before = await runCounts(story, schedule.home!)
  const asked: StoryRequest = {
    method: 'POST',
    path: (side) =>
      `/api/pipeline_schedules/${segment(schedule, side)}/pipeline_runs/${encodeURIComponent(tokenOf(schedule, side))}`,
    body: () => body,
  }
  let both = await story.ask(asked)
  if (!both.succeeded) {
    const again = await story.ask(asked)
    // Nothing was written in between that could have allowed it.
    if (again.succeeded)
      story.note('triggerPipeline', 'accepted', both.exchange, {
        received: errorOf(both.exchange),
        expected: 'a run',
      })
    both = again
  }
  if (!both.succeeded) {
    // Whether a schedule that is not active runs is not said (`trigger-inactive`).
    await story.ask({
      method: 'PUT',
      path: (side) => `/api/pipeline_schedules/${segment(schedule, side)}`,
      body: () => ({ pipeline_schedule: { status: 'active' } }),
    })
    both = await story.ask(asked)
  }
  const { exchange } = both
  if (!takeUpRun(story, schedule, both)) return
  const moved = await movedSince(story, schedule.home!, before, (id) => id !== schedule.keys.target)
  story.note(
    'triggerPipeline',
    'unchanged-neighbours',
    exchange,
    moved && { received: { schedule: moved[0], runs: moved[1] }, expected: before.get(moved[0]) },
  )
}

/** Takes a run up that was triggered, and compares it; tells whether there is one. */
export function takeUpRun(story: Story, schedule: Thing, both: Both): boolean {
  const { exchange, predicted } = both
  const record = recordIn(exchange, 'pipeline_run')
  if (!both.succeeded || record === undefined) {
    story.note('triggerPipeline', 'accepted', exchange, {
      received: errorOf(exchange),
      expected: 'a run',
    })
    return false
  }
  story.note('triggerPipeline', 'accepted', exchange)
  const run = add(story, both, {
    kind: 'run',
    home: schedule.home!,
    schedule,
    target: record.id,
    modelKey: String((predicted.body.pipeline_run as ReceivedRecord).id),
    written: {},
  })
  const expected = predicted.body.pipeline_run as ReceivedRecord
  const flaws = compareRecords('triggerPipeline', run, expected, record, story)
  story.noteDifferences(['triggerPipeline', 'values'], run, flaws, exchange)
  return true
}

/** Triggers with nearly the right id or secret: it is refused, and starts nothing. */
export async function triggerNearly(
  story: Story,
  schedule: Thing,
  near: (own: TriggerPath, otherTokens: readonly string[]) => TriggerPath,
): Promise<void> {
  const others = story.all('schedule').filter((other) => other !== schedule)
  const own = (side: Side) => ({ id: schedule.keys[side], token: tokenOf(schedule, side) })
  const wrong = (side: Side) =>
    near(
      own(side),
      others.map((other) => tokenOf(other, side)),
    )
  if (equal(wrong('target'), own('target')) || wrong('target').token === '') return
  const before = await runCounts(story, schedule.home!)
  const both = await story.ask({
    method: 'POST',
    path: (side) => {
      const { id, token } = wrong(side)
      return `/api/pipeline_schedules/${encodeURIComponent(id)}/pipeline_runs/${encodeURIComponent(token)}`
    },
    body: () => ({}),
  })
  const isOwn = wrong('target').id === own('target').id
  noteRefusal(story, 'triggerPipeline', both, isOwn ? 'trigger/wrong-token' : 'trigger/wrong-schedule')
  const moved = await movedSince(story, schedule.home!, before, () => true)
  story.note(
    'triggerPipeline',
    'refused-unchanged',
    both.exchange,
    moved && { received: { schedule: moved[0], runs: moved[1] }, expected: before.get(moved[0]) },
  )
}

/** A schedule that counts other runs than before, and keeps to them: one that runs by itself has more at the next look. */
async function movedSince(
  story: Story,
  pipeline: Thing,
  before: ReadonlyMap<string, unknown>,
  isMeant: (id: string) => boolean,
): Promise<readonly [id: string, count: unknown] | undefined> {
  const after = await runCounts(story, pipeline)
  const moved = [...after].find(([id, count]) => isMeant(id) && before.get(id) !== count)
  if (moved === undefined) return undefined
  story.runCounts.delete(pipeline)
  return (await runCounts(story, pipeline)).get(moved[0]) === moved[1] ? moved : undefined
}

/** How many runs each schedule of a pipeline says it has; read again only where something was written since. */
async function runCounts(story: Story, pipeline: Thing): Promise<ReadonlyMap<string, unknown>> {
  const known = story.runCounts.get(pipeline)
  if (known?.writes === story.writes) return known.counts
  const reply: Exchange = await story.get(`/api/pipelines/${segment(pipeline, 'target')}/pipeline_schedules`)
  const counts = new Map(
    (listIn(reply, 'pipeline_schedules') ?? []).map(({ id, pipeline_runs_count: count }) => [
      String(id),
      count,
    ]),
  )
  story.runCounts.set(pipeline, { counts, writes: story.writes })
  return counts
}

function tokenOf(schedule: Thing, side: Side): string {
  return schedule.tokens?.[side] ?? ''
}
