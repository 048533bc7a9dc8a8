import * as z from 'zod/mini'
import { plurals, type TargetName } from './runs.ts'

/** A target, as a request from another process writes it. Pages do not load this schema. */
export const runTarget = z
  .strictObject({
    id: z.optional(z.int()),
    backfill_id: z.optional(z.int()),
    pipeline_schedule_id: z.optional(z.int()),
    pipeline_uuid: z.optional(z.string()),
  } satisfies Readonly<Record<TargetName, z.ZodMiniType>>)
  .check(z.refine((target) => Object.keys(target).length === 1, `one of ${Object.keys(plurals).join(', ')}`))
