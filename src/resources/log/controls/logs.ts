import type { RecordModel } from '../../records.ts'
import type { LastError } from './last-errors.ts'

/** Access to the logs of a mock server. */
export interface Logs {
  /**
   * Returns the last error in the logs of each pipeline that has one, newest first. If both a block's file
   * and its run's file contain it, it is the one in the block's file.
   *
   * @throws UnderstudyError where the filter names something else than a pipeline.
   * @example
   * const [{ line }] = await understudy.logs.lastErrors({ pipeline_uuid: 'daily_sales' })
   */
  lastErrors(where?: Partial<Pick<LastError, 'pipeline_uuid'>>): Promise<LastError[]>
}

/** Creates the logs of a world. `settled` returns the model after applying due events. */
export function createLogs(settled: () => RecordModel): Logs {
  return {
    async lastErrors(where = {}) {
      const { findLastErrors } = await import('./last-errors.ts')
      return findLastErrors(settled(), where)
    },
  }
}
