import { defineRules } from './define-rules.ts'

/** Logs. */
export const logRules = [
  ...defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [
    ['envelope', 'The list stands under logs.'],
    ['metadata', 'metadata is an empty object.'],
    ['start-timestamp', 'start_timestamp leaves out what is older.', { needs: ['logs'] }],
    ['start-timestamp-past', 'A start_timestamp before everything leaves nothing out.', { needs: ['logs'] }],
    ['totals', 'The totals are at least the number of files shown.', { needs: ['logs'], source: 'inferred' }],
  ]),
]
