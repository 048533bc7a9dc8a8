import * as z from 'zod/mini'
import {
  anyObject,
  nonEmptyText,
  nullByDefault,
  positiveInteger,
  timestamp,
  withDefault,
} from '../attributes.ts'
import { newBlock } from '../block/schema.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `type` (spec, "Pipeline"). */
export const pipelineTypes = ['integration', 'pyspark', 'python', 'streaming'] as const

/** A stored pipeline (spec, "Pipeline"). */
export const attributes = z.object({
  uuid: nonEmptyText,
  name: nonEmptyText,
  type: withDefault(z.enum(pipelineTypes), 'python'),
  description: nullByDefault(z.string()),
  data_integration: nullByDefault(anyObject),
  executor_config: withDefault(anyObject, {}),
  executor_count: withDefault(z.int(), 1),
  executor_type: nullByDefault(z.string()),
  notification_config: withDefault(anyObject, {}),
  spark_config: withDefault(anyObject, {}),
  updated_at: nullByDefault(timestamp),
  extensions: withDefault(anyObject, {}),
  run_script: nullByDefault(runScript),
  /** Not documented; a profile presents them. */
  tags: withDefault(z.array(z.string()), []),
})

const writable = {
  type: z.enum(pipelineTypes),
  description: z.nullish(z.string()),
  data_integration: z.nullish(anyObject),
  executor_config: z.optional(anyObject),
  executor_count: z.optional(positiveInteger),
  executor_type: z.nullish(z.string()),
  notification_config: z.optional(anyObject),
  spark_config: z.optional(anyObject),
}

/** A block that is a condition of its pipeline, without the type and pipeline. */
const { type: _type, pipelines: _pipelines, priority: _priority, ...conditional } = newBlock.shape

/** Attributes that a client may write when it creates a pipeline (`clone-field`, `conditionals-field`). */
export const newPipeline = z.object({
  name: nonEmptyText,
  ...writable,
  clone_pipeline_uuid: z.optional(z.string()),
  conditionals: z.optional(z.array(z.object(conditional))),
})

/** The attributes that requests write and records do not store. */
export const writeOnly = ['clone_pipeline_uuid', 'conditionals'] as const

/** Attributes that a client may write when it updates a pipeline. */
export const changedPipeline = z.object({
  name: z.optional(nonEmptyText),
  ...writable,
  type: z.optional(writable.type),
})
