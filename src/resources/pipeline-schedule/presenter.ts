import * as z from 'zod/mini'
import { count } from '../attributes.ts'
import type { DerivedAttributes } from '../names.ts'
import { pipelineRunStatuses } from '../pipeline-run/schema.ts'

/** Attributes of replies, in the documented order (spec, "Pipeline schedule"). */
export const presents = [
  'id', 'name', 'pipeline_uuid', 'schedule_type', 'start_time', 'schedule_interval', 'status', 'variables', 'sla',
  'tags', 'token', 'settings', 'event_matchers', 'last_pipeline_run_status', 'pipeline_runs_count', 'created_at',
  'updated_at',
] as const // biome-ignore format: one list

export const derived = {
  last_pipeline_run_status: {
    is: z.nullable(z.enum(pipelineRunStatuses)),
    derive: (record, model) =>
      JSON.stringify(model.table('pipeline_runs').last('pipeline_schedule_id', record.id)?.status ?? null),
  },
  pipeline_runs_count: {
    is: count,
    derive: (record, model) =>
      String(model.table('pipeline_runs').countWhere('pipeline_schedule_id', record.id)),
  },
} as const satisfies DerivedAttributes<'pipeline_schedules'>
