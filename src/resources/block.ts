import * as z from 'zod'
import { quote, recordInvalid } from '../wire/errors.ts'
import { toUuid } from '../wire/uuid-rule.ts'
import { anyObject } from './attributes.ts'
import { knownBlocks, link, moveBlock, placeBlock, settleExecution, touchPipeline } from './block-graph.ts'
import {
  type ActionContext,
  defineResource,
  setValues,
  unsetValues,
  type WireRecord,
} from './define-resource.ts'

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

const attributes = z.object({
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

const presents = [
  'uuid', 'name', 'type', 'language', 'color', 'configuration', 'upstream_blocks', 'downstream_blocks',
  'all_upstream_blocks_executed', 'executor_config', 'executor_type', 'has_callback', 'retry_config', 'status',
] as const // biome-ignore format: one list, in the document's order

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

export const block = defineResource({
  singular: 'block',
  plural: 'blocks',
  key: 'uuid',
  scope: 'pipeline_uuid',
  attributes,
  references: { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } },
  shownIn: 'pipeline_uuid',
  order: { by: 'priority' },
  presents,
  complete: (record) => ({ uuid: toUuid(String(record.name ?? '')), name: record.uuid, ...record }),
  operations: [
    {
      id: 'createBlock',
      title: 'Create block',
      action: 'create',
      section: 'Create block',
      routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'documented' }],
      writes: newBlock,
      presents: [
        'content',
        'name',
        'priority',
        'config',
        'language',
        'type',
        'configuration',
        'upstream_blocks',
      ],
      assumptions: [
        'block-uuid-rule', 'create-block-effects', 'create-block-nulls', 'unknown-upstream', 'duplicate-name',
        'block-newlines', 'block-language',
      ], // biome-ignore format: a list of ids
      run: createBlock,
    },
    {
      id: 'listBlocks',
      title: 'Read blocks',
      action: 'list',
      section: 'What the service does',
      routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'convention' }],
      parameters: [],
      assumptions: ['list-order'],
    },
    {
      id: 'readBlock',
      title: 'Read block',
      action: 'detail',
      section: 'Read block',
      routes: [
        { method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'documented' },
      ],
      presents: [...presents, 'content', 'outputs'],
      assumptions: ['not-found', 'block-status'],
    },
    {
      id: 'updateBlock',
      title: 'Update block',
      action: 'update',
      section: 'What the service does',
      routes: [
        { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'convention' },
      ],
      writes: newBlock
        .omit({ uuid: true, pipelines: true })
        .extend({
          status: z.enum(blockStatuses),
          executor_config: anyObject.nullable(),
          executor_type: z.string(),
          retry_config: anyObject.nullable(),
        })
        .partial(),
      assumptions: ['unknown-upstream', 'pipeline-rename'],
      run: updateBlock,
    },
    {
      id: 'deleteBlock',
      title: 'Delete block',
      action: 'delete',
      section: 'Delete block',
      routes: [
        { method: 'DELETE', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'documented' },
      ],
      parameters: [
        { name: 'block_type', type: 'string', description: 'A block type value.', example: 'data_loader' },
        {
          name: 'force',
          type: 'boolean',
          description: 'True deletes a block that others depend on.',
          example: 'True',
          allowed: [...setValues, ...unsetValues],
        },
      ],
      assumptions: ['delete-refused', 'force-values', 'force-effect', 'block-type-query'],
      run: deleteBlock,
    },
  ],
})

function createBlock({ model, attributes, parent, now }: ActionContext): WireRecord {
  const { pipelines = [], ...written } = attributes
  const uuid = toUuid(String(written.uuid ?? written.name))
  const named = (pipelines as string[]).filter((candidate) => candidate !== parent!.uuid)
  const unknown = named.find((candidate) => !model.table('pipelines').get(candidate))
  if (unknown !== undefined)
    throw recordInvalid(`block.pipelines: no pipeline has the uuid ${quote(unknown)}.`)
  const homes = [String(parent!.uuid), ...new Set(named)]
  for (const home of homes) {
    if (model.table('blocks').get(`${home}/${uuid}`)) {
      throw recordInvalid(
        `block.name: the pipeline ${quote(home)} has a block with the uuid ${quote(uuid)} already; choose another name.`,
      )
    }
  }
  const [created] = homes.map((home) => placeBlock(model, { ...written, uuid, pipeline_uuid: home }))
  for (const home of homes) touchPipeline(model, home, now)
  return created!
}

function updateBlock({ model, record, attributes, parent, now }: ActionContext): WireRecord {
  const blocks = model.table('blocks')
  const { upstream_blocks: asked, priority, ...written } = attributes
  let next = blocks.change(record!, written)
  if (asked !== undefined) {
    const before = next.upstream_blocks as string[]
    const upstream = knownBlocks(model, parent!.uuid, asked as string[]).filter((uuid) => uuid !== next.uuid)
    next = blocks.change(next, { upstream_blocks: upstream })
    link(model, parent!.uuid, String(next.uuid), before, upstream)
  }
  if (priority !== undefined) next = moveBlock(model, next, Number(priority))
  next = settleExecution(model, next)
  for (const downstream of knownBlocks(model, parent!.uuid, next.downstream_blocks as string[])) {
    settleExecution(model, blocks.get(`${parent!.uuid}/${downstream}`)!)
  }
  touchPipeline(model, String(parent!.uuid), now)
  return next
}

function deleteBlock({ model, record, parent, query, now }: ActionContext): WireRecord {
  const blocks = model.table('blocks')
  const dependants = record!.downstream_blocks as string[]
  const forced = (setValues as readonly string[]).includes(String(query.force ?? ''))
  if (dependants.length > 0 && !forced) {
    throw recordInvalid(
      `The block ${quote(record!.uuid)} has downstream blocks: ${dependants.join(', ')}. Delete them first, or pass force=True.`,
    )
  }
  blocks.remove(record!)
  for (const neighbour of blocks.where('pipeline_uuid', parent!.uuid)) {
    const without = (uuids: unknown) => (uuids as string[]).filter((uuid) => uuid !== record!.uuid)
    const touches =
      (neighbour.upstream_blocks as string[]).includes(String(record!.uuid)) ||
      (neighbour.downstream_blocks as string[]).includes(String(record!.uuid))
    const later = Number(neighbour.priority) > Number(record!.priority)
    if (!touches && !later) continue
    const changed = blocks.change(neighbour, {
      upstream_blocks: without(neighbour.upstream_blocks),
      downstream_blocks: without(neighbour.downstream_blocks),
      priority: Number(neighbour.priority) - (later ? 1 : 0),
    })
    settleExecution(model, changed)
  }
  touchPipeline(model, String(parent!.uuid), now)
  return record!
}
