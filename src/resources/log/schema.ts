import * as z from 'zod/mini'
import { id, nonEmptyText, nullByDefault, timestamp, withDefault } from '../attributes.ts'

/** A stored record is one log file. The list combines the files of a pipeline in one entry. */
export const attributes = z.object({
  id,
  pipeline_uuid: z.string(),
  pipeline_run_id: nullByDefault(z.int()),
  /** The block whose run wrote the file; null for the log of the pipeline run itself. */
  block_uuid: nullByDefault(z.string()),
  name: nonEmptyText,
  path: nonEmptyText,
  content: withDefault(z.string(), ''),
  created_at: timestamp,
})

export const references = {
  pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
  pipeline_run_id: { plural: 'pipeline_runs', whenDeleted: 'delete' },
} as const
