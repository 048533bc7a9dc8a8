import * as z from 'zod/mini'
import { anyObject, id, nullByDefault, positiveInteger, timestamp, withDefault } from '../attributes.ts'
import { endStatuses, runScript, runSteps, underWayStatuses } from './script.ts'

/** The values of `status`: `running` is the specification's, the others are the assumption `run-values`. */
export const pipelineRunStatuses = [...underWayStatuses, ...endStatuses] as const

/** A stored run (spec, "Pipeline run"). */
export const attributes = z.object({
  id,
  pipeline_schedule_id: z.int(),
  pipeline_uuid: z.string(),
  execution_date: timestamp,
  status: withDefault(z.enum(pipelineRunStatuses), 'running'),
  completed_at: nullByDefault(timestamp),
  variables: withDefault(anyObject, {}),
  event_variables: withDefault(anyObject, {}),
  passed_sla: withDefault(z.boolean(), false),
  metrics: nullByDefault(anyObject),
  backfill_id: nullByDefault(z.int()),
  created_at: timestamp,
  updated_at: timestamp,
  run_script: nullByDefault(runScript),
  /** The end of the present step, or its remaining number of reads. Without both, the step lasts until a manual advance. */
  ends_at: nullByDefault(timestamp),
  reads_left: nullByDefault(positiveInteger),
  next_steps: withDefault(runSteps, []),
  /** Final status of a fixture's run that has an end and no steps. */
  ends_as: withDefault(z.enum(endStatuses), 'completed'),
})

/** Attributes for which the specification shows values without excluding others ("Pipeline run"). */
export const open = ['status'] as const

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'delete' },
  backfill_id: { plural: 'backfills', whenDeleted: 'clear' },
} as const

/** Attributes that a client may write when it creates a run by the conventions (`trigger-routes`). */
export const newRun = z.object({ variables: z.optional(anyObject), event_variables: z.optional(anyObject) })

/** Attributes that a client may write when it updates a run. */
export const changedRun = z.object({
  status: z.optional(z.enum(pipelineRunStatuses)),
  variables: z.optional(anyObject),
})
