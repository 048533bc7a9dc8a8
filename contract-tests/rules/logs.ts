import { defineRules } from './define-rules.ts'

/** Rules about logs that are not about an aspect of every operation. */
export const logRules = defineRules(
  { section: 'Pipeline logs entry', prefix: 'logs', operation: 'listLogs', needs: ['logs'] },
  [
    [
      'totals',
      'The totals are at least the number of files shown.',
      '`total_block_run_log_count` | integer',
      { source: 'inferred' },
    ],
  ],
)
