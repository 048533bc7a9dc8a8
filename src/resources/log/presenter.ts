import * as z from 'zod/mini'
import { count, nonEmptyText } from '../attributes.ts'
import type { DerivedAttributes } from '../names.ts'

const files = z.array(z.object({ name: nonEmptyText, path: nonEmptyText, content: z.string() }))

/** Attributes of the single list entry (spec, "Pipeline logs entry"). The action returns it complete. */
export const derived = {
  block_run_logs: { is: files },
  pipeline_run_logs: { is: files },
  total_block_run_log_count: { is: count },
  total_pipeline_run_log_count: { is: count },
} as const satisfies DerivedAttributes<'logs'>
