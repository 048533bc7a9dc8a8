import type { Switches } from '../../assumptions/switches.ts'
import { parseDuration, type Timestamp, toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import { appendRunLogs } from '../log/run-logs.ts'
import { wakeSchedule } from '../pipeline-schedule/plan.ts'
import type { ChangesOf, RecordModel, RecordOf, StoredRun, ValuesOf } from '../records.ts'
import type { PlanContext } from '../resource.ts'
import {
  type EndStatus,
  endStatuses,
  type RunStatus,
  type RunSteps,
  toSteps,
  type UsualTimes,
  underWayStatuses,
} from './script.ts'

/** Values of a new run. */
type NewRun = ValuesOf<'pipeline_runs'> & Pick<StoredRun, 'pipeline_uuid' | 'pipeline_schedule_id'>

/** Default time that a run stays `initial`, in milliseconds (`run-values`). */
const initialFor = 2_000

/** Reports whether a run has not ended. */
export function isUnderWay({ status }: Pick<StoredRun, 'status'>): boolean {
  return underWayStatuses.some((candidate) => candidate === status)
}

/** Starts a run: `running` at once, unless its script or the switch begins with `initial`. */
export function startRun(model: RecordModel, values: NewRun): StoredRun {
  const created = values.created_at ?? model.now()
  const steps = stepsOf(model, values)
  const startsInitial = model.switches['run-values'] === 'initial first' && steps[0].status !== 'initial'
  const all: RunSteps = startsInitial ? [{ status: 'initial', time: initialFor }, ...steps] : steps
  return model.table('pipeline_runs').insert({ ...values, created_at: created, ...enterStep(all, created) })
}

/**
 * Starts the script of the run itself. Times of an object count from the start of the run.
 * Afterwards the run contains the current step and the remaining ones instead of the script.
 */
export function planRun(
  run: StoredRun,
  _previous: StoredRun | undefined,
  context: PlanContext,
): ChangesOf<'pipeline_runs'> | undefined {
  const { run_script: script } = run
  if (script === null || !isUnderWay(run)) return undefined
  const start = typeof script === 'string' ? context.now() : run.created_at
  return { ...enterStep(toSteps(script, usualTimes(context.switches)), start), run_script: null }
}

/** Moves a run to its next step: another status, or its end. */
export function moveOn(model: RecordModel, run: StoredRun, now: Timestamp): StoredRun {
  const steps = nextSteps(model, run)
  const [{ status }] = steps
  if (isEnd(status)) return endRun(model, run, status, now)
  return model.table('pipeline_runs').change(run, { ...enterStep(steps, now), updated_at: now })
}

/** Moves a run to its next step at the end of the present one. */
export function endStep(run: StoredRun, model: RecordModel): void {
  moveOn(model, run, run.ends_at ?? model.now())
}

/** Returns the changes of a run at the end of its step. */
export function predictRun(run: StoredRun, model: RecordModel): ChangesOf<'pipeline_runs'> {
  return { status: nextSteps(model, run)[0].status }
}

/** Returns the known end of a run. Its time is null if it depends on reads or on manual control. */
export function knownEnd(run: StoredRun, model: RecordModel): { status: RunStatus; at: Timestamp | null } {
  if (!isUnderWay(run)) return { status: run.status, at: run.completed_at }
  const steps = nextSteps(model, run)
  const waiting = steps.slice(0, -1)
  const { status } = steps.at(-1) ?? steps[0]
  if (run.ends_at === null || waiting.some(({ time }) => time === undefined)) return { status, at: null }
  const rest = waiting.reduce((sum, { time = 0 }) => sum + time, 0)
  return { status, at: toTimestamp(toMilliseconds(run.ends_at) + rest) }
}

/** Counts a read of a run. The last read of its step moves it to the next one. */
export function countRead(run: StoredRun, model: RecordModel): void {
  const { reads_left: left } = run
  if (left === null) return
  if (left > 1) model.table('pipeline_runs').change(run, { reads_left: left - 1 })
  else moveOn(model, run, model.now())
}

/** Counts a read of the newest run of a schedule, whose status the schedule shows. */
export function countReadOfNewest(schedule: RecordOf<'pipeline_schedules'>, model: RecordModel): void {
  const newest = model.table('pipeline_runs').last('pipeline_schedule_id', schedule.id)
  if (newest !== undefined) countRead(newest, model)
}

/** Sets the status that a client wrote, whatever the remaining steps of the run. */
export function setRunStatus(
  model: RecordModel,
  run: StoredRun,
  status: RunStatus,
  now: Timestamp,
): StoredRun {
  if (isEnd(status)) return endRun(model, run, status, now)
  const life = status === 'running' ? enterStep(runningSteps(model, run), now) : { status, ...stopped }
  return model.table('pipeline_runs').change(run, { ...life, run_script: null, completed_at: null })
}

/** Ends a run, appends its logs, and updates its backfill and its schedule. */
export function endRun(model: RecordModel, run: StoredRun, status: EndStatus, now: Timestamp): StoredRun {
  const ended = model
    .table('pipeline_runs')
    .change(run, { status, completed_at: now, updated_at: now, ...stopped })
  appendRunLogs(model, ended, now)
  wakeOthers(model, ended, now)
  return ended
}

/**
 * Updates the backfill and the schedule of an ended or deleted run: the backfill may end, the
 * schedule may fire.
 */
export function wakeOthers(model: RecordModel, run: StoredRun, now: Timestamp): void {
  const backfill =
    run.backfill_id === null ? undefined : model.table('backfills').get(String(run.backfill_id))
  if (backfill?.status === 'running' && backfill.due_at !== now) {
    model.table('backfills').change(backfill, { due_at: now })
  }
  wakeSchedule(model, run, now)
}

/** Changes that pause a run until a manual advance. */
const stopped: ChangesOf<'pipeline_runs'> = { ends_at: null, reads_left: null, next_steps: [] }

function enterStep(
  [step, ...rest]: RunSteps,
  now: Timestamp,
): Pick<StoredRun, 'status' | 'ends_at' | 'reads_left' | 'next_steps'> {
  const { status, time, reads } = step
  return {
    status,
    ends_at: time === undefined ? null : toTimestamp(toMilliseconds(now) + time),
    reads_left: reads ?? null,
    next_steps: rest,
  }
}

/**
 * Returns the remaining steps of a run. A fixture's run without steps runs if it is initial, and ends as the
 * fixture specifies.
 */
function nextSteps(model: RecordModel, run: StoredRun): RunSteps {
  const [step, ...rest] = run.next_steps
  if (step !== undefined) return [step, ...rest]
  return run.status === 'initial' ? runningSteps(model, run) : [{ status: run.ends_as }]
}

/** Returns the steps of a run from its first running one. A script without one runs for the usual time before its end. */
function runningSteps(model: RecordModel, run: StoredRun): RunSteps {
  const steps = stepsOf(model, run)
  const [first, ...rest] = steps.slice(steps.findIndex(({ status }) => status === 'running'))
  if (first?.status === 'running') return [first, ...rest]
  const { running } = usualTimes(model.switches)
  return [{ status: 'running', time: running }, steps.at(-1) ?? { status: 'completed' }]
}

/** Returns the steps of a run, by its own script or the most specific one of its backfill, schedule and pipeline. */
function stepsOf(model: RecordModel, run: NewRun): RunSteps {
  const { run_script, backfill_id, pipeline_schedule_id, pipeline_uuid } = run
  const script =
    run_script ??
    scriptOf(model, 'backfills', backfill_id) ??
    scriptOf(model, 'pipeline_schedules', pipeline_schedule_id) ??
    scriptOf(model, 'pipelines', pipeline_uuid) ??
    {}
  return toSteps(script, usualTimes(model.switches))
}

function scriptOf(
  model: RecordModel,
  plural: 'backfills' | 'pipeline_schedules' | 'pipelines',
  key: string | number | null | undefined,
) {
  return key === null || key === undefined ? undefined : model.table(plural).get(String(key))?.run_script
}

function usualTimes(switches: Switches): UsualTimes {
  return { initial: initialFor, running: parseDuration(switches['run-lifecycle']) ?? 0 }
}

function isEnd(status: RunStatus): status is EndStatus {
  return endStatuses.some((end) => end === status)
}
