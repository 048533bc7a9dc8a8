import * as z from 'zod/mini'
import { plurals, type TargetName } from './runs.ts'

/** Schema of a target in a request from another process. Pages do not load it. */
export const runTarget = z
  .strictObject({
    id: z.optional(z.int()),
    backfill_id: z.optional(z.int()),
    pipeline_schedule_id: z.optional(z.int()),
    pipeline_uuid: z.optional(z.string()),
  } satisfies Readonly<Record<TargetName, z.ZodMiniType>>)
  .check(z.refine((target) => Object.keys(target).length === 1, `one of ${Object.keys(plurals).join(', ')}`))
