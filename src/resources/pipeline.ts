import * as z from 'zod'
import { quote, recordInvalid, recordNotFound } from '../wire/errors.ts'
import { toUuid } from '../wire/uuid-rule.ts'
import { anyObject, timestamp } from './attributes.ts'
import { newBlock } from './block.ts'
import { placeBlock } from './block-graph.ts'
import {
  type ActionContext,
  type Derived,
  defineResource,
  paging,
  type QueryParameter,
  type WireRecord,
} from './define-resource.ts'
import { countReadOfNewest } from './run-life.ts'
import { runScript } from './run-script.ts'

/** The values of `type` (the document, "Pipeline"). */
export const pipelineTypes = ['integration', 'pyspark', 'python', 'streaming'] as const

const attributes = z.object({
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

const presents = [
  'uuid', 'name', 'type', 'description', 'data_integration', 'executor_config', 'executor_count', 'executor_type',
  'notification_config', 'spark_config', 'updated_at', 'blocks', 'callbacks', 'conditionals', 'widgets',
] as const // biome-ignore format: one list, in the document's order

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

const includeSchedules: QueryParameter = {
  name: 'include_schedules',
  type: 'integer',
  description: 'When 1, each pipeline carries its triggers under `schedules`.',
  example: 1,
  adds: { attributes: ['schedules'], when: ['1'] },
}

export const pipeline = defineResource({
  singular: 'pipeline',
  plural: 'pipelines',
  key: 'uuid',
  attributes,
  order: { by: 'uuid' },
  presents,
  derived: {
    blocks: blocksOf((type) => type !== 'callback' && type !== 'conditional' && type !== 'chart'),
    callbacks: blocksOf((type) => type === 'callback'),
    conditionals: blocksOf((type) => type === 'conditional'),
    widgets: blocksOf((type) => type === 'chart'),
    schedules: (record, model, present) =>
      `[${model
        .table('pipeline_schedules')
        .where('pipeline_uuid', record.uuid)
        .map((schedule) => present('pipeline_schedules', schedule))
        .reverse()
        .join(',')}]`,
  },
  seen: (record, model, shows) => {
    if (!shows('schedules')) return
    for (const schedule of model.table('pipeline_schedules').where('pipeline_uuid', record.uuid))
      countReadOfNewest(schedule, model)
  },
  complete: (record) => ({ uuid: toUuid(String(record.name ?? '')), name: record.uuid, ...record }),
  operations: [
    {
      id: 'createPipeline',
      title: 'Create pipeline',
      action: 'create',
      section: 'Create pipeline',
      routes: [{ method: 'POST', path: '/api/pipelines', basis: 'documented' }],
      writes: z.object({
        name: z.string().min(1),
        ...writable,
        clone_pipeline_uuid: z.string().optional(),
        conditionals: z.array(newBlock.omit({ type: true, pipelines: true, priority: true })).optional(),
      }),
      assumptions: [
        'pipeline-uuid-rule',
        'duplicate-name',
        'clone-field',
        'conditionals-field',
        'callback-lists',
      ],
      run: createPipeline,
    },
    {
      id: 'listPipelines',
      title: 'Read pipelines',
      action: 'list',
      section: 'Read pipelines',
      routes: [{ method: 'GET', path: '/api/pipelines', basis: 'documented' }],
      parameters: [includeSchedules, ...paging],
      assumptions: ['pipelines-list-shape', 'schedules-key', 'list-order', 'list-count', 'default-limit'],
    },
    {
      id: 'readPipeline',
      title: 'Read one pipeline',
      action: 'detail',
      section: 'Read pipelines',
      routes: [{ method: 'GET', path: '/api/pipelines/:uuid', basis: 'documented' }],
      parameters: [includeSchedules],
      presents: [...presents, 'extensions'],
      assumptions: ['schedules-key', 'not-found'],
    },
    {
      id: 'updatePipeline',
      title: 'Update pipeline',
      action: 'update',
      section: 'What the service does',
      routes: [{ method: 'PUT', path: '/api/pipelines/:uuid', basis: 'convention' }],
      writes: z.object({ name: z.string().min(1), ...writable }).partial(),
      assumptions: ['pipeline-rename'],
      run: ({ model, record, attributes, now }) =>
        model.table('pipelines').change(record!, { ...attributes, updated_at: now }),
    },
    {
      id: 'deletePipeline',
      title: 'Delete pipeline',
      action: 'delete',
      section: 'What the service does',
      routes: [{ method: 'DELETE', path: '/api/pipelines/:uuid', basis: 'convention' }],
    },
  ],
})

function createPipeline({ model, attributes }: ActionContext): WireRecord {
  const { clone_pipeline_uuid: sourceUuid, conditionals = [], ...written } = attributes
  const pipelines = model.table('pipelines')
  const uuid = toUuid(String(attributes.name))
  if (pipelines.get(uuid)) {
    throw recordInvalid(
      `pipeline.name: a pipeline with the uuid ${quote(uuid)} exists already; choose another name.`,
    )
  }
  const source = sourceUuid === undefined ? undefined : pipelines.get(String(sourceUuid))
  if (sourceUuid !== undefined && source === undefined) {
    throw recordNotFound('pipeline', 'uuid', String(sourceUuid))
  }
  const cloned = source ? model.table('blocks').where('pipeline_uuid', source.uuid) : []
  const given = (conditionals as WireRecord[]).map(
    (conditional): WireRecord => ({
      ...conditional,
      type: 'conditional',
      uuid: toUuid(String(conditional.uuid ?? conditional.name)),
      pipeline_uuid: uuid,
    }),
  )
  const uuids = [...cloned, ...given].map((block) => block.uuid)
  const repeated = uuids.find((candidate, index) => uuids.indexOf(candidate) < index)
  if (repeated !== undefined) {
    throw recordInvalid(`pipeline.conditionals: two blocks have the uuid ${quote(repeated)}.`)
  }

  const created = pipelines.insert({ ...source, updated_at: null, ...written, uuid })
  for (const block of cloned) model.table('blocks').insert({ ...block, pipeline_uuid: uuid })
  for (const block of given) placeBlock(model, block)
  return created
}

function blocksOf(holds: (type: unknown) => boolean): Derived {
  return (record, model, present) =>
    `[${model
      .table('blocks')
      .where('pipeline_uuid', record.uuid)
      .filter((candidate) => holds(candidate.type))
      .map((candidate) => present('blocks', candidate))
      .join(',')}]`
}
