import type { Switches } from '../assumptions/switches.ts'
import type { Model } from '../factories/model.ts'
import { parseDuration, type Timestamp, toMilliseconds, toTimestamp } from '../wire/timestamps.ts'
import type { PlanContext, WireRecord } from './define-resource.ts'
import { appendRunLogs } from './log.ts'
import { type RunScript, type RunStep, toSteps, type UsualTimes, underWayStatuses } from './run-script.ts'
import { wakeSchedule } from './schedule-plan.ts'

/** How long a run stays `initial` where nobody says how long, in milliseconds (`run-values`). */
const initialFor = 2_000

/** Whether a run has not ended. */
export function isUnderWay({ status }: WireRecord): boolean {
  return underWayStatuses.some((candidate) => candidate === status)
}

/** Starts a run: `running` at once, unless its script or the switch has it `initial` first. */
export function startRun(model: Model, values: WireRecord): WireRecord {
  const created = (values.created_at as Timestamp | undefined) ?? model.now()
  const steps = stepsOf(model, values)
  const startsInitial = model.switches['run-values'] === 'initial first' && steps[0]!.status !== 'initial'
  const all = startsInitial ? [{ status: 'initial', time: initialFor } as const, ...steps] : steps
  return model.table('pipeline_runs').insert({ ...values, created_at: created, ...enterStep(all, created) })
}

/**
 * Begins the script that a run was given itself, now; what an object says is counted from the start of the run.
 * Afterwards the run holds the step it is in and the steps to come, and no script.
 */
export function planRun(
  run: WireRecord,
  _previous: WireRecord | undefined,
  context: PlanContext,
): WireRecord | undefined {
  if (run.run_script === null || !isUnderWay(run)) return undefined
  const script = run.run_script as RunScript
  const start = typeof script === 'string' ? context.now() : (run.created_at as Timestamp)
  return { ...enterStep(toSteps(script, usualTimes(context.switches)), start), run_script: null }
}

/** Moves a run on to its next step: another status, or its end. */
export function moveOn(model: Model, run: WireRecord, now: Timestamp): WireRecord {
  const steps = nextSteps(model, run)
  const { status } = steps[0]!
  if (status !== 'initial' && status !== 'running') return endRun(model, run, status, now)
  return model.table('pipeline_runs').change(run, { ...enterStep(steps, now), updated_at: now })
}

/** Moves a run on at the moment its step is over. */
export function settleRun(run: WireRecord, model: Model): void {
  moveOn(model, run, run.ends_at as Timestamp)
}

/** Counts a read of a run; the last one its step lasts for moves it on. */
export function countRead(run: WireRecord, model: Model): void {
  const left = run.reads_left as number | null
  if (left === null) return
  if (left > 1) model.table('pipeline_runs').change(run, { reads_left: left - 1 })
  else moveOn(model, run, model.now())
}

/** Counts a read of the run that a schedule shows the status of: its newest. */
export function countReadOfNewest(schedule: WireRecord, model: Model): void {
  const newest = model.table('pipeline_runs').last('pipeline_schedule_id', schedule.id)
  if (newest !== undefined) countRead(newest, model)
}

/** Gives a run the status a client wrote, whatever its script still had before it. */
export function setRunStatus(model: Model, run: WireRecord, status: string, now: Timestamp): WireRecord {
  if (status !== 'initial' && status !== 'running') return endRun(model, run, status, now)
  const life = status === 'running' ? enterStep(runningSteps(model, run), now) : { status, ...stopped }
  return model.table('pipeline_runs').change(run, { ...life, run_script: null, completed_at: null })
}

/** Ends a run, appends its logs, and lets its backfill and its schedule look again. */
export function endRun(model: Model, run: WireRecord, status: string, now: Timestamp): WireRecord {
  const ended = model
    .table('pipeline_runs')
    .change(run, { status, completed_at: now, updated_at: now, ...stopped })
  appendRunLogs(model, ended)
  wakeOthers(model, ended, now)
  return ended
}

/** Tells the backfill and the schedule of a run that it is over, or gone: one may have ended, the other may fire. */
export function wakeOthers(model: Model, run: WireRecord, now: Timestamp): void {
  const backfill =
    run.backfill_id === null ? undefined : model.table('backfills').get(String(run.backfill_id))
  if (backfill?.status === 'running' && backfill.due_at !== now) {
    model.table('backfills').change(backfill, { due_at: now })
  }
  wakeSchedule(model, run, now)
}

const stopped = { ends_at: null, reads_left: null, next_steps: Object.freeze([]) }

function enterStep([step, ...rest]: readonly RunStep[], now: Timestamp): WireRecord {
  const { status, time, reads } = step!
  return {
    status,
    ends_at: time === undefined ? null : toTimestamp(toMilliseconds(now) + time),
    reads_left: reads ?? null,
    next_steps: rest,
  }
}

/** What a run has before it; one of a fixture that has no steps runs, where it is initial, and ends as it says. */
function nextSteps(model: Model, run: WireRecord): readonly RunStep[] {
  const steps = run.next_steps as readonly RunStep[]
  if (steps.length > 0) return steps
  if (run.status === 'initial') return runningSteps(model, run)
  return [{ status: run.ends_as as RunStep['status'] }]
}

/** The steps of a run from its first running one on; a script that has none runs for the usual time before its end. */
function runningSteps(model: Model, run: WireRecord): readonly RunStep[] {
  const steps = stepsOf(model, run)
  const first = steps.findIndex(({ status }) => status === 'running')
  if (first >= 0) return steps.slice(first)
  return [{ status: 'running', time: usualTimes(model.switches).running }, steps.at(-1)!]
}

/** The steps of a run, by its own script or that of the nearest of those it belongs to. */
function stepsOf(model: Model, run: WireRecord): readonly RunStep[] {
  const scriptOf = (plural: string, key: unknown) =>
    key === null || key === undefined ? undefined : model.table(plural).get(String(key))?.run_script
  const script =
    run.run_script ??
    scriptOf('backfills', run.backfill_id) ??
    scriptOf('pipeline_schedules', run.pipeline_schedule_id) ??
    scriptOf('pipelines', run.pipeline_uuid) ??
    {}
  return toSteps(script as RunScript, usualTimes(model.switches))
}

function usualTimes(switches: Switches): UsualTimes {
  return { initial: initialFor, running: parseDuration(switches['run-lifecycle']) ?? 0 }
}
