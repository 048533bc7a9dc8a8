import * as z from 'zod'
import type { Model } from '../factories/model.ts'
import { type Timestamp, toMilliseconds, toSeconds } from '../wire/timestamps.ts'
import { id, timestamp } from './attributes.ts'
import { type ActionContext, type ActionResult, defineResource, type WireRecord } from './define-resource.ts'

/** A stored record is one log file; the list folds a pipeline's files into one entry. */
const attributes = z.object({
  id,
  pipeline_uuid: z.string(),
  pipeline_run_id: z.int().nullable().default(null),
  /** The block whose run wrote the file; null for the log of the pipeline run itself. */
  block_uuid: z.string().nullable().default(null),
  name: z.string().min(1),
  path: z.string().min(1),
  content: z.string().default(''),
  created_at: timestamp,
})

export const log = defineResource({
  singular: 'log',
  plural: 'logs',
  key: 'id',
  attributes,
  references: {
    pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
    pipeline_run_id: { plural: 'pipeline_runs', whenDeleted: 'delete' },
  },
  order: { by: 'created_at', newestFirst: true },
  presents: [
    'block_run_logs',
    'pipeline_run_logs',
    'total_block_run_log_count',
    'total_pipeline_run_log_count',
  ],
  complete: (record, { now }) => {
    const name = record.name ?? `${record.block_uuid ?? 'pipeline'}.log`
    const run = record.pipeline_run_id === undefined ? '' : `${record.pipeline_run_id}/`
    return {
      created_at: now,
      path: `/pipelines/${record.pipeline_uuid}/.logs/${run}${name}`,
      ...record,
      name,
    }
  },
  operations: [
    {
      id: 'listLogs',
      title: 'Read logs',
      action: 'list',
      section: 'Read logs',
      routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/logs', basis: 'documented' }],
      parameters: [
        { name: '_limit', type: 'integer', description: 'Maximum number of logs returned.', example: 20 },
        { name: '_offset', type: 'integer', description: 'Skip the first N logs.', example: 0 },
        {
          name: 'start_timestamp',
          type: 'integer',
          description: 'Read logs on or after this moment, in seconds since the epoch.',
          example: 1_767_225_600,
        },
      ],
      metadata: 'empty',
      assumptions: ['logs-limit', 'logs-timestamp', 'list-order'],
      run: listLogs,
    },
  ],
})

function listLogs({ model, parent, query }: ActionContext): ActionResult {
  const since = query.start_timestamp === undefined ? undefined : Number(query.start_timestamp) * 1_000
  const files = model
    .table('logs')
    .where('pipeline_uuid', parent!.uuid)
    .filter((file) => since === undefined || toMilliseconds(file.created_at as Timestamp) >= since)
    .reverse()
  const offset = Number(query._offset ?? 0)
  const page = (all: WireRecord[]) =>
    all
      .slice(offset, query._limit === undefined ? undefined : offset + Number(query._limit))
      .map(({ name, path, content }) => ({ name, path, content }))
  const blockRunLogs = files.filter((file) => file.block_uuid !== null)
  const pipelineRunLogs = files.filter((file) => file.block_uuid === null)
  const entry = {
    block_run_logs: page(blockRunLogs),
    pipeline_run_logs: page(pipelineRunLogs),
    total_block_run_log_count: blockRunLogs.length,
    total_pipeline_run_log_count: pipelineRunLogs.length,
  }
  return { page: [entry], count: 1 }
}

/** Appends the log files of a run that has ended: one of each block, and one of the pipeline run. */
export function appendRunLogs(model: Model, run: WireRecord): void {
  const now = run.completed_at as Timestamp
  const write = (block: string | null, content: string) =>
    model.table('logs').insert({
      pipeline_uuid: run.pipeline_uuid,
      pipeline_run_id: run.id,
      block_uuid: block,
      path: `/pipelines/${run.pipeline_uuid}/.logs/${run.pipeline_schedule_id}/${partition(run)}/${block ?? 'pipeline'}.log`,
      content,
      created_at: now,
    })
  for (const { uuid } of model.table('blocks').where('pipeline_uuid', run.pipeline_uuid)) {
    write(String(uuid), `${toSeconds(now)} block ${uuid} of pipeline run ${run.id} ${run.status}\n`)
  }
  write(
    null,
    `${toSeconds(run.created_at as Timestamp)} pipeline run ${run.id} running\n` +
      `${toSeconds(now)} pipeline run ${run.id} ${run.status}\n`,
  )
}

/** The folder of a run's logs, from its execution date: `20260131T120000`. */
function partition(run: WireRecord): string {
  return toSeconds(run.execution_date as Timestamp)
    .replaceAll(/[-:]/g, '')
    .replace(' ', 'T')
}
