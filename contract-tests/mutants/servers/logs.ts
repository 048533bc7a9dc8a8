import { ignores, onBody, onRecords, sets } from '../changes.ts'
import type { BrokenServer } from '../define-mutant.ts'
import { says } from './one-line-servers.ts'

/** Servers that are wrong about logs. */
export const logs: readonly BrokenServer[] = [
  {
    name: 'logs-metadata',
    breaks: 'logs/metadata',
    reply: onBody('listLogs', (body) => ({ ...body, metadata: { count: 1, next: false } })),
  },
  {
    name: 'logs-flat',
    breaks: 'logs/envelope',
    reply: onBody('listLogs', ({ logs, ...body }) => ({ ...body, log: logs })),
  },
  { name: 'logs-limit-ignored', breaks: 'limits/limit-logs', request: ignores('listLogs', '_limit') },
  { name: 'logs-offset-ignored', breaks: 'limits/offset-logs', request: ignores('listLogs', '_offset') },
  {
    name: 'logs-since-ignored',
    breaks: 'logs/start-timestamp',
    request: ignores('listLogs', 'start_timestamp'),
  },
  {
    name: 'logs-total-text',
    breaks: 'logs-fields/total_block_run_log_count',
    reply: sets('listLogs', { total_block_run_log_count: '2' }),
  },
  {
    name: 'any-start-timestamp-empties',
    breaks: 'logs/start-timestamp-past',
    reply: onRecords('listLogs', (entry, { query }) =>
      query.has('start_timestamp') ? { ...entry, block_run_logs: [], pipeline_run_logs: [] } : entry,
    ),
  },
  says('logs-total-zero', 'logs/totals', 'listLogs', { total_block_run_log_count: 0 }),
]
