import { defineOperation } from '../define-operation.ts'
import { paging } from '../resource.ts'
import { changedSchedule, newSchedule } from './schema.ts'

export const listPipelineSchedules = defineOperation('pipeline_schedules', {
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

export const createPipelineSchedule = defineOperation('pipeline_schedules', {
  id: 'createPipelineSchedule',
  action: 'create',
  routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uuid/pipeline_schedules', basis: 'convention' }],
  writes: newSchedule,
})

export const readPipelineSchedule = defineOperation('pipeline_schedules', {
  id: 'readPipelineSchedule',
  action: 'detail',
  routes: [{ method: 'GET', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
})

export const updatePipelineSchedule = defineOperation('pipeline_schedules', {
  id: 'updatePipelineSchedule',
  action: 'update',
  routes: [{ method: 'PUT', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
  writes: changedSchedule,
})

export const deletePipelineSchedule = defineOperation('pipeline_schedules', {
  id: 'deletePipelineSchedule',
  action: 'delete',
  routes: [{ method: 'DELETE', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
})
