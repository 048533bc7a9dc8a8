import type { Traits } from '../names.ts'
import { addRuns, addSchedule } from '../pipeline-schedule/traits.ts'
import type { RecordModel, RecordOf } from '../records.ts'

/** Named sets of values for the factory. */
export const traits = {
  integration: { values: { type: 'integration' } },
  pyspark: { values: { type: 'pyspark' } },
  streaming: { values: { type: 'streaming' } },
  /** Its runs fail. */
  failing: { values: { run_script: { ends_as: 'failed' } } },
  /** Its runs never end by themselves. */
  endless: { values: { run_script: { ends_as: 'never' } } },
  /** Three blocks in a row: loader, transformer, exporter. */
  withBlocks: { after: addBlocks },
  withSchedule: { after: ({ uuid }, model) => void addSchedule(uuid, model) },
  /** A schedule with three runs: completed, failed, completed. */
  withRuns: { after: ({ uuid }, model) => addRuns(addSchedule(uuid, model), model) },
} as const satisfies Traits<'pipelines'>

function addBlocks(pipeline: RecordOf<'pipelines'>, model: RecordModel): void {
  const names = ['load', 'transform', 'export'] as const
  const types = ['data_loader', 'transformer', 'data_exporter'] as const
  for (const [index, name] of names.entries()) {
    model.table('blocks').insert({
      name,
      type: types[index],
      pipeline_uuid: pipeline.uuid,
      priority: index,
      upstream_blocks: names.slice(Math.max(index - 1, 0), index),
      downstream_blocks: names.slice(index + 1, index + 2),
      all_upstream_blocks_executed: index === 0,
    })
  }
}
