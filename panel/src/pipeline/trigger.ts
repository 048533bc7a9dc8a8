import type { RecordOf } from '../library.ts'
import { placeOf } from '../overview/pipeline-table.tsx'
import { act } from '../store/acts.ts'
import type { Routes } from '../store/routes.ts'
import type { Action } from '../store/runner.ts'

/** Triggers a schedule, and shows the run that it creates. */
export function triggerOf(schedule: RecordOf<'pipeline_schedules'>, routes: Routes): Action {
  const { id, token, name, pipeline_uuid: uuid } = schedule
  return {
    title: `Trigger ${name}`,
    does: act('fetch', 'POST', `/api/pipeline_schedules/${id}/pipeline_runs/${token}`, {}),
    message: `${name} triggered.`,
    done(reply: unknown) {
      const { id: run } = Object(Object(Object(reply).body).pipeline_run)
      if (run !== undefined) routes.go(`${placeOf(uuid)}/runs/${run}`)
    },
  }
}
