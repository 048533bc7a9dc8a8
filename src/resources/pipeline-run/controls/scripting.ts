import type { RecordModel } from '../../records.ts'
import type { RunScript } from '../script.ts'
import type { Runs, RunTarget } from './runs.ts'

/** Applies a script to runs: those of a target, all later ones, or all later ones and those in progress. */
export function scriptRuns(
  model: RecordModel,
  runs: Pick<Runs, 'script'>,
  { target, script }: { readonly target: RunTarget | 'all' | 'later'; readonly script: RunScript },
): void {
  if (target !== 'all' && target !== 'later') {
    runs.script(target, script)
    return
  }
  for (const { uuid } of model.table('pipelines').records()) runs.script({ pipeline_uuid: uuid }, script)
  // A more specific script would precede this one.
  for (const { id, run_script: own } of model.table('pipeline_schedules').records())
    if (own !== null) runs.script({ pipeline_schedule_id: id }, script)
  for (const { id, run_script: own } of model.table('backfills').records())
    if (own !== null) runs.script({ backfill_id: id }, script)
  if (target === 'later') return
  for (const run of model.table('pipeline_runs').records())
    if (run.status === 'initial' || run.status === 'running') runs.script({ id: run.id }, script)
}
