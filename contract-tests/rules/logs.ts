import { defineRules } from './define-rules.ts'

const response = 'Response: `{ logs: [<Logs entry>], metadata: {} }`.'

/** Rules about logs. */
export const logRules = [
  ...defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [
    ['envelope', 'The list is under `logs`.', response],
    ['metadata', '`metadata` is an empty object.', response],
    ['start-timestamp', '`start_timestamp` leaves out older logs.', { needs: ['logs'] }],
    ['start-timestamp-past', 'A `start_timestamp` before all logs leaves none out.', { needs: ['logs'] }],
    [
      'totals',
      'The totals are at least the number of files shown.',
      '`total_block_run_log_count` | integer',
      { section: 'Pipeline logs entry', needs: ['logs'], source: 'inferred' },
    ],
  ]),
]
