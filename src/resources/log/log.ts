import * as z from 'zod/mini'
import { toMilliseconds } from '../../shared/timestamps.ts'
import { textOf } from '../../shared/values.ts'
import { count, nonEmptyText } from '../attributes.ts'
import { operationsOf } from '../define-operation.ts'
import { type DerivedAttributes, defineResource } from '../define-resource.ts'
import { pageOf, paging } from '../resource.ts'
import { createLogs } from './controls/logs.ts'
import { attributes, references } from './schema.ts'

const files = z.array(z.object({ name: nonEmptyText, path: nonEmptyText, content: z.string() }))

/** What the one entry of the list holds (the document, "Pipeline logs entry"); the action gives it whole. */
const derived = {
  block_run_logs: { is: files },
  pipeline_run_logs: { is: files },
  total_block_run_log_count: { is: count },
  total_pipeline_run_log_count: { is: count },
} as const satisfies DerivedAttributes<'logs'>

const operation = operationsOf<'logs', keyof typeof derived>()

const listLogs = operation({
  id: 'listLogs',
  action: 'list',
  section: 'Read logs',
  routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/logs', basis: 'documented' }],
  parameters: [...paging, { name: 'start_timestamp', type: 'integer' }],
  metadata: 'empty',
  run({ model, parent, query }) {
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
})

export const log = defineResource({
  singular: 'log',
  plural: 'logs',
  key: 'id',
  attributes,
  references,
  order: { by: 'created_at', newestFirst: true },
  presents: [
    'block_run_logs', 'pipeline_run_logs', 'total_block_run_log_count', 'total_pipeline_run_log_count',
  ], // biome-ignore format: one list, in the document's order
  derived,
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
  controls: { logs: createLogs },
  operations: [listLogs],
})
