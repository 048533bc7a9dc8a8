import type { Traits } from '../names.ts'

/** Named sets of values for the factory. */
export const traits = {
  completed: { values: { status: 'completed' } },
  failed: { values: { status: 'failed' } },
  cancelled: { values: { status: 'cancelled' } },
} as const satisfies Traits<'pipeline_runs'>
