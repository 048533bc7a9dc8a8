import * as z from 'zod'
import { id, timestamp } from '../attributes.ts'

/** A stored record is one log file; the list folds a pipeline's files into one entry. */
export const attributes = z.object({
  id,
  pipeline_uuid: z.string(),
  pipeline_run_id: z.int().nullable().default(null),
  /** The block whose run wrote the file; null for the log of the pipeline run itself. */
  block_uuid: z.string().nullable().default(null),
  name: z.string().min(1),
  path: z.string().min(1),
  content: z.string().default(''),
  created_at: timestamp,
})

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_run_id: { plural: 'pipeline_runs', whenDeleted: 'delete' },
} as const
