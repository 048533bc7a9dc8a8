import * as z from 'zod/mini'
import * as limits from '../../shared/limits.ts'
import { explainInterval, namedIntervals } from '../../shared/schedule-times.ts'
import {
  anyObject,
  count,
  datetime,
  id,
  nonEmptyText,
  nullByDefault,
  timestamp,
  withDefault,
} from '../attributes.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `schedule_type` and `status` (`schedule-values`; the specification shows `time` and `inactive`). */
export const scheduleTypes = ['time', 'api', 'event'] as const
export const scheduleStatuses = ['active', 'inactive'] as const

const allowedIntervals = `one of ${namedIntervals.join(', ')}, or a cron line such as 30 2 * * 1-5`

/**
 * Schema of an interval in UTC: a name, or a cron expression of five fields, or of six with seconds first.
 */
const scheduleInterval = z.string().check(({ value, issues }) => {
  const reason = explainInterval(value)
  if (reason !== undefined)
    issues.push({ code: 'custom', input: value, message: `${allowedIntervals} (${reason})`, continue: true })
})

const settings = z.looseObject({
  skip_if_previous_running: z.optional(z.boolean()),
  allow_blocks_to_fail: z.optional(z.boolean()),
})

/** A stored schedule (spec, "Pipeline schedule"). */
export const attributes = z.object({
  id,
  name: z.string(),
  pipeline_uuid: z.string(),
  schedule_type: withDefault(z.enum(scheduleTypes), 'time'),
  start_time: timestamp,
  schedule_interval: withDefault(scheduleInterval, '@once'),
  status: withDefault(z.enum(scheduleStatuses), 'inactive'),
  variables: nullByDefault(anyObject),
  sla: nullByDefault(z.int()),
  tags: withDefault(z.array(z.string()), []),
  token: nonEmptyText,
  settings: withDefault(settings, {}),
  event_matchers: withDefault(z.array(anyObject), []),
  created_at: timestamp,
  updated_at: timestamp,
  run_script: nullByDefault(runScript),
  /** Time at which it last fired by itself. */
  fired_at: nullByDefault(timestamp),
  /** Next time at which it fires by itself; a write plans a record without this attribute. */
  fires_at: z.nullish(timestamp),
})

/** Attributes for which the specification shows values without excluding others ("Pipeline schedule"). */
export const open = ['schedule_type', 'status', 'last_pipeline_run_status'] as const

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete', most: limits.pipelineSchedules },
} as const

/** Attributes that a client may write when it creates a schedule. */
export const newSchedule = z.object({
  name: nonEmptyText,
  schedule_type: z.optional(z.enum(scheduleTypes)),
  start_time: z.optional(datetime),
  schedule_interval: z.optional(scheduleInterval),
  status: z.optional(z.enum(scheduleStatuses)),
  variables: z.nullish(anyObject),
  sla: z.nullish(count),
  tags: z.optional(z.array(z.string())),
  settings: z.optional(settings),
  event_matchers: z.optional(z.array(anyObject)),
})

/** Attributes that a client may write when it updates a schedule. */
export const changedSchedule = z.object({ ...newSchedule.shape, name: z.optional(nonEmptyText) })
