import { defineOperation } from '../define-operation.ts'
import { paging, setValues, unsetValues } from '../resource.ts'
import { setStatus, stopRuns } from './life.ts'
import { changedBackfill, newBackfill } from './schema.ts'

export const listBackfills = defineOperation('backfills', {
  id: 'listBackfills',
  action: 'list',
  section: 'Read backfills',
  routes: [
    { method: 'GET', path: '/api/backfills', basis: 'documented' },
    { method: 'GET', path: '/api/pipelines/:pipeline_uuid/backfills', basis: 'convention' },
  ],
  parameters: [
    ...paging,
    {
      name: 'pipeline_uuid',
      type: 'string',
      filter: { attribute: 'pipeline_uuid', match: 'equal' },
    },
    {
      name: 'include_run_count',
      type: 'boolean',
      allowed: [...setValues, ...unsetValues],
      adds: { attributes: ['total_run_count'], when: setValues },
    },
  ],
})

export const createBackfill = defineOperation('backfills', {
  id: 'createBackfill',
  action: 'create',
  section: 'Create backfill',
  routes: [
    { method: 'POST', path: '/api/pipelines/:pipeline_uuid/backfills', basis: 'documented' },
    { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/backfills', basis: 'documented' },
  ],
  writes: newBackfill,
  timestamps: 'seconds',
})

export const readBackfill = defineOperation('backfills', {
  id: 'readBackfill',
  action: 'detail',
  routes: [{ method: 'GET', path: '/api/backfills/:backfill_id', basis: 'convention' }],
})

export const updateBackfill = defineOperation(
  'backfills',
  {
    id: 'updateBackfill',
    action: 'update',
    section: 'Update backfill',
    routes: [
      { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id', basis: 'documented' },
      { method: 'PUT', path: '/api/backfills/:backfill_id', basis: 'convention' },
    ],
    writes: changedBackfill,
    timestamps: 'seconds',
  },
  ({ model, record, attributes, now }) => setStatus(model, record, attributes, now),
)

export const deleteBackfill = defineOperation(
  'backfills',
  {
    id: 'deleteBackfill',
    action: 'delete',
    section: 'Delete backfill',
    routes: [
      { method: 'DELETE', path: '/api/backfills/:backfill_id', basis: 'documented' },
      { method: 'DELETE', path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id', basis: 'convention' },
    ],
    timestamps: 'seconds',
  },
  ({ model, record, now }) => {
    stopRuns(model, record, now)
    return model.table('backfills').remove(record)
  },
)
