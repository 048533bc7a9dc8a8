import { toMilliseconds } from '../../shared/timestamps.ts'
import { isUnderWay, knownEnd, startRun } from '../pipeline-run/life.ts'
import type { ChangesOf, RecordModel, RecordOf, StoredRun } from '../records.ts'
import { isAlwaysOn, isArmed, timeAfter } from './plan.ts'

/** Starts the due run of a schedule, and plans the next one. A schedule that is always on waits for the end of its run. */
export function fireSchedule(schedule: RecordOf<'pipeline_schedules'>, model: RecordModel): undefined {
  const { fires_at: due } = schedule
  if (due === null || due === undefined) return
  const newest = model.table('pipeline_runs').last('pipeline_schedule_id', schedule.id)
  const isBusy = newest !== undefined && isUnderWay(newest)
  const { skip_if_previous_running: skips } = schedule.settings
  const waits = isAlwaysOn(schedule)
  const fires = isArmed(schedule) && !(isBusy && (waits || skips === true))
  const next = waits || !isArmed(schedule) ? null : timeAfter(schedule, toMilliseconds(due))
  model.table('pipeline_schedules').change(schedule, { fires_at: next, ...(fires ? { fired_at: due } : {}) })
  if (!fires) return
  startRun(model, {
    pipeline_schedule_id: schedule.id,
    pipeline_uuid: schedule.pipeline_uuid,
    execution_date: due,
    variables: schedule.variables ?? {},
    created_at: due,
  })
}

/** Returns the run that will prevent a schedule from firing at its time, if any. */
function runInTheWay(schedule: RecordOf<'pipeline_schedules'>, model: RecordModel): StoredRun | undefined {
  const { fires_at: due, settings } = schedule
  const newest = model.table('pipeline_runs').last('pipeline_schedule_id', schedule.id)
  const waits = isAlwaysOn(schedule) || settings.skip_if_previous_running === true
  if (newest === undefined || !waits || !isUnderWay(newest)) return undefined
  const { at } = knownEnd(newest, model)
  // At equal times, runs end first.
  return at !== null && at <= String(due) ? undefined : newest
}

/** Returns the changes of a schedule at its due time. */
export function predictFiring(
  schedule: RecordOf<'pipeline_schedules'>,
  model: RecordModel,
): ChangesOf<'pipeline_schedules'> | undefined {
  if (!isArmed(schedule)) return undefined
  return runInTheWay(schedule, model) === undefined ? { fired_at: schedule.fires_at ?? null } : {}
}
