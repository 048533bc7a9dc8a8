import { findLogs, othersPipelines } from '../runner/others-pipelines.ts'
import { ownerOf } from '../runner/record-owner.ts'
import { listIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'

/** What was found on a target, made by the conventions, or provided. */
export interface FoundSchedules {
  readonly pipeline: string
  readonly schedules: readonly ReceivedRecord[]
}

/** Makes a pipeline that has schedules, where that is allowed: nobody else changes it. Else finds one, tagged ones first. */
export async function findSchedules(context: ScenarioContext): Promise<FoundSchedules | undefined> {
  let found = context.provided.useConventions ? await makeSchedules(context) : undefined
  if (found !== undefined) return found
  for (const pipeline of await othersPipelines(context)) {
    const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`)
    const schedules = listIn(reply, 'pipeline_schedules') ?? []
    const tags = new Set(schedules.flatMap((schedule) => (Array.isArray(schedule.tags) ? schedule.tags : [])))
    if (tags.size >= 2) return { pipeline, schedules }
    if (schedules.length > 0) found ??= { pipeline, schedules }
  }
  return found
}

/** Makes a pipeline with tagged schedules by the conventions. */
async function makeSchedules(context: ScenarioContext): Promise<FoundSchedules | undefined> {
  const home = await context.pipelineFor('scheduled')
  if (home === undefined) return undefined
  const path = `/api/pipelines/${encodeURIComponent(home)}/pipeline_schedules`
  for (const tags of [['red'], ['blue'], ['red', 'green']]) {
    const made = await makeSchedule(context, home)
    // Tags come in a second step: there are servers that take them only so.
    if (made !== undefined)
      await context.put(`/api/pipeline_schedules/${made.id}`, { pipeline_schedule: { tags } })
  }
  const schedules = listIn(await context.get(path), 'pipeline_schedules') ?? []
  return schedules.length > 0 ? { pipeline: home, schedules } : undefined
}

async function makeSchedule(context: ScenarioContext, pipeline: string): Promise<ReceivedRecord | undefined> {
  const name = context.name('schedule')
  const made = await context.post(`/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`, {
    pipeline_schedule: { name, schedule_type: 'api' },
  })
  const record = recordIn(made, 'pipeline_schedule')
  // A reply that does not carry the name is of another schedule, which is not touched.
  if (record === undefined || record.name !== name || !Number.isSafeInteger(record.id)) return undefined
  const path = `/api/pipeline_schedules/${record.id}`
  context.cleanupLog.created('schedule', path, { home: pipeline, name })
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
export async function startLogs(context: ScenarioContext): Promise<void> {
  if (!context.provided.useConventions || (await findLogs(context)) !== undefined) return
  const home = await context.pipelineFor('logged')
  if (home === undefined) return
  // Without content: what a block does by default is cheap, and the same for every target.
  for (const step of ['one', 'two'])
    await context.createBlock(home, {
      name: `${context.prefix}_step_${step}`,
      type: 'data_loader',
      language: 'python',
    })
  const schedule = await makeSchedule(context, home)
  if (schedule === undefined) return
  const path = `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${encodeURIComponent(String(schedule.token))}`
  const run = recordIn(await context.post(path, {}), 'pipeline_run')
  if (run === undefined) return
  if (Number.isSafeInteger(run.id))
    context.cleanupLog.created('run', `/api/pipeline_runs/${run.id}`, { home })
  context.logged = home
}

/** A schedule to trigger; one that the suite has made may be made active, where the target runs no other. */
export interface Triggerable {
  readonly id: string
  readonly token: string
  readonly activate?: () => Promise<unknown>
}

/** The schedule to trigger: the owner's, one made by the conventions, or a found one where triggering is allowed. */
export async function findTrigger(
  context: ScenarioContext,
  found: FoundSchedules | undefined,
): Promise<Triggerable | undefined> {
  const { schedule, useConventions, mayTrigger } = context.provided
  if (schedule !== undefined) return schedule
  if (useConventions) {
    const home = await context.pipelineFor('triggered')
    const record = home === undefined ? undefined : await makeSchedule(context, home)
    if (record !== undefined) {
      const path = `/api/pipeline_schedules/${record.id}`
      const activate = () => context.put(path, { pipeline_schedule: { status: 'active' } })
      return { id: String(record.id), token: String(record.token), activate }
    }
  }
  const [first] = found?.schedules ?? []
  return mayTrigger && first !== undefined ? { id: String(first.id), token: String(first.token) } : undefined
}
