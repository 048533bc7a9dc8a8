import * as z from 'zod'
import { ApiError } from '../wire/errors.ts'
import { anyObject, id, timestamp } from './attributes.ts'
import { type ActionContext, defineResource, paging, type WireRecord } from './define-resource.ts'
import { countRead, planRun, setRunStatus, settleRun, startRun, wakeOthers } from './run-life.ts'
import { endStatuses, runScript, runSteps, underWayStatuses } from './run-script.ts'

/** The values of `status`: `running` is the document's, the others are the assumption `run-values`. */
export const pipelineRunStatuses = [...underWayStatuses, ...endStatuses] as const

const attributes = z.object({
  id,
  pipeline_schedule_id: z.int(),
  pipeline_uuid: z.string(),
  execution_date: timestamp,
  status: z.enum(pipelineRunStatuses).default('running'),
  completed_at: timestamp.nullable().default(null),
  variables: anyObject.default({}),
  event_variables: anyObject.default({}),
  passed_sla: z.boolean().default(false),
  metrics: anyObject.nullable().default(null),
  backfill_id: z.int().nullable().default(null),
  created_at: timestamp,
  updated_at: timestamp,
  run_script: runScript.nullable().default(null),
  /** When the present step is over, or how many reads it still lasts for; neither: until somebody moves it on. */
  ends_at: timestamp.nullable().default(null),
  reads_left: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('How many reads the present step of a run still lasts for.'),
  next_steps: runSteps.default([]).describe('What a run still has before it; `run_script` writes it.'),
  /** How a run of a fixture ends that has an end and no steps. */
  ends_as: z
    .enum(endStatuses)
    .default('completed')
    .describe('How a run ends at `ends_at` that has no `next_steps`.'),
})

export const pipelineRun = defineResource({
  singular: 'pipeline_run',
  plural: 'pipeline_runs',
  key: 'id',
  attributes,
  references: {
    pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
    pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'delete' },
    backfill_id: { plural: 'backfills', whenDeleted: 'clear' },
  },
  shownIn: 'pipeline_schedule_id',
  order: { by: 'created_at', newestFirst: true },
  presents: [
    'id', 'pipeline_schedule_id', 'pipeline_uuid', 'execution_date', 'status', 'completed_at', 'variables',
    'event_variables', 'passed_sla', 'metrics', 'backfill_id', 'created_at', 'updated_at',
  ], // biome-ignore format: one list, in the document's order
  complete: (record, { now }) => ({
    created_at: now,
    updated_at: record.completed_at ?? record.created_at ?? now,
    execution_date: record.created_at ?? now,
    ...record,
  }),
  plan: planRun,
  due: { at: 'ends_at', run: settleRun },
  counts: 'reads_left',
  seen: countRead,
  operations: [
    {
      id: 'triggerPipeline',
      title: 'Trigger pipeline',
      action: 'create',
      section: 'Trigger pipeline',
      routes: [
        {
          method: 'POST',
          path: '/api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs/:token',
          basis: 'documented',
        },
      ],
      body: 'free-form',
      credentials: 'none',
      findsItself: true,
      metadata: 'none',
      assumptions: [
        'trigger-credentials',
        'trigger-body',
        'trigger-inactive',
        'trigger-wrong-token',
        'run-lifecycle',
      ],
      run: triggerPipeline,
    },
    {
      id: 'createPipelineRun',
      title: 'Create pipeline run',
      action: 'create',
      section: 'What the service does',
      routes: [
        {
          method: 'POST',
          path: '/api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs',
          basis: 'convention',
        },
      ],
      writes: z.object({ variables: anyObject.optional(), event_variables: anyObject.optional() }),
      assumptions: ['trigger-routes', 'run-lifecycle'],
      run: ({ model, parent, attributes }) =>
        startRun(model, {
          ...attributes,
          pipeline_schedule_id: parent!.id,
          pipeline_uuid: parent!.pipeline_uuid,
        }),
    },
    {
      id: 'listPipelineRuns',
      title: 'Read pipeline runs',
      action: 'list',
      section: 'What the service does',
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
          description: 'Pipeline whose runs are read.',
          example: 'daily_sales',
          filter: { attribute: 'pipeline_uuid', match: 'equal' },
        },
        {
          name: 'status',
          type: 'string',
          description: 'Only runs in this status are returned.',
          example: 'running',
          allowed: pipelineRunStatuses,
          filter: { attribute: 'status', match: 'equal' },
        },
      ],
      assumptions: ['list-order', 'list-count', 'default-limit', 'run-filters'],
    },
    {
      id: 'readPipelineRun',
      title: 'Read one pipeline run',
      action: 'detail',
      section: 'What the service does',
      routes: [{ method: 'GET', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
      assumptions: ['not-found'],
    },
    {
      id: 'updatePipelineRun',
      title: 'Update pipeline run',
      action: 'update',
      section: 'What the service does',
      routes: [{ method: 'PUT', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
      writes: z.object({ status: z.enum(pipelineRunStatuses), variables: anyObject }).partial(),
      assumptions: ['run-values', 'run-lifecycle'],
      run: ({ model, record, attributes, now }) => {
        const { status, ...written } = attributes
        const changed = model.table('pipeline_runs').change(record!, { ...written, updated_at: now })
        return status === undefined || status === record!.status
          ? changed
          : setRunStatus(model, changed, String(status), now)
      },
    },
    {
      id: 'deletePipelineRun',
      title: 'Delete pipeline run',
      action: 'delete',
      section: 'What the service does',
      routes: [{ method: 'DELETE', path: '/api/pipeline_runs/:pipeline_run_id', basis: 'convention' }],
      run: ({ model, record, now }) => {
        model.table('pipeline_runs').remove(record!)
        wakeOthers(model, record!, now)
        return record!
      },
    },
  ],
})

function triggerPipeline({ model, parameters, attributes, bearer }: ActionContext): WireRecord {
  const { pipeline_schedule_id: scheduleId = '', token = bearer } = parameters
  const schedule = model.table('pipeline_schedules').get(scheduleId)
  // The same reply for a wrong id and a wrong token: it does not tell which (`trigger-wrong-token`).
  if (schedule === undefined || schedule.token !== token) {
    throw new ApiError('record_not_found', 'No pipeline_schedule has this id and token.', {
      singular: 'pipeline_schedule',
      value: scheduleId,
    })
  }
  const isCopied = model.switches['trigger-body'] === 'copied'
  return startRun(model, {
    pipeline_schedule_id: schedule.id,
    pipeline_uuid: schedule.pipeline_uuid,
    ...(isCopied ? { event_variables: attributes } : unwrapVariables(attributes)),
  })
}

/** Takes what a body has under `pipeline_run.variables` for the run's variables, and the rest for the event's. */
function unwrapVariables({ pipeline_run: wrapped, ...rest }: WireRecord): WireRecord {
  const variables = anyObject.safeParse((wrapped as WireRecord | undefined)?.variables)
  return { variables: variables.success ? variables.data : {}, event_variables: rest }
}
