import * as z from 'zod'
import { anyObject, id, timestamp } from '../attributes.ts'
import { endStatuses, runScript, runSteps, underWayStatuses } from './script.ts'

/** The values of `status`: `running` is the document's, the others are the assumption `run-values`. */
export const pipelineRunStatuses = [...underWayStatuses, ...endStatuses] as const

/** A stored run (the document, "Pipeline run"). */
export const attributes = z.object({
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

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'delete' },
  backfill_id: { plural: 'backfills', whenDeleted: 'clear' },
} as const

/** What a client may write when it creates a run by the conventions (`trigger-routes`). */
export const newRun = z.object({ variables: anyObject.optional(), event_variables: anyObject.optional() })

/** What a client may write when it updates one. */
export const changedRun = z.object({ status: z.enum(pipelineRunStatuses), variables: anyObject }).partial()
