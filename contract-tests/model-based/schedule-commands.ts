// Commands of sequences that create and trigger schedules, and check the replies.
import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange } from '../runner/client.ts'
import type { ScheduleNeed } from '../runner/options.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn, recordOf } from '../runner/replies.ts'
import { readWhole, type WholeList } from '../runner/whole-list.ts'
import { add } from './add-tracked-record.ts'
import { nearTriggers, wrongId, wrongToken } from './boundary-values.ts'
import { findOtherSchedules } from './other-schedules.ts'
import { compareMembers, listOf } from './read-back.ts'
import {
  type Both,
  type ComparedRequest,
  errorOf,
  type Flaw,
  ModelDiverged,
  type SequenceRun,
  unless,
  unlessSuccess,
} from './sequence-run.ts'
import { type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'
import { compareReply, noteRefusal, type Write } from './write.ts'

/** Creates schedules by the conventions; if they are not allowed, or the target does not follow them, the sequence ends. */
export async function createSchedules(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { tags, type = 'api', count = 1 }: NewSchedules,
): Promise<void> {
  if (!sequence.context.provided.useConventions) throw new ModelDiverged()
  await givenTo(sequence, pipeline)
  const path = (side: Side) => `/api/pipelines/${segment(pipeline, side)}/pipeline_schedules`
  const created: CreatedSchedule[] = []
  for (let number = 0; number < count; number++) {
    const name = `${sequence.prefix}-schedule${sequence.trackedRecords.length + number}`
    created.push(await sendSchedule(sequence, path, { name, schedule_type: type }, tags))
  }
  const listed = await readSchedules(sequence, path('target'))
  for (const schedule of created) await takeUpSchedule(sequence, pipeline, schedule, { listed, tags })
}

/** Reads a list of schedules to its end. The specification shows no parameters of its pages, so a target may ignore them. */
function readSchedules(
  sequence: SequenceRun,
  path: string,
  first?: Exchange,
): Promise<WholeList | undefined> {
  return readWhole(
    async (page) => (page === path && first ? first : sequence.get(page)),
    path,
    'pipeline_schedules',
  )
}

/** Schedules to create: one, or several that differ only in their names. */
export interface NewSchedules {
  readonly tags: readonly string[]
  readonly type?: string
  readonly count?: number
}

interface CreatedSchedule {
  readonly values: ReceivedRecord
  readonly record: ReceivedRecord
  readonly both: Both
}

async function sendSchedule(
  sequence: SequenceRun,
  path: ComparedRequest['path'],
  values: ReceivedRecord,
  tags: readonly string[],
): Promise<CreatedSchedule> {
  const send = (schedule: ReceivedRecord) =>
    sequence.sendToBoth({ method: 'POST', path, body: () => ({ pipeline_schedule: schedule }) })
  const tagged = tags.length > 0 ? await send({ ...values, tags }) : undefined
  const both = tagged?.succeeded ? tagged : await send(values)
  const record = recordIn(both.exchange, 'pipeline_schedule')
  if (!both.agree || record === undefined) throw new ModelDiverged()
  return { values, record, both }
}

/** Tracks a new schedule as in the list, and sets its tags. */
async function takeUpSchedule(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { values, record, both }: CreatedSchedule,
  { listed, tags }: { readonly listed: WholeList | undefined; readonly tags: readonly string[] },
): Promise<void> {
  const shown = listed?.records
  const own = shown?.find(({ id }) => id === record.id)
  if (own === undefined) {
    if (listed !== undefined && shown?.every(({ name }) => name !== values.name))
      sequence.noteOnce('list-pipeline-schedules/complete', listed.first, {
        received: shown,
        expected: { name: values.name },
      })
    // The reply may have shown the schedule of another client, which the run must not change.
    throw new ModelDiverged()
  }
  // A target may ignore the name: then nothing identifies the schedule.
  if (record.name !== values.name) throw new ModelDiverged()
  const predicted = both.predicted.body.pipeline_schedule as ReceivedRecord
  const token = own.token ?? record.token
  const tracked = add(sequence, both, {
    kind: 'schedule',
    home: pipeline,
    target: record.id,
    model: 'id',
    written: values,
    tokens: { model: String(predicted.token), target: String(token) },
  })
  if (tags.length === 0 || isSameSet(own.tags, tags)) return
  // Some servers accept tags only in an update.
  const detail = (side: Side) => `/api/pipeline_schedules/${segment(tracked, side)}`
  const updated = await sequence.sendToBoth({
    method: 'PUT',
    path: detail,
    body: () => ({ pipeline_schedule: { tags } }),
  })
  if (!updated.agree || !isSameSet(recordIn(updated.exchange, 'pipeline_schedule')?.tags, tags)) {
    // Others accept no tags: the model follows, so that the run checks untagged schedules nevertheless.
    const untagged = { pipeline_schedule: { tags: Array.isArray(own.tags) ? own.tags : [] } }
    await sequence.model.predict('PUT', detail('model'), untagged)
  }
  touch(tracked)
}

function isSameSet(one: unknown, other: readonly string[]): boolean {
  return Array.isArray(one) && equal(one.toSorted(), other.toSorted())
}

/**
 * Returns the schedules that the target itself has created for a pipeline; it may do so at any time. Schedules of another pipeline
 * are not among them.
 */
export async function givenTo(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  listed?: readonly ReceivedRecord[],
): Promise<ReadonlySet<string>> {
  const known = sequence.givenSchedules.get(pipeline)
  if (known !== undefined) return known
  const path = `/api/pipelines/${segment(pipeline, 'target')}/pipeline_schedules`
  const records = listed ?? (await readSchedules(sequence, path))?.records ?? []
  const trackedIds = sequence.all('schedule').map(({ keys }) => keys.target)
  const given = new Set(
    records
      .filter(({ pipeline_uuid: uuid }) => uuid === pipeline.keys.target)
      .map(({ id }) => String(id))
      .filter((id) => !trackedIds.includes(id)),
  )
  sequence.givenSchedules.set(pipeline, given)
  return given
}

/** Lists the schedules of a pipeline, all or by tags. */
export async function listSchedules(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { tags }: { readonly tags: readonly string[] },
): Promise<void> {
  const query = tags.map((tag) => `tag[]=${encodeURIComponent(tag)}`).join('&')
  const path = (side: Side) =>
    `/api/pipelines/${segment(pipeline, side)}/pipeline_schedules${query && `?${query}`}`
  const { exchange, predicted } = await sequence.sendToBoth({ method: 'GET', path })
  const whole = await readSchedules(sequence, path('target'), exchange)
  if (whole === undefined) {
    return sequence.note('list-pipeline-schedules/values', exchange, {
      received: errorOf(exchange),
      expected: 'a list',
    })
  }
  const { records: listed, last } = whole
  const given = await givenTo(sequence, pipeline, tags.length === 0 ? listed : undefined)
  const received = listed.filter(({ id }) => !given.has(String(id)))
  const expected = listOf(predicted.body.pipeline_schedules)
  const trackedRecords = sequence.all('schedule', pipeline)
  const ids = received.map(({ id }) => String(id)).sort()
  const wanted = trackedRecords.filter(({ keys }) => expected.some(({ id }) => String(id) === keys.model))
  if (tags.length > 0) {
    const expectedIds = wanted.map(({ keys }) => keys.target)
    const fits = equal(ids, expectedIds.toSorted())
    sequence.note('list-pipeline-schedules/filter', exchange, unless(fits, ids, expectedIds))
    if (!fits) return
    if (tags.length === 1 && wanted.length > 0) await readEncodedTag(sequence, pipeline, tags, ids)
  }
  compareMembers(sequence, exchange, 'listPipelineSchedules', undefined, {
    kind: 'schedule', trackedRecords: wanted, predicted: expected, received, key: 'id',
  }) // biome-ignore format: one line
  // All schedules of the pipeline are from this sequence, so the list is complete.
  const next = metadataIn(last)?.next
  const flaw = unless(next === false, { next }, { next: false })
  if (ids.length === wanted.length) sequence.note('list-pipeline-schedules/next', last, flaw)
}

/** Lists schedules with a percent-encoded name of the parameter, once in a sequence. */
async function readEncodedTag(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  [tag = '']: readonly string[],
  expected: readonly string[],
): Promise<void> {
  if (sequence.passed.has('schedule-list/encoded-tag')) return
  const path = `/api/pipelines/${segment(pipeline, 'target')}/pipeline_schedules`
  const exchange = await sequence.get(`${path}?tag%5B%5D=${encodeURIComponent(tag)}`)
  if (metadataIn(exchange)?.next === true) return
  const given = await givenTo(sequence, pipeline)
  const received = (listIn(exchange, 'pipeline_schedules') ?? []).map(({ id }) => String(id))
  const isAsExpected = equal(received.filter((id) => !given.has(id)).sort(), expected)
  sequence.note('schedule-list/encoded-tag', exchange, unless(isAsExpected, received, expected))
}

function triggerOf(schedule: TrackedRecord, body: ReceivedRecord): ComparedRequest {
  return {
    method: 'POST',
    path: (side) =>
      `/api/pipeline_schedules/${segment(schedule, side)}/pipeline_runs/${encodeURIComponent(tokenOf(schedule, side))}`,
    body: () => body,
  }
}

/** The time to wait for a run that a target starts by itself, and between two reads of it, in milliseconds. */
const [patience, pause] = [1_000, 200]

/** Triggers a schedule with free-form variables. */
export async function trigger(
  sequence: SequenceRun,
  schedule: TrackedRecord,
  { body }: { readonly body: ReceivedRecord },
): Promise<Write> {
  await expectRuns(sequence, schedule.home)
  const request = triggerOf(schedule, body)
  // A refused trigger right before must not change the next one.
  if (sequence.nextOf('trigger after a refusal', [true, true, false])) {
    const wrong = { ...request, path: (side: Side) => `${request.path(side)}1` }
    noteRefusal(sequence, 'triggerPipeline', await sequence.sendToBoth(wrong))
  }
  let last: Both | undefined
  return {
    request,
    async finish(first) {
      last = first.succeeded ? first : await triggerAgain(sequence, schedule, first, request)
      if (last.succeeded) countRun(sequence, schedule)
      takeUpRun(sequence, schedule, last)
      return []
    },
    async afterwards() {
      if (!last?.succeeded) return
      const { exchange } = last
      const flaw = await unexplainedRuns(sequence, schedule.home, (id) => id !== schedule.keys.target)
      sequence.note('trigger-pipeline/unchanged-neighbours', exchange, flaw)
    },
  }
}

/** Sends a refused trigger again, and then for an active schedule. */
async function triggerAgain(
  sequence: SequenceRun,
  schedule: TrackedRecord,
  { exchange }: Both,
  request: ComparedRequest,
): Promise<Both> {
  const again = await sequence.sendToBoth(request)
  if (again.succeeded) {
    // No write in between could have allowed it.
    sequence.note('trigger-pipeline/accepted', exchange, unlessSuccess(exchange, 'a run'))
    return again
  }
  // A schedule of another client is not changed.
  if (schedule.home === undefined) return again
  // A target may refuse to trigger an inactive schedule (`trigger-inactive`).
  await sequence.sendToBoth({
    method: 'PUT',
    path: (side) => `/api/pipeline_schedules/${segment(schedule, side)}`,
    body: () => ({ pipeline_schedule: { status: 'active' } }),
  })
  return sequence.sendToBoth(request)
}

/** Values of a new run that are not specified. */
const newRun = {
  variables: ['trigger/variables', {}],
  completed_at: ['trigger/not-completed', null],
} as const

/** Tracks the triggered run, and compares it. */
function takeUpRun(sequence: SequenceRun, schedule: TrackedRecord, both: Both): void {
  const { exchange } = both
  const record = recordIn(exchange, 'pipeline_run')
  const isRun = both.succeeded && record !== undefined
  sequence.note('trigger-pipeline/accepted', exchange, unless(isRun, errorOf(exchange), 'a run'))
  if (!isRun) return
  const run = add(sequence, both, {
    kind: 'run',
    ...(schedule.home && { home: schedule.home }),
    schedule,
    target: record.id,
    model: 'id',
    written: {},
  })
  compareReply(sequence, 'triggerPipeline', run, both)
  sequence.noteSamples(newRun, record, exchange)
}

/** Triggers a schedule that the verifier did not create: the one that the user names, or any if the options allow it. */
export async function triggerGiven(sequence: SequenceRun): Promise<void> {
  const { schedule: named, useConventions, allowDestructive } = sequence.context.provided
  const found = named || useConventions || !allowDestructive ? undefined : await findOtherSchedules(sequence)
  const [first] = typeof found === 'object' ? found.schedules : []
  const given = named ?? (first && { id: String(first.id), token: String(first.token) })
  if (given === undefined) return
  const schedule = await adopt(sequence, given)
  for (const body of [{ answer: 42, nested: { list: [1, 'two', null], flag: true } }, {}]) {
    const write = await trigger(sequence, schedule, { body })
    const both = await sequence.sendToBoth(write.request)
    await write.finish(both, new Set())
    const home = String(recordIn(both.exchange, 'pipeline_run')?.pipeline_uuid)
    const list = await sequence.get(`/api/pipelines/${encodeURIComponent(home)}/pipeline_schedules`)
    const isListed = listIn(list, 'pipeline_schedules')?.some(({ id }) => String(id) === given.id) === true
    const flaw = unless(isListed, { pipeline_uuid: home }, 'the pipeline of the schedule')
    sequence.note('trigger-pipeline/values', both.exchange, flaw)
  }
  for (const near of [wrongToken, wrongId]) await triggerWrongly(sequence, schedule, { near })
}

/** Tracks a schedule of another client, with one in the model in its place. */
async function adopt(sequence: SequenceRun, { id, token }: ScheduleNeed): Promise<TrackedRecord> {
  const pipeline = { name: 'adopted', type: 'python' }
  const home = recordOf((await sequence.model.predict('POST', '/api/pipelines', { pipeline })).body.pipeline)
  const created = await sequence.model.predict('POST', `/api/pipelines/${home.uuid}/pipeline_schedules`, {
    pipeline_schedule: { name: 'adopted', schedule_type: 'api' },
  })
  const model = recordOf(created.body.pipeline_schedule)
  return {
    kind: 'schedule',
    keys: { target: id, model: String(model.id) },
    home: undefined,
    created: { sent: 0, received: 0 },
    written: {},
    tokens: { target: token, model: String(model.token) },
    isGone: false,
    isTouched: true,
    chosen: new Map(),
  }
}

/** Triggers with an id or secret similar to the correct one: the target must refuse it and start nothing. */
export async function triggerWrongly(
  sequence: SequenceRun,
  schedule: TrackedRecord,
  { near }: { readonly near: number },
): Promise<void> {
  const change = nearTriggers[near % nearTriggers.length]!
  const others = sequence.all('schedule').filter((other) => other !== schedule)
  const own = (side: Side) => ({ id: schedule.keys[side], token: tokenOf(schedule, side) })
  const wrong = (side: Side) =>
    change(
      own(side),
      others.map((other) => tokenOf(other, side)),
    )
  if (equal(wrong('target'), own('target')) || wrong('target').token === '') return
  await expectRuns(sequence, schedule.home)
  const both = await sequence.sendToBoth({
    method: 'POST',
    path: (side) => {
      const { id, token } = wrong(side)
      return `/api/pipeline_schedules/${encodeURIComponent(id)}/pipeline_runs/${encodeURIComponent(token)}`
    },
    body: () => ({}),
  })
  noteRefusal(sequence, 'triggerPipeline', both)
  const flaw = await unexplainedRuns(sequence, schedule.home, () => true)
  sequence.note('trigger-pipeline/refused-unchanged', both.exchange, flaw)
}

/** Records a triggered run. A target may count it later. */
function countRun({ mostRuns }: SequenceRun, { keys }: TrackedRecord): void {
  mostRuns.set(keys.target, (mostRuns.get(keys.target) ?? 0) + 1)
}

/** Reads the number of runs before a request: a schedule may run by itself at any time, or repeat a run. */
async function expectRuns(sequence: SequenceRun, pipeline: TrackedRecord | undefined): Promise<void> {
  for (const [id, count] of await runCounts(sequence, pipeline))
    sequence.mostRuns.set(id, Math.max(count, sequence.mostRuns.get(id) ?? 0))
}

/** Finds a schedule that counts more runs than before the request, and does not run by itself. */
async function unexplainedRuns(
  sequence: SequenceRun,
  pipeline: TrackedRecord | undefined,
  isMeant: (id: string) => boolean,
): Promise<Flaw | undefined> {
  const most = (id: string) => sequence.mostRuns.get(id) ?? 0
  const found = [...(await runCounts(sequence, pipeline))].find(
    ([id, count]) => isMeant(id) && count > most(id),
  )
  if (found === undefined) return undefined
  const [id, count] = found
  const schedule = sequence.all('schedule', pipeline).find(({ keys }) => keys.target === id)
  const isOfTarget = schedule === undefined || (await runsByItself(sequence, schedule))
  return unless(isOfTarget, { schedule: id, runs: count }, most(id))
}

/** Triggers a schedule once and waits for a further run: a target may repeat runs, or start some by a plan. */
async function runsByItself(sequence: SequenceRun, schedule: TrackedRecord): Promise<boolean> {
  const count = async () => (await runCounts(sequence, schedule.home)).get(schedule.keys.target) ?? 0
  const before = await count()
  await sequence.sendToBoth(triggerOf(schedule, {}))
  countRun(sequence, schedule)
  for (let waited = 0; waited < patience; waited += pause) {
    await wait(pause)
    if ((await count()) > before + 1) return true
  }
  return false
}

/** Returns the number of runs of each schedule of a pipeline, except other clients' pipelines. */
async function runCounts(
  sequence: SequenceRun,
  pipeline: TrackedRecord | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (pipeline === undefined) return new Map()
  const path = `/api/pipelines/${segment(pipeline, 'target')}/pipeline_schedules`
  const listed = (await readSchedules(sequence, path))?.records ?? []
  return new Map(listed.map(({ id, pipeline_runs_count: count }) => [String(id), Number(count)]))
}

function tokenOf(schedule: TrackedRecord, side: Side): string {
  return schedule.tokens?.[side] ?? ''
}
