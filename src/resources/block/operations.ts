import { quote, recordInvalid } from '../../shared/errors.ts'
import * as limits from '../../shared/limits.ts'
import { toUuid } from '../../shared/uuid-rule.ts'
import { defineOperation } from '../define-operation.ts'
import { setValues, unsetValues } from '../resource.ts'
import {
  boundBlocks,
  joinUpstream,
  knownBlocks,
  moveBlock,
  placeBlock,
  takeBlock,
  touchPipeline,
  updateExecutionFlag,
} from './graph.ts'
import { presents } from './presenter.ts'
import { changedBlock, newBlock } from './schema.ts'

export const createBlock = defineOperation(
  'blocks',
  {
    id: 'createBlock',
    action: 'create',
    section: 'Create block',
    routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'documented' }],
    writes: newBlock,
    most: { pipelines: limits.blockPipelines },
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
  },
  ({ model, attributes, parent, now }) => {
    const { pipelines = [], ...written } = attributes
    const uuid = toUuid(written.uuid ?? written.name, model.switches['pipeline-uuid-rule'])
    const named = pipelines.filter((candidate) => candidate !== parent.uuid)
    const unknown = named.find((candidate) => !model.table('pipelines').get(candidate))
    if (unknown !== undefined)
      throw recordInvalid(`block.pipelines: no pipeline has the uuid ${quote(unknown)}.`)
    const homes = [...new Set(named)]
    const blocks = model.table('blocks')
    let together = 0
    for (const home of [parent.uuid, ...homes]) {
      const count = blocks.countWhere('pipeline_uuid', home)
      boundBlocks(home, count + 1)
      together += count
      if (blocks.get(`${home}/${uuid}`)) {
        throw recordInvalid(
          `block.name: the pipeline ${quote(home)} has a block with the uuid ${quote(uuid)} already; choose another name.`,
        )
      }
    }
    if (together > limits.sharedBlocks)
      throw recordInvalid(
        `block.pipelines: expected pipelines with at most ${limits.sharedBlocks} blocks together; found ${together}.`,
      )
    const created = placeBlock(model, { ...written, uuid, pipeline_uuid: parent.uuid })
    for (const home of homes) placeBlock(model, { ...written, uuid, pipeline_uuid: home })
    for (const home of [parent.uuid, ...homes]) touchPipeline(model, home, now)
    return created
  },
)

export const listBlocks = defineOperation('blocks', {
  id: 'listBlocks',
  action: 'list',
  routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'convention' }],
  parameters: [],
})

export const readBlock = defineOperation('blocks', {
  id: 'readBlock',
  action: 'detail',
  section: 'Read block',
  routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'documented' }],
  presents: [...presents, 'content', 'outputs'],
})

export const updateBlock = defineOperation(
  'blocks',
  {
    id: 'updateBlock',
    action: 'update',
    routes: [
      { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'convention' },
    ],
    writes: changedBlock,
  },
  ({ model, record, attributes, now }) => {
    const { upstream_blocks: upstream, priority, ...written } = attributes
    let next = model.table('blocks').change(record, written)
    if (upstream !== undefined) next = joinUpstream(model, next, upstream)
    if (priority !== undefined) next = moveBlock(model, next, priority)
    next = updateExecutionFlag(model, next)
    for (const downstream of knownBlocks(model, next.pipeline_uuid, next.downstream_blocks)) {
      updateExecutionFlag(model, downstream)
    }
    touchPipeline(model, next.pipeline_uuid, now)
    return next
  },
)

export const deleteBlock = defineOperation(
  'blocks',
  {
    id: 'deleteBlock',
    action: 'delete',
    section: 'Delete block',
    routes: [
      { method: 'DELETE', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'documented' },
    ],
    parameters: [
      { name: 'block_type', type: 'string' },
      {
        name: 'force',
        type: 'boolean',
        allowed: [...setValues, ...unsetValues],
      },
    ],
  },
  ({ model, record, query, now }) => {
    const dependants = record.downstream_blocks
    const isForced = setValues.some((value) => value === query.force)
    if (dependants.length > 0 && !isForced) {
      throw recordInvalid(
        `The block ${quote(record.uuid)} has downstream blocks: ${dependants.join(', ')}. Delete them first, or pass force=True.`,
      )
    }
    takeBlock(model, record)
    touchPipeline(model, record.pipeline_uuid, now)
    return record
  },
)
