import { quote, recordInvalid } from '../../shared/errors.ts'
import { toUuid } from '../../shared/uuid-rule.ts'
import type { RecordModel, RecordOf, ReferringTo } from '../records.ts'

/**
 * Resources that move unchanged with their pipeline: all of its nested resources but blocks. A missing one
 * does not compile.
 */
const moving = ['pipeline_schedules', 'backfills', 'pipeline_runs', 'logs'] as const
type Left = Exclude<ReferringTo<'pipelines', 'pipeline_uuid'>, 'blocks' | (typeof moving)[number]>

/** Changes the uuid of a pipeline to that of its new name, and moves its contents (`pipeline-rename`). */
export function movePipeline(model: RecordModel, record: RecordOf<'pipelines'>): RecordOf<'pipelines'> {
  const { uuid: from } = record
  const to = toUuid(record.name, model.switches['pipeline-uuid-rule'])
  if (to === from) return record
  const pipelines = model.table('pipelines')
  if (pipelines.get(to))
    throw recordInvalid(
      `pipeline.name: a pipeline with the uuid ${quote(to)} exists already; choose another name.`,
    )
  const moved = pipelines.insert({ ...record, uuid: to })
  // The pipeline and uuid identify a block, so it becomes another record; the old one goes with its pipeline.
  for (const block of model.table('blocks').where('pipeline_uuid', from)) {
    model.table('blocks').insert({ ...block, pipeline_uuid: to })
  }
  for (const plural of moving satisfies [Left] extends [never] ? unknown : Readonly<Record<Left, true>>) {
    const table = model.table(plural)
    for (const child of table.where('pipeline_uuid', from)) {
      // The record belongs to this table, which TypeScript cannot infer for a union of tables.
      table.change(child as never, { pipeline_uuid: to })
    }
  }
  pipelines.remove(record)
  return moved
}
