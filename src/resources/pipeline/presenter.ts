import type { DerivedAttributes } from '../names.ts'
import type { RecordOf } from '../records.ts'

/** Attributes of replies, in the documented order (spec, "Pipeline"). */
export const presents = [
  'uuid', 'name', 'type', 'description', 'data_integration', 'executor_config', 'executor_count', 'executor_type',
  'notification_config', 'spark_config', 'updated_at', 'blocks', 'callbacks', 'conditionals', 'widgets',
] as const // biome-ignore format: one list

/** The types of blocks that are no steps; each has a separate list (`callback-lists`). */
const asideTypes: readonly RecordOf<'blocks'>['type'][] = ['callback', 'conditional', 'chart']

export const derived = {
  blocks: listBlocks((type) => !asideTypes.includes(type)),
  callbacks: listBlocks((type) => type === 'callback'),
  conditionals: listBlocks((type) => type === 'conditional'),
  widgets: listBlocks((type) => type === 'chart'),
  schedules: {
    is: { listOf: 'pipeline_schedules', by: 'pipeline_uuid' },
  },
} as const satisfies DerivedAttributes<'pipelines'>

function listBlocks(holds: (type: RecordOf<'blocks'>['type']) => boolean) {
  return {
    is: { listOf: 'blocks', by: 'pipeline_uuid', accepts: ({ type }: RecordOf<'blocks'>) => holds(type) },
  } as const satisfies DerivedAttributes<'pipelines'>[string]
}
