import type { Traits } from '../names.ts'

/** Named sets of values for the factory. */
export const traits = {
  sql: { values: { language: 'sql', configuration: { use_raw_sql: 'true', data_provider: 'postgres' } } },
  executed: { values: { status: 'executed' } },
  failed: { values: { status: 'failed' } },
} as const satisfies Traits<'blocks'>
