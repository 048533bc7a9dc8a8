import type { Model } from '../factories/model.ts'
import type { WireRecord } from '../resources/define-resource.ts'
import { endRun, planEnd } from '../resources/pipeline-run.ts'
import { parseDuration } from '../wire/timestamps.ts'

/** How a run ends: `never` means not by itself. */
export interface RunScript {
  readonly ends_as?: 'completed' | 'failed' | 'cancelled' | 'never'
  /** Milliseconds, or a text such as `'20s'`; counted from the start of the run. */
  readonly after?: string | number
}

/** The runs of an understudy: how they end. */
export interface Runs {
  /**
   * Says how a run that is running, or all later runs of a pipeline, will end.
   *
   * @example
   * understudy.runs.script({ pipeline_uuid: 'daily_sales' }, { ends_as: 'failed', after: '2s' })
   */
  script(target: { pipeline_uuid: string } | { id: number }, script: RunScript): void
  /**
   * Ends a run now.
   *
   * @example
   * understudy.runs.finish(7, 'failed')
   */
  finish(id: number, status?: 'completed' | 'failed' | 'cancelled'): void
}

/** Creates the runs of a world, whose model is given settled. */
export function createRuns(settled: () => Model): Runs {
  return {
    script(target, script) {
      const model = settled()
      if ('pipeline_uuid' in target) {
        const pipeline = findByKey(model, 'pipelines', target.pipeline_uuid)
        model.table('pipelines').change(pipeline, { run_script: script })
        return
      }
      const run = findByKey(model, 'pipeline_runs', target.id)
      const { ends_as = 'completed', after = model.switches['run-lifecycle'] } = script
      if (parseDuration(after) === undefined) {
        throw new Error(
          `[understudy] Failed to script run ${target.id}: expected after to be milliseconds or a text such as '5s'; found ${JSON.stringify(after)}.`,
        )
      }
      if (run.status !== 'running' && run.status !== 'initial') {
        throw new Error(`[understudy] Failed to script run ${target.id}: it has ended (${run.status}).`)
      }
      model.table('pipeline_runs').change(run, planEnd(String(run.created_at), ends_as, after))
    },
    finish(id, status = 'completed') {
      const model = settled()
      endRun(model, findByKey(model, 'pipeline_runs', id), status, model.now())
      model.settle()
    },
  }
}

/**
 * Finds a record of a table.
 *
 * @throws where no record has the key.
 */
export function findByKey(model: Model, plural: string, key: string | number): WireRecord {
  const table = model.table(plural)
  const record = table.get(String(key))
  if (record) return record
  throw new Error(
    `[understudy] No ${table.resource.singular} has the ${table.resource.key} ${JSON.stringify(key)}.`,
  )
}
