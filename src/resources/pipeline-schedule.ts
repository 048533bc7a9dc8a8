import { z } from 'zod'
import { seededHex } from '../wire/seeded.ts'
import { anyObject, datetime, id, timestamp } from './attributes.ts'
import { defineResource, paging } from './define-resource.ts'
import { countReadOfNewest } from './run-life.ts'
import { runScript } from './run-script.ts'

/** The values of `schedule_type` and `status` (`schedule-values`; the document shows `time` and `inactive`). */
export const scheduleTypes = ['time', 'api', 'event'] as const
export const scheduleStatuses = ['active', 'inactive'] as const

const namedInterval = /^@(once|hourly|daily|weekly|monthly|always_on)$/
const cronLine = /^[\d*,/\-A-Za-z?#]+( [\d*,/\-A-Za-z?#LW]+){4,5}$/
const scheduleInterval = z
  .string()
  .refine(
    (text) => namedInterval.test(text) || cronLine.test(text),
    'one of @once, @hourly, @daily, @weekly, @monthly, @always_on, or a cron line',
  )

const settings = z
  .object({ skip_if_previous_running: z.boolean().optional(), allow_blocks_to_fail: z.boolean().optional() })
  .loose()

const attributes = z.object({
  id,
  name: z.string(),
  pipeline_uuid: z.string(),
  schedule_type: z.enum(scheduleTypes).default('time'),
  start_time: timestamp,
  schedule_interval: scheduleInterval.default('@once'),
  status: z.enum(scheduleStatuses).default('inactive'),
  variables: anyObject.nullable().default(null),
  sla: z.int().nullable().default(null),
  tags: z.array(z.string()).default([]),
  token: z.string().min(1),
  settings: settings.default({}),
  event_matchers: z.array(anyObject).default([]),
  created_at: timestamp,
  updated_at: timestamp,
  run_script: runScript.nullable().default(null),
})

const newSchedule = z.object({
  name: z.string().min(1),
  schedule_type: z.enum(scheduleTypes).optional(),
  start_time: datetime.optional(),
  schedule_interval: scheduleInterval.optional(),
  status: z.enum(scheduleStatuses).optional(),
  variables: anyObject.nullable().optional(),
  sla: z.int().min(0).nullable().optional(),
  tags: z.array(z.string()).optional(),
  settings: settings.optional(),
  event_matchers: z.array(anyObject).optional(),
})

export const pipelineSchedule = defineResource({
  singular: 'pipeline_schedule',
  plural: 'pipeline_schedules',
  key: 'id',
  attributes,
  references: { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } },
  shownIn: 'pipeline_uuid',
  order: { by: 'created_at', newestFirst: true },
  presents: [
    'id', 'name', 'pipeline_uuid', 'schedule_type', 'start_time', 'schedule_interval', 'status', 'variables', 'sla',
    'tags', 'token', 'settings', 'event_matchers', 'last_pipeline_run_status', 'pipeline_runs_count', 'created_at',
    'updated_at',
  ], // biome-ignore format: one list, in the document's order
  derived: {
    last_pipeline_run_status: (record, model) =>
      JSON.stringify(model.table('pipeline_runs').last('pipeline_schedule_id', record.id)?.status ?? null),
    pipeline_runs_count: (record, model) =>
      String(model.table('pipeline_runs').countWhere('pipeline_schedule_id', record.id)),
  },
  seen: countReadOfNewest,
  complete: (record, { id, now, seed }) => ({
    name: `trigger ${id}`,
    created_at: now,
    updated_at: record.created_at ?? now,
    start_time: record.created_at ?? now,
    token: seededHex(seed, `pipeline_schedule ${id}`),
    ...record,
  }),
  operations: [
    {
      id: 'listPipelineSchedules',
      title: 'Read pipeline schedules',
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
          description: 'Only schedules with at least one of the given tags are returned; may be repeated.',
          example: 'nightly',
          filter: { attribute: 'tags', match: 'any' },
        },
        ...paging,
      ],
      assumptions: ['list-order', 'list-count', 'default-limit'],
    },
    {
      id: 'createPipelineSchedule',
      title: 'Create pipeline schedule',
      action: 'create',
      section: 'What the service does',
      routes: [
        { method: 'POST', path: '/api/pipelines/:pipeline_uuid/pipeline_schedules', basis: 'convention' },
      ],
      writes: newSchedule,
      assumptions: ['schedule-values', 'schedule-defaults', 'datetime-input'],
    },
    {
      id: 'readPipelineSchedule',
      title: 'Read one pipeline schedule',
      action: 'detail',
      section: 'What the service does',
      routes: [{ method: 'GET', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
      assumptions: ['not-found'],
    },
    {
      id: 'updatePipelineSchedule',
      title: 'Update pipeline schedule',
      action: 'update',
      section: 'What the service does',
      routes: [{ method: 'PUT', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' }],
      writes: newSchedule.partial(),
      assumptions: ['schedule-values', 'datetime-input'],
    },
    {
      id: 'deletePipelineSchedule',
      title: 'Delete pipeline schedule',
      action: 'delete',
      section: 'What the service does',
      routes: [
        { method: 'DELETE', path: '/api/pipeline_schedules/:pipeline_schedule_id', basis: 'convention' },
      ],
    },
  ],
})
