import { operationsOf } from '../define-operation.ts'
import { paging } from '../resource.ts'
import { changedSchedule, newSchedule } from './schema.ts'

const operation = operationsOf<'pipeline_schedules'>()

export const listPipelineSchedules = operation({
  id: 'listPipelineSchedules',
  action: 'list',
  section: 'Read pipeline schedules',
  routes: [
    { method: 'GET', path: '/api/pipelines/:pipeline_uuid/pipeline_schedules', basis: 'documented' },
    { method: 'GET', path: '/api/pipeline_schedules', basis: 'convention' },
  ],
  parameters: [
    {
      name: 'tag[]',
      type: 'string',
      filter: { attribute: 'tags', match: 'any' },
    },
    ...paging,
  ],
})

export const createPipelineSchedule = operation({
  id: 'createPipelineSchedule',
  action: 'create',
  routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uuid/pipeline_schedules', basis: 'convention' }],
  writes: newSchedule,
})

export const readPipelineSchedule = operation({
  id: 'readPipelineSchedule',
  action: 'detail',
  routes: [{ method: 'GET', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
})

export const updatePipelineSchedule = operation({
  id: 'updatePipelineSchedule',
  action: 'update',
  routes: [{ method: 'PUT', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
  writes: changedSchedule,
})

export const deletePipelineSchedule = operation({
  id: 'deletePipelineSchedule',
  action: 'delete',
  routes: [{ method: 'DELETE', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
})
