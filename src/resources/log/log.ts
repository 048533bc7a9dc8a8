import { toMilliseconds } from '../../shared/timestamps.ts'
import { textOf } from '../../shared/values.ts'
import { defineOperation } from '../define-operation.ts'
import { defineResource } from '../define-resource.ts'
import { pageOf, paging } from '../resource.ts'
import { derived } from './presenter.ts'
import { attributes, references } from './schema.ts'

const listLogs = defineOperation(
  'logs',
  {
    id: 'listLogs',
    action: 'list',
    section: 'Read logs',
    routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/logs', basis: 'documented' }],
    parameters: [...paging, { name: 'start_timestamp', type: 'integer' }],
    metadata: 'empty',
  },
  ({ model, parent, query }) => {
    const since = query.start_timestamp === undefined ? undefined : Number(query.start_timestamp) * 1_000
    const list = (isOfBlock: boolean) => {
      const { page, count } = model
        .table('logs')
        .list(
          'pipeline_uuid',
          parent.uuid,
          pageOf(query),
          ({ block_uuid, created_at }) =>
            (block_uuid !== null) === isOfBlock &&
            (since === undefined || toMilliseconds(created_at) >= since),
        )
      return { files: page.map(({ name, path, content }) => ({ name, path, content })), count }
    }
    const ofBlocks = list(true)
    const ofRuns = list(false)
    const entry: Readonly<Record<keyof typeof derived, unknown>> = {
      block_run_logs: ofBlocks.files,
      pipeline_run_logs: ofRuns.files,
      total_block_run_log_count: ofBlocks.count,
      total_pipeline_run_log_count: ofRuns.count,
    }
    return { page: [entry], count: 1 }
  },
)

/** The resource of log files: one row of the table. */
export const log = defineResource(
  'logs',
  {
    singular: 'log',
    key: 'id',
    attributes,
    references,
    order: { by: 'created_at', newestFirst: true },
    presents: [
    'block_run_logs', 'pipeline_run_logs', 'total_block_run_log_count', 'total_pipeline_run_log_count',
  ], // biome-ignore format: one list, in the document's order
    derived,
    operations: [listLogs],
  },
  {
    complete: (record, { now }) => {
      const name = record.name ?? `${textOf(record.block_uuid) || 'pipeline'}.log`
      const run = record.pipeline_run_id === undefined ? '' : `${textOf(record.pipeline_run_id)}/`
      return {
        created_at: now,
        path: `/pipelines/${textOf(record.pipeline_uuid)}/.logs/${run}${textOf(name)}`,
        ...record,
        name,
      }
    },
  },
)
