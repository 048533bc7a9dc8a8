import { ApiError } from '../../shared/errors.ts'
import { anyObject } from '../attributes.ts'
import { defineOperation, type PathTokenContext } from '../define-operation.ts'
import type { ValuesOf } from '../records.ts'
import { paging, type WireRecord } from '../resource.ts'
import { setRunStatus, startRun, wakeOthers } from './life.ts'
import { changedRun, newRun, pipelineRunStatuses } from './schema.ts'

/** Path that triggers a run. It contains its own credential. */
const triggerPath = '/api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs/:token'

export const triggerPipeline = defineOperation(
  'pipeline_runs',
  {
    id: 'triggerPipeline',
    action: 'create',
    section: 'Trigger pipeline',
    routes: [
      {
        method: 'POST',
        path: triggerPath,
        basis: 'documented',
      },
    ],
    body: 'free-form',
    credentials: 'none',
    findsItself: true,
    metadata: 'none',
    authorizePathToken: (context) => findTriggered(context) !== undefined,
  },
  (context) => {
    const { model, parameters, attributes } = context
    const schedule = findTriggered(context)
    // The reply does not reveal whether the id or the token is wrong (`trigger-wrong-token`).
    if (schedule === undefined) {
      throw new ApiError('record_not_found', 'No pipeline_schedule has this id and token.', {
        singular: model.table('pipeline_schedules').resource.singular,
        value: parameters.pipeline_schedule_id ?? '',
      })
    }
    const isCopied = model.switches['trigger-body'] === 'copied'
    if (model.switches['trigger-inactive'] === 'becomes active' && schedule.status !== 'active')
      model.table('pipeline_schedules').change(schedule, { status: 'active' })
    return startRun(model, {
      pipeline_schedule_id: schedule.id,
      pipeline_uuid: schedule.pipeline_uuid,
      ...(isCopied ? { event_variables: attributes } : unwrapVariables(attributes)),
    })
  },
)

export const createPipelineRun = defineOperation(
  'pipeline_runs',
  {
    id: 'createPipelineRun',
    action: 'create',
    routes: [
      {
        method: 'POST',
        path: '/api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs',
        basis: 'convention',
      },
    ],
    writes: newRun,
  },
  ({ model, parent, attributes }) =>
    startRun(model, {
      ...attributes,
      pipeline_schedule_id: parent.id,
      pipeline_uuid: parent.pipeline_uuid,
    }),
)

export const listPipelineRuns = defineOperation('pipeline_runs', {
  id: 'listPipelineRuns',
  action: 'list',
  routes: [
    { method: 'GET', path: '/api/pipeline_runs', basis: 'convention' },
    {
      method: 'GET',
      path: '/api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs',
      basis: 'convention',
    },
  ],
  parameters: [
    ...paging,
    {
      name: 'pipeline_uuid',
      type: 'string',
      filter: { attribute: 'pipeline_uuid', match: 'equal' },
    },
    {
      name: 'status',
      type: 'string',
      allowed: pipelineRunStatuses,
      filter: { attribute: 'status', match: 'equal' },
    },
  ],
})

export const readPipelineRun = defineOperation('pipeline_runs', {
  id: 'readPipelineRun',
  action: 'detail',
  routes: [{ method: 'GET', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
})

export const updatePipelineRun = defineOperation(
  'pipeline_runs',
  {
    id: 'updatePipelineRun',
    action: 'update',
    routes: [{ method: 'PUT', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
    writes: changedRun,
  },
  ({ model, record, attributes, now }) => {
    const { status, ...written } = attributes
    const changed = model.table('pipeline_runs').change(record, { ...written, updated_at: now })
    return status === undefined || status === record.status
      ? changed
      : setRunStatus(model, changed, status, now)
  },
)

export const deletePipelineRun = defineOperation(
  'pipeline_runs',
  {
    id: 'deletePipelineRun',
    action: 'delete',
    routes: [{ method: 'DELETE', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
  },
  ({ model, record, now }) => {
    model.table('pipeline_runs').remove(record)
    wakeOthers(model, record, now)
    return record
  },
)

/** Returns the schedule of a path with its token, which another route has in a header. */
function findTriggered(context: PathTokenContext<typeof triggerPath>) {
  const { pipeline_schedule_id: id = '', token } = context.parameters
  const schedule = context.model.table('pipeline_schedules').get(id)
  return schedule?.token === (token ?? context.bearer) ? schedule : undefined
}

/** Reads `pipeline_run.variables` of a body as the variables of the run, and the rest as those of the event. */
function unwrapVariables({
  pipeline_run: wrapped,
  ...rest
}: WireRecord): Pick<ValuesOf<'pipeline_runs'>, 'variables' | 'event_variables'> {
  const inner = anyObject.safeParse(wrapped)
  const variables = anyObject.safeParse(inner.data?.variables)
  return { variables: variables.data ?? {}, event_variables: rest }
}
