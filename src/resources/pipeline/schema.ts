import * as z from 'zod'
import { anyObject, timestamp } from '../attributes.ts'
import { newBlock } from '../block/schema.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `type` (the document, "Pipeline"). */
export const pipelineTypes = ['integration', 'pyspark', 'python', 'streaming'] as const

/** A stored pipeline (the document, "Pipeline"). */
export const attributes = z.object({
  uuid: z.string().min(1),
  name: z.string().min(1),
  type: z.enum(pipelineTypes).default('python'),
  description: z.string().nullable().default(null),
  data_integration: anyObject.nullable().default(null),
  executor_config: anyObject.default({}),
  executor_count: z.int().default(1),
  executor_type: z.string().nullable().default(null),
  notification_config: anyObject.default({}),
  spark_config: anyObject.default({}),
  updated_at: timestamp.nullable().default(null),
  extensions: anyObject.default({}),
  run_script: runScript.nullable().default(null),
  /** Not documented; a profile presents them. */
  tags: z.array(z.string()).default([]),
})

const writable = {
  type: z.enum(pipelineTypes),
  description: z.string().nullable().optional(),
  data_integration: anyObject.nullable().optional(),
  executor_config: anyObject.optional(),
  executor_count: z.int().min(1).optional(),
  executor_type: z.string().nullable().optional(),
  notification_config: anyObject.optional(),
  spark_config: anyObject.optional(),
}

/** What a client may write when it creates a pipeline (`clone-field`, `conditionals-field`). */
export const newPipeline = z.object({
  name: z.string().min(1),
  ...writable,
  clone_pipeline_uuid: z.string().optional(),
  conditionals: z.array(newBlock.omit({ type: true, pipelines: true, priority: true })).optional(),
})

/** What a client may write when it updates one. */
export const changedPipeline = z.object({ name: z.string().min(1), ...writable }).partial()
