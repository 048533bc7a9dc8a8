import { quote, recordInvalid } from '../../wire/errors.ts'
import { type Slices, workOf } from '../../wire/slices.ts'
import { toUuid } from '../../wire/uuid-rule.ts'
import { operationsOf } from '../define-operation.ts'
import type { RecordOf } from '../records.ts'
import { setValues, unsetValues } from '../resource.ts'
import {
  boundBlocks,
  joinUpstream,
  knownBlocks,
  moveBlock,
  placeBlock,
  settleExecution,
  takeBlock,
  touchPipeline,
} from './graph.ts'
import { presents } from './presenter.ts'
import { changedBlock, newBlock } from './schema.ts'

const operation = operationsOf<'blocks', never, 'pipelines'>()

export const createBlock = operation({
  id: 'createBlock',
  title: 'Create block',
  action: 'create',
  section: 'Create block',
  routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'documented' }],
  writes: newBlock,
  presents: ['content', 'name', 'priority', 'config', 'language', 'type', 'configuration', 'upstream_blocks'],
  run({ model, attributes, parent, now }) {
    const { pipelines = [], ...written } = attributes
    const uuid = toUuid(written.uuid ?? written.name, model.switches['pipeline-uuid-rule'])
    const named = pipelines.filter((candidate) => candidate !== parent.uuid)
    const unknown = named.find((candidate) => !model.table('pipelines').get(candidate))
    if (unknown !== undefined)
      throw recordInvalid(`block.pipelines: no pipeline has the uuid ${quote(unknown)}.`)
    const homes = [...new Set(named)]
    const blocks = model.table('blocks')
    for (const home of [parent.uuid, ...homes]) {
      boundBlocks(home, blocks.countWhere('pipeline_uuid', home) + 1)
      if (blocks.get(`${home}/${uuid}`)) {
        throw recordInvalid(
          `block.name: the pipeline ${quote(home)} has a block with the uuid ${quote(uuid)} already; choose another name.`,
        )
      }
    }
    const all = [parent.uuid, ...homes]
    function* place(): Slices<RecordOf<'blocks'>> {
      let created: RecordOf<'blocks'> | undefined
      for (const home of all) {
        const placed = yield* placeBlock(model, { ...written, uuid, pipeline_uuid: home })
        created ??= placed
      }
      for (const home of all) {
        touchPipeline(model, home, now)
        yield
      }
      return created!
    }
    return workOf(homes.length * 10 + blocks.countWhere('pipeline_uuid', parent.uuid), place())
  },
})

export const listBlocks = operation({
  id: 'listBlocks',
  title: 'Read blocks',
  action: 'list',
  section: 'What the service does',
  routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks', basis: 'convention' }],
  parameters: [],
})

export const readBlock = operation({
  id: 'readBlock',
  title: 'Read block',
  action: 'detail',
  section: 'Read block',
  routes: [{ method: 'GET', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'documented' }],
  presents: [...presents, 'content', 'outputs'],
})

export const updateBlock = operation({
  id: 'updateBlock',
  title: 'Update block',
  action: 'update',
  section: 'What the service does',
  routes: [{ method: 'PUT', path: '/api/pipelines/:pipeline_uuid/blocks/:block_uuid', basis: 'convention' }],
  writes: changedBlock,
  run({ model, record, attributes, parent, now }) {
    const blocks = model.table('blocks')
    const { upstream_blocks: asked, priority, ...written } = attributes
    function* update(): Slices<RecordOf<'blocks'>> {
      let next = blocks.change(record, written)
      if (asked !== undefined) next = joinUpstream(model, next, asked)
      if (priority !== undefined) next = yield* moveBlock(model, next, priority)
      next = settleExecution(model, next)
      for (const downstream of knownBlocks(model, parent.uuid, next.downstream_blocks)) {
        settleExecution(model, downstream)
        yield
      }
      touchPipeline(model, parent.uuid, now)
      return next
    }
    return workOf(blocks.countWhere('pipeline_uuid', parent.uuid), update())
  },
})

export const deleteBlock = operation({
  id: 'deleteBlock',
  title: 'Delete block',
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
  run({ model, record, parent, query, now }) {
    const dependants = record.downstream_blocks
    const isForced = setValues.some((value) => value === query.force)
    if (dependants.length > 0 && !isForced) {
      throw recordInvalid(
        `The block ${quote(record.uuid)} has downstream blocks: ${dependants.join(', ')}. Delete them first, or pass force=True.`,
      )
    }
    function* remove(): Slices<RecordOf<'blocks'>> {
      yield* takeBlock(model, record)
      touchPipeline(model, parent.uuid, now)
      return record
    }
    return workOf(model.table('blocks').countWhere('pipeline_uuid', parent.uuid), remove())
  },
})
