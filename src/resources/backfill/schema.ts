import * as z from 'zod'
import { intervalTypes } from '../../wire/intervals.ts'
import { anyObject, datetime, id, timestamp } from '../attributes.ts'
import { runScript } from '../pipeline-run/script.ts'

/** The values of `status` (the document, "Backfill"). */
export const backfillStatuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** A stored backfill (the document, "Backfill"). */
export const attributes = z.object({
  id,
  name: z.string(),
  pipeline_uuid: z.string(),
  pipeline_schedule_id: z.int().nullable().default(null),
  block_uuid: z.string().nullable().default(null),
  start_datetime: timestamp.nullable().default(null),
  end_datetime: timestamp.nullable().default(null),
  interval_type: z.enum(intervalTypes).nullable().default(null),
  interval_units: z.int().nullable().default(null),
  status: z.enum(backfillStatuses).nullable().default(null),
  variables: anyObject.nullable().default(null),
  metrics: anyObject.nullable().default(null),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable().default(null),
  completed_at: timestamp.nullable().default(null),
  failed_at: timestamp.nullable().default(null),
  due_at: timestamp.nullable().default(null),
  run_script: runScript.nullable().default(null),
})

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'clear' },
} as const

/** What a client may write when it creates a backfill: everything but `status` (`backfill-status-on-create`). */
export const newBackfill = z.object({
  name: z.string().min(1),
  block_uuid: z.string().nullable().optional(),
  start_datetime: datetime.nullable().optional(),
  end_datetime: datetime.nullable().optional(),
  interval_type: z.enum(intervalTypes).nullable().optional(),
  interval_units: z.int().min(1).nullable().optional(),
  variables: anyObject.nullable().optional(),
})

/** What a client may write when it updates one (the document, "Update backfill"). */
export const changedBackfill = newBackfill
  .extend({
    status: z.enum(backfillStatuses),
    pipeline_schedule_id: id.nullable(),
    metrics: anyObject.nullable(),
    started_at: datetime.nullable(),
    completed_at: datetime.nullable(),
    failed_at: datetime.nullable(),
  })
  .partial()
