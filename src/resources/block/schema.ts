import * as z from 'zod'
import { anyObject } from '../attributes.ts'

/** The values of `type` (the document, "Block"). */
export const blockTypes = [
  'callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension',
  'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer',
] as const // biome-ignore format: one list, in the document's order

/** The values of `language` (the document, "Block"). */
export const languages = ['python', 'sql', 'r', 'yaml', 'markdown'] as const

/** The values of `status`: the first is the document's, the others are the assumption `block-status`. */
export const blockStatuses = ['not_executed', 'updated', 'executed', 'failed'] as const

/** The documented properties are all strings; others are kept as they are (the document, "Block"). */
const configuration = z
  .object({
    data_provider: z.string().optional(),
    data_provider_database: z.string().optional(),
    data_provider_profile: z.string().optional(),
    data_provider_schema: z.string().optional(),
    data_provider_table: z.string().optional(),
    export_write_policy: z.enum(['replace', 'append', 'fail']).optional(),
    use_raw_sql: z.string().optional(),
  })
  .loose()

/** A stored block (the document, "Block"): what replies carry, and what only the create reply or nobody shows. */
export const attributes = z.object({
  uuid: z.string().min(1),
  name: z.string().min(1),
  type: z.enum(blockTypes).default('custom'),
  language: z.enum(languages).default('python'),
  color: z.string().nullable().default(null),
  configuration: configuration.default({}),
  upstream_blocks: z.array(z.string()).default([]),
  downstream_blocks: z.array(z.string()).default([]),
  all_upstream_blocks_executed: z.boolean().default(true),
  executor_config: anyObject.nullable().default(null),
  executor_type: z.string().default('local_python'),
  has_callback: z.boolean().default(false),
  retry_config: anyObject.nullable().default(null),
  status: z.enum(blockStatuses).default('not_executed'),
  content: z.string().default(''),
  outputs: z.array(z.unknown()).default([]),
  config: anyObject.nullable().default(null),
  extension_uuid: z.string().nullable().default(null),
  priority: z.int().min(0).default(0),
  pipeline_uuid: z.string(),
})

export const references = { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } } as const

/** What a client may write when it creates a block (the document, "Create block"). */
export const newBlock = z.object({
  name: z.string().min(1),
  type: z.enum(blockTypes),
  color: z.string().nullable().optional(),
  config: anyObject.nullable().optional(),
  configuration: configuration.optional(),
  content: z.string().optional(),
  extension_uuid: z.string().nullable().optional(),
  language: z.enum(languages).optional(),
  pipelines: z.array(z.string()).optional(),
  priority: z.int().min(0).optional(),
  upstream_blocks: z.array(z.string()).optional(),
  uuid: z.string().min(1).optional(),
})

/** What a client may write when it updates one. */
export const changedBlock = newBlock
  .omit({ uuid: true, pipelines: true })
  .extend({
    status: z.enum(blockStatuses),
    executor_config: anyObject.nullable(),
    executor_type: z.string(),
    retry_config: anyObject.nullable(),
  })
  .partial()
