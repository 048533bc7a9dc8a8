import { parseBy, toFlaw } from '../../../shared/issues.ts'
import { RecordError } from '../../../shared/record-error.ts'
import { UnderstudyError } from '../../../shared/understudy-error.ts'
import type { Plural, RecordModel, RecordOf } from '../../records.ts'
import { endRun, isUnderWay, moveOn } from '../life.ts'
import { type EndStatus, endStatuses, type RunScript, runScript } from '../script.ts'

export { endStatuses, type RunScript } from '../script.ts'

/** The runs that a script applies to: a run in progress, or all later runs of a backfill, a schedule or a pipeline. */
export type RunTarget =
  | { readonly id: number }
  | { readonly backfill_id: number }
  | { readonly pipeline_schedule_id: number }
  | { readonly pipeline_uuid: string }

export type TargetName = RunTarget extends infer Each ? (Each extends unknown ? keyof Each : never) : never

/** Controls how the runs of a mock server progress and end. */
export interface Runs {
  /**
   * Sets the script of a run in progress, or of all later runs of a backfill, a schedule or a pipeline. The
   * most specific script applies: the run's own, then its backfill's, its schedule's, its pipeline's.
   *
   * @throws if the script is invalid, no record has the key, or the run has ended.
   * @example
   * understudy.runs.script({ pipeline_uuid: 'daily_sales' }, 'running for 3 reads, then failed')
   */
  script(target: RunTarget, script: RunScript): void
  /**
   * Moves a run to the next step of its script, now.
   *
   * @example
   * understudy.runs.advance(7)
   */
  advance(id: number | string): void
  /**
   * Ends a run now.
   *
   * @example
   * understudy.runs.finish(7, 'failed')
   */
  finish(id: number | string, status?: EndStatus): void
}

/** Plural of the resource that each kind of key refers to. */
export const plurals = {
  id: 'pipeline_runs',
  backfill_id: 'backfills',
  pipeline_schedule_id: 'pipeline_schedules',
  pipeline_uuid: 'pipelines',
} as const satisfies Readonly<Record<TargetName, Plural>>

/** Creates the runs of a world. `currentModel` returns the model after applying due events. */
export function createRuns(currentModel: () => RecordModel): Runs {
  return {
    script(target, script) {
      const model = currentModel()
      const [name = '', key] = Object.entries(target ?? {})[0] ?? []
      if (!isTargetName(name)) {
        const found = JSON.stringify(target)
        const expected = `a target with one of ${Object.keys(plurals).join(', ')}`
        throw new UnderstudyError(
          'ARGUMENT_INVALID',
          `Failed to script runs: expected ${expected}; found ${found}.`,
        )
      }
      const table = model.table(plurals[name])
      const record = findByKey(model, plurals[name], key)
      const action = `script ${table.resource.singular} ${key}`
      const parsed = parseBy(runScript, script)
      if (!parsed.success) {
        const flaws = parsed.error.issues.map((issue) => toFlaw(issue, script, 'script'))
        throw new RecordError(`Failed to ${action}`, flaws)
      }
      if (name === 'id') checkUnderWay(findByKey(model, 'pipeline_runs', key), action)
      table.change(record, { run_script: parsed.data })
    },
    advance(id) {
      const model = currentModel()
      const run = findByKey(model, 'pipeline_runs', id)
      checkUnderWay(run, `advance pipeline_run ${id}`)
      moveOn(model, run, model.now())
      model.applyDueEvents()
    },
    finish(id, status: EndStatus = 'completed') {
      const model = currentModel()
      const run = findByKey(model, 'pipeline_runs', id)
      if (!endStatuses.includes(status)) {
        const expected = `one of ${endStatuses.join(', ')}`
        throw new UnderstudyError(
          'ARGUMENT_INVALID',
          `Failed to finish pipeline_run ${id}: expected ${expected}; found ${JSON.stringify(status)}.`,
        )
      }
      checkUnderWay(run, `finish pipeline_run ${id}`)
      endRun(model, run, status, model.now())
      model.applyDueEvents()
    },
  }
}

function isTargetName(name: string): name is TargetName {
  return Object.hasOwn(plurals, name)
}

function checkUnderWay(run: Pick<RecordOf<'pipeline_runs'>, 'status'>, action: string): void {
  if (isUnderWay(run)) return
  throw new UnderstudyError(
    'RUN_ENDED',
    `Failed to ${action}: it has ended (${run.status}). Choose one that has not ended.`,
  )
}

/**
 * Finds a record of a table.
 *
 * @throws where no record has the key.
 */
function findByKey<P extends (typeof plurals)[keyof typeof plurals]>(
  model: RecordModel,
  plural: P,
  key: unknown,
): RecordOf<P> {
  const table = model.table(plural)
  const record = table.get(String(key))
  if (record) return record
  throw new UnderstudyError(
    'NOT_FOUND',
    `No ${table.resource.singular} has the ${table.resource.key} ${JSON.stringify(key)}.`,
  )
}
