import { ignores, onBody, onRecords, sets, setsInBody } from '../changes.ts'
import { defineMutants } from './define-mutants.ts'

/** Mutants of logs. */
export const logs = defineMutants({
  'logs-metadata': ['list-logs/envelope', setsInBody('listLogs', { metadata: { count: 1, next: false } })],
  'logs-flat': ['list-logs/envelope', onBody('listLogs', ({ logs, ...body }) => ({ ...body, log: logs }))],
  'logs-limit-ignored': ['list-logs/paging', { request: ignores('listLogs', '_limit') }],
  'logs-limit-exceeded': [
    'list-logs/paging',
    onBody('listLogs', ({ logs, ...body }) => ({ ...body, logs: [logs, logs].flat() })),
  ],
  'logs-offset-ignored': ['list-logs/paging', { request: ignores('listLogs', '_offset') }],
  'logs-since-ignored': ['list-logs/filter', { request: ignores('listLogs', 'start_timestamp') }],
  'logs-total-text': [
    'logs-fields/total_block_run_log_count',
    sets('listLogs', { total_block_run_log_count: '2' }),
  ],
  'any-start-timestamp-empties': [
    'list-logs/filter',
    onRecords('listLogs', (entry, { query }) =>
      query.has('start_timestamp') ? { ...entry, block_run_logs: [], pipeline_run_logs: [] } : entry,
    ),
  ],
  'logs-total-zero': ['logs/totals', sets('listLogs', { total_block_run_log_count: 0 })],
})
