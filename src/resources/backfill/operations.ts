import { operationsOf } from '../define-operation.ts'
import { paging, setValues, unsetValues } from '../resource.ts'
import { setStatus, stopRuns } from './life.ts'
import type { derived } from './presenter.ts'
import { changedBackfill, newBackfill } from './schema.ts'

const operation = operationsOf<'backfills', keyof typeof derived>()

export const listBackfills = operation({
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

export const createBackfill = operation({
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

export const readBackfill = operation({
  id: 'readBackfill',
  action: 'detail',
  routes: [{ method: 'GET', path: '/api/backfills/:backfill_id', basis: 'convention' }],
})

export const updateBackfill = operation({
  id: 'updateBackfill',
  action: 'update',
  section: 'Update backfill',
  routes: [
    { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id', basis: 'documented' },
    { method: 'PUT', path: '/api/backfills/:backfill_id', basis: 'convention' },
  ],
  writes: changedBackfill,
  timestamps: 'seconds',
  run: ({ model, record, attributes, now }) => setStatus(model, record, attributes, now),
})

export const deleteBackfill = operation({
  id: 'deleteBackfill',
  action: 'delete',
  section: 'Delete backfill',
  routes: [
    { method: 'DELETE', path: '/api/backfills/:backfill_id', basis: 'documented' },
    { method: 'DELETE', path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id', basis: 'convention' },
  ],
  timestamps: 'seconds',
  run({ model, record, now }) {
    stopRuns(model, record, now)
    return model.table('backfills').remove(record)
  },
})
