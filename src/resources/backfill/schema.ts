import * as z from 'zod/mini'
import { intervalTypes } from '../../shared/intervals.ts'
import {
  anyObject,
  datetime,
  id,
  nonEmptyText,
  nullByDefault,
  positiveInteger,
  timestamp,
} from '../attributes.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `status` (spec, "Backfill"). */
export const backfillStatuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** A stored backfill (spec, "Backfill"). */
export const attributes = z.object({
  id,
  name: z.string(),
  pipeline_uuid: z.string(),
  pipeline_schedule_id: nullByDefault(z.int()),
  block_uuid: nullByDefault(z.string()),
  start_datetime: nullByDefault(timestamp),
  end_datetime: nullByDefault(timestamp),
  interval_type: nullByDefault(z.enum(intervalTypes)),
  interval_units: nullByDefault(z.int()),
  status: nullByDefault(z.enum(backfillStatuses)),
  variables: nullByDefault(anyObject),
  metrics: nullByDefault(anyObject),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: nullByDefault(timestamp),
  completed_at: nullByDefault(timestamp),
  failed_at: nullByDefault(timestamp),
  due_at: nullByDefault(timestamp),
  run_script: nullByDefault(runScript),
})

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'clear' },
} as const

/**
 * Attributes that a client may write when it creates a backfill: all but `status`
 * (`backfill-status-on-create`).
 */
export const newBackfill = z.object({
  name: nonEmptyText,
  block_uuid: z.nullish(z.string()),
  start_datetime: z.nullish(datetime),
  end_datetime: z.nullish(datetime),
  interval_type: z.nullish(z.enum(intervalTypes)),
  interval_units: z.nullish(positiveInteger),
  variables: z.nullish(anyObject),
})

/** Attributes that a client may write when it updates a backfill (spec, "Update backfill"). */
export const changedBackfill = z.object({
  ...newBackfill.shape,
  name: z.optional(nonEmptyText),
  status: z.optional(z.enum(backfillStatuses)),
  pipeline_schedule_id: z.nullish(id),
  metrics: z.nullish(anyObject),
  started_at: z.nullish(datetime),
  completed_at: z.nullish(datetime),
  failed_at: z.nullish(datetime),
})
