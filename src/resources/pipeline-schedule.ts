import * as z from 'zod'
import type { Model } from '../factories/model.ts'
import { seededHex } from '../wire/seeded.ts'
import { type Timestamp, toMilliseconds } from '../wire/timestamps.ts'
import { anyObject, datetime, id, timestamp } from './attributes.ts'
import { defineResource, paging, type WireRecord } from './define-resource.ts'
import { countReadOfNewest, isUnderWay, startRun } from './run-life.ts'
import { runScript } from './run-script.ts'
import {
  isAlwaysOn,
  isArmed,
  planFiring,
  rememberFiring,
  resumeAfter,
  scheduleInterval,
  timeAfter,
} from './schedule-plan.ts'

/** The values of `schedule_type` and `status` (`schedule-values`; the document shows `time` and `inactive`). */
export const scheduleTypes = ['time', 'api', 'event'] as const
export const scheduleStatuses = ['active', 'inactive'] as const

/** The most runs a schedule fires in one settlement: a minutely line and a year's advance stay bounded. */
const mostFirings = 10_000

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
  /** When it last fired by itself. */
  fired_at: timestamp.nullable().default(null),
  /** When it fires next by itself; a record that has it not is planned when it is written. */
  fires_at: timestamp.nullable().optional(),
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
  secrets: ['token'],
  derived: {
    last_pipeline_run_status: (record, model) =>
      JSON.stringify(model.table('pipeline_runs').last('pipeline_schedule_id', record.id)?.status ?? null),
    pipeline_runs_count: (record, model) =>
      String(model.table('pipeline_runs').countWhere('pipeline_schedule_id', record.id)),
  },
  plan: planFiring,
  due: {
    at: 'fires_at',
    run: fireSchedule,
    limit: {
      most: mostFirings,
      skip: (record, model, until) =>
        void model.table('pipeline_schedules').change(record, { fires_at: resumeAfter(record, until) }),
    },
  },
  remembers: rememberFiring,
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
      assumptions: ['schedule-values', 'schedule-defaults', 'schedule-firing', 'datetime-input'],
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
      assumptions: ['schedule-values', 'schedule-firing', 'datetime-input'],
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

/** Starts the run a schedule owes at this moment, and plans the next; one that is always on waits for its run to end. */
function fireSchedule(schedule: WireRecord, model: Model): void {
  const due = schedule.fires_at as Timestamp
  const newest = model.table('pipeline_runs').last('pipeline_schedule_id', schedule.id)
  const isBusy = newest !== undefined && isUnderWay(newest)
  const { skip_if_previous_running: skips } = schedule.settings as z.infer<typeof settings>
  const waits = isAlwaysOn(schedule)
  const fires = isArmed(schedule) && !(isBusy && (waits || skips === true))
  const next = waits || !isArmed(schedule) ? null : timeAfter(schedule, toMilliseconds(due))
  model.table('pipeline_schedules').change(schedule, { fires_at: next, ...(fires ? { fired_at: due } : {}) })
  if (!fires) return
  startRun(model, {
    pipeline_schedule_id: schedule.id,
    pipeline_uuid: schedule.pipeline_uuid,
    execution_date: due,
    variables: schedule.variables ?? {},
    created_at: due,
  })
}
