import * as z from 'zod'
import { explainInterval, namedIntervals } from '../../wire/schedule-times.ts'
import { anyObject, datetime, id, timestamp } from '../attributes.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `schedule_type` and `status` (`schedule-values`; the document shows `time` and `inactive`). */
export const scheduleTypes = ['time', 'api', 'event'] as const
export const scheduleStatuses = ['active', 'inactive'] as const

const allowedIntervals = `one of ${namedIntervals.join(', ')}, or a cron line such as 30 2 * * 1-5`

/** How often a schedule fires: a name, or a cron line of five fields, or six with seconds first; in UTC. */
const scheduleInterval = z.string().superRefine((text, context) => {
  const reason = explainInterval(text)
  if (reason !== undefined) context.addIssue({ code: 'custom', message: `${allowedIntervals} (${reason})` })
})

const settings = z
  .object({ skip_if_previous_running: z.boolean().optional(), allow_blocks_to_fail: z.boolean().optional() })
  .loose()

/** A stored schedule (the document, "Pipeline schedule"). */
export const attributes = z.object({
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

export const references = { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } } as const

/** What a client may write when it creates a schedule. */
export const newSchedule = z.object({
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

/** What a client may write when it updates one. */
export const changedSchedule = newSchedule.partial()
