import { findLogs, othersPipelines } from '../runner/others-pipelines.ts'
import { ownerOf } from '../runner/record-owner.ts'
import { equal, isError, listIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import type { RunContext } from '../runner/run-context.ts'

/** A pipeline with schedules: of another client, or created for this run. */
export interface FoundSchedules {
  readonly pipeline: string
  readonly schedules: readonly ReceivedRecord[]
}

/**
 * Creates a pipeline with tagged schedules, where that is allowed: nobody else changes it. Where that fails, finds one of
 * another client, tagged ones first; without any, returns where it searched.
 */
export async function findSchedules(context: RunContext): Promise<FoundSchedules | string> {
  const own = context.provided.useConventions ? await createSchedules(context) : undefined
  if (own !== undefined && tagsOf(own).size >= 2) return own
  let found = own
  const { uuids, where } = await othersPipelines(context)
  for (const pipeline of uuids) {
    const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`)
    const schedules = listIn(reply, 'pipeline_schedules') ?? []
    const next = { pipeline, schedules }
    if (tagsOf(next).size >= 2) return next
    if (schedules.length > 0) found ??= next
  }
  return found ?? where
}

function tagsOf({ schedules }: FoundSchedules): ReadonlySet<unknown> {
  return new Set(schedules.flatMap(({ tags }) => (Array.isArray(tags) ? tags : [])))
}

/** Creates a pipeline with tagged schedules, which only the conventions describe. */
async function createSchedules(context: RunContext): Promise<FoundSchedules | undefined> {
  const home = await context.pipelineFor('scheduled')
  if (home === undefined) return undefined
  const path = `/api/pipelines/${encodeURIComponent(home)}/pipeline_schedules`
  for (const tags of [['red'], ['blue'], ['red', 'green']]) {
    const created = await createSchedule(context, home, tags)
    // Some servers accept tags only in an update.
    if (created !== undefined && !equal(created.tags, tags))
      await context.put(`/api/pipeline_schedules/${created.id}`, { pipeline_schedule: { tags } })
  }
  const schedules = listIn(await context.get(path), 'pipeline_schedules') ?? []
  return schedules.length > 0 ? { pipeline: home, schedules } : undefined
}

async function createSchedule(
  context: RunContext,
  pipeline: string,
  tags: readonly string[] = [],
): Promise<ReceivedRecord | undefined> {
  const name = context.name('schedule')
  const values = { name, schedule_type: 'api' }
  const send = (schedule: ReceivedRecord) =>
    context.post(`/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`, {
      pipeline_schedule: schedule,
    })
  const tagged = tags.length > 0 ? await send({ ...values, tags }) : undefined
  const created = tagged === undefined || isError(tagged) ? await send(values) : tagged
  const record = recordIn(created, 'pipeline_schedule')
  // A reply that does not carry the name is of another schedule, which is not touched.
  if (record === undefined || record.name !== name || !Number.isSafeInteger(record.id)) return undefined
  const path = `/api/pipeline_schedules/${record.id}`
  // Nor one that the list of its pipeline does not show.
  const owner = await ownerOf(
    context.client,
    { kind: 'schedule', path, home: pipeline, name },
    context.prefix,
    context.provided.foreignRecords,
  )
  return owner === 'this run' ? record : undefined
}

/**
 * Starts the run of a small pipeline of its own by the conventions, so that there are log files later; nothing where the
 * target has some already.
 */
export async function startLogs(context: RunContext): Promise<void> {
  if (!context.provided.useConventions || (await findLogs(context)) !== undefined) return
  const home = await context.pipelineFor('logged')
  if (home === undefined) return
  // Without content: what a block does by default is cheap, and the same for every target.
  for (const step of ['one', 'two'])
    await context.post(`/api/pipelines/${encodeURIComponent(home)}/blocks`, {
      block: { name: `${context.prefix}_step_${step}`, type: 'data_loader', language: 'python' },
    })
  const schedule = await createSchedule(context, home)
  if (schedule === undefined) return
  const path = `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${encodeURIComponent(String(schedule.token))}`
  const run = recordIn(await context.post(path, {}), 'pipeline_run')
  if (run !== undefined) context.logged = home
}

/** A schedule to trigger; one that the suite has made may be made active, where the target runs no other. */
export interface Triggerable {
  readonly id: string
  readonly token: string
  readonly activate?: () => Promise<unknown>
}

/** The schedule to trigger: the owner's, one made by the conventions, or a found one where triggering is allowed. */
export async function findTrigger(
  context: RunContext,
  found: FoundSchedules | string,
): Promise<Triggerable | undefined> {
  const { schedule, useConventions, mayTrigger } = context.provided
  if (schedule !== undefined) return schedule
  if (useConventions) {
    const home = await context.pipelineFor('triggered')
    const record = home === undefined ? undefined : await createSchedule(context, home)
    if (record !== undefined) {
      const path = `/api/pipeline_schedules/${record.id}`
      const activate = () => context.put(path, { pipeline_schedule: { status: 'active' } })
      return { id: String(record.id), token: String(record.token), activate }
    }
  }
  const [first] = typeof found === 'string' ? [] : found.schedules
  return mayTrigger && first !== undefined ? { id: String(first.id), token: String(first.token) } : undefined
}
