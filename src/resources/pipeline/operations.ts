import { quote, recordInvalid, recordNotFound } from '../../shared/errors.ts'
import * as limits from '../../shared/limits.ts'
import { toUuid } from '../../shared/uuid-rule.ts'
import { boundBlocks, placeBlock } from '../block/graph.ts'
import { defineOperation } from '../define-operation.ts'
import { paging } from '../resource.ts'
import { presents } from './presenter.ts'
import { movePipeline } from './rename.ts'
import { changedPipeline, newPipeline } from './schema.ts'

const includeSchedules = {
  name: 'include_schedules',
  type: 'integer',
  adds: { attributes: ['schedules'], when: ['1'] },
} as const

export const createPipeline = defineOperation(
  'pipelines',
  {
    id: 'createPipeline',
    action: 'create',
    section: 'Create pipeline',
    routes: [{ method: 'POST', path: '/api/pipelines', basis: 'documented' }],
    writes: newPipeline,
    most: { conditionals: limits.conditionals },
  },
  ({ model, attributes }) => {
    const { clone_pipeline_uuid: sourceUuid, conditionals = [], ...written } = attributes
    const pipelines = model.table('pipelines')
    const uuid = toUuid(attributes.name, model.switches['pipeline-uuid-rule'])
    if (pipelines.get(uuid)) {
      throw recordInvalid(
        `pipeline.name: a pipeline with the uuid ${quote(uuid)} exists already; choose another name.`,
      )
    }
    const source = sourceUuid === undefined ? undefined : pipelines.get(sourceUuid)
    if (sourceUuid !== undefined && source === undefined) {
      const { singular, key } = pipelines.resource
      throw recordNotFound(singular, key, sourceUuid)
    }
    const cloned = source ? model.table('blocks').where('pipeline_uuid', source.uuid) : []
    const given = conditionals.map((conditional) => ({
      ...conditional,
      type: 'conditional' as const,
      uuid: toUuid(conditional.uuid ?? conditional.name),
      pipeline_uuid: uuid,
    }))
    const uuids = new Set<string>()
    const repeated = [...cloned, ...given].find(({ uuid: each }) => uuids.size === uuids.add(each).size)?.uuid
    if (repeated !== undefined) {
      throw recordInvalid(`pipeline.conditionals: two blocks have the uuid ${quote(repeated)}.`)
    }
    boundBlocks(uuid, cloned.length + given.length)
    const created = pipelines.insert({ ...source, updated_at: null, ...written, uuid })
    for (const block of cloned) model.table('blocks').insert({ ...block, pipeline_uuid: uuid })
    for (const block of given) placeBlock(model, block)
    return created
  },
)

export const listPipelines = defineOperation('pipelines', {
  id: 'listPipelines',
  action: 'list',
  section: 'Read pipelines',
  routes: [{ method: 'GET', path: '/api/pipelines', basis: 'documented' }],
  parameters: [includeSchedules, ...paging],
})

export const readPipeline = defineOperation('pipelines', {
  id: 'readPipeline',
  action: 'detail',
  section: 'Read pipelines',
  routes: [{ method: 'GET', path: '/api/pipelines/:uuid', basis: 'documented' }],
  parameters: [includeSchedules],
  presents: [...presents, 'extensions'],
})

export const updatePipeline = defineOperation(
  'pipelines',
  {
    id: 'updatePipeline',
    action: 'update',
    routes: [{ method: 'PUT', path: '/api/pipelines/:uuid', basis: 'convention' }],
    writes: changedPipeline,
  },
  ({ model, record, attributes, now }) => {
    const changed = model.table('pipelines').change(record, { ...attributes, updated_at: now })
    const follows = model.switches['pipeline-rename'] === 'uuid follows'
    return follows && attributes.name !== undefined ? movePipeline(model, changed) : changed
  },
)

export const deletePipeline = defineOperation('pipelines', {
  id: 'deletePipeline',
  action: 'delete',
  routes: [{ method: 'DELETE', path: '/api/pipelines/:uuid', basis: 'convention' }],
})
