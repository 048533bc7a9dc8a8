import type { RecordModel } from '../../records.ts'
import type { LastError } from './last-errors.ts'

/** The logs of an understudy, read as a person does. */
export interface Logs {
  /**
   * The last line of an error in the logs of each pipeline that has one, the newest first; that of a block where the
   * run's own file has one, too.
   *
   * @throws UnderstudyError where the filter names something else than a pipeline.
   * @example
   * const [{ line }] = await understudy.logs.lastErrors({ pipeline_uuid: 'daily_sales' })
   */
  lastErrors(where?: Partial<Pick<LastError, 'pipeline_uuid'>>): Promise<LastError[]>
}

/** Creates the logs of a world. `settled` returns the model after due events were applied. */
export function createLogs(settled: () => RecordModel): Logs {
  return {
    async lastErrors(where = {}) {
      const { findLastErrors } = await import('./last-errors.ts')
      return findLastErrors(settled(), where)
    },
  }
}
