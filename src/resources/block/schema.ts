import * as z from 'zod/mini'
import * as limits from '../../shared/limits.ts'
import { anyObject, count, nonEmptyText, nullByDefault, withDefault } from '../attributes.ts'

/** The values of `type` (spec, "Block"). */
export const blockTypes = [
  'callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension',
  'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer',
] as const // biome-ignore format: one list, in the document's order

/** The values of `language` (spec, "Block"). */
export const languages = ['python', 'sql', 'r', 'yaml', 'markdown'] as const

/** The values of `status`: the first is the specification's, the others are the assumption `block-status`. */
export const blockStatuses = ['not_executed', 'updated', 'executed', 'failed'] as const

/** The documented properties are all strings; others are not changed (specification, "Block"). */
const configuration = z.looseObject({
  data_provider: z.optional(z.string()),
  data_provider_database: z.optional(z.string()),
  data_provider_profile: z.optional(z.string()),
  data_provider_schema: z.optional(z.string()),
  data_provider_table: z.optional(z.string()),
  export_write_policy: z.optional(z.enum(['replace', 'append', 'fail'])),
  use_raw_sql: z.optional(z.string()),
})

/** A stored block (spec, "Block"). Only the reply of its creation contains some attributes, and no reply some others. */
export const attributes = z.object({
  uuid: nonEmptyText,
  name: nonEmptyText,
  type: withDefault(z.enum(blockTypes), 'custom'),
  language: withDefault(z.enum(languages), 'python'),
  color: nullByDefault(z.string()),
  configuration: withDefault(configuration, {}),
  upstream_blocks: withDefault(z.array(z.string()), []),
  downstream_blocks: withDefault(z.array(z.string()), []),
  all_upstream_blocks_executed: withDefault(z.boolean(), true),
  executor_config: nullByDefault(anyObject),
  executor_type: withDefault(z.string(), 'local_python'),
  has_callback: withDefault(z.boolean(), false),
  retry_config: nullByDefault(anyObject),
  status: withDefault(z.enum(blockStatuses), 'not_executed'),
  content: withDefault(z.string(), ''),
  outputs: withDefault(z.array(z.unknown()), []),
  config: nullByDefault(anyObject),
  extension_uuid: nullByDefault(z.string()),
  priority: withDefault(count, 0),
  pipeline_uuid: z.string(),
})

/** Attributes for which the specification shows values without excluding others ("Block"). */
export const open = ['status'] as const

/** Attribute of the parent record under which a fixture may nest blocks. */
export const nests = { reference: 'pipeline_uuid', under: 'blocks' } as const

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete', most: limits.pipelineBlocks },
} as const

/** Attributes that a client may write when it creates a block (spec, "Create block"). */
export const newBlock = z.object({
  name: nonEmptyText,
  type: z.enum(blockTypes),
  color: z.nullish(z.string()),
  config: z.nullish(anyObject),
  configuration: z.optional(configuration),
  content: z.optional(z.string()),
  extension_uuid: z.nullish(z.string()),
  language: z.optional(z.enum(languages)),
  pipelines: z.optional(z.array(z.string())),
  priority: z.optional(count),
  upstream_blocks: z.optional(z.array(z.string())),
  uuid: z.optional(nonEmptyText),
})

/** The attributes that requests write and records do not store. */
export const writeOnly = ['pipelines'] as const

const { uuid: _uuid, pipelines: _pipelines, ...writable } = newBlock.shape

/** Attributes that a client may write when it updates a block. */
export const changedBlock = z.object({
  ...writable,
  name: z.optional(nonEmptyText),
  type: z.optional(z.enum(blockTypes)),
  status: z.optional(z.enum(blockStatuses)),
  executor_config: z.nullish(anyObject),
  executor_type: z.optional(z.string()),
  retry_config: z.nullish(anyObject),
})
