import { accepts, ignores, omits, onBody, onRecords, reaches, refuses, sent, sets } from '../changes.ts'
import type { BrokenServer } from '../define-broken.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'

/** Servers that are wrong about backfills. */
export const backfills: readonly BrokenServer[] = [
  {
    name: 'born-initial',
    breaks: 'backfill-create/null-status',
    reply: sets('createBackfill', { status: 'initial' }),
  },
  {
    name: 'default-interval',
    breaks: 'backfill-create/null-interval-type',
    reply: sets('createBackfill', { interval_type: 'day' }),
  },
  {
    name: 'started-when-created',
    breaks: 'backfill-states/new-started-at',
    reply: sets('createBackfill', { started_at: short }),
  },
  {
    name: 'create-without-metrics',
    breaks: 'backfill-create/fields',
    reply: omits('createBackfill', 'metrics'),
  },
  { name: 'no-put-sample', breaks: 'backfill-create/put-sample', reply: refuses('createBackfillByPut') },
  {
    name: 'long-backfill-create',
    breaks: 'timestamps/backfill-create',
    reply: sets('createBackfill', { created_at: long }),
  },
  {
    name: 'long-backfill-update',
    breaks: 'timestamps/backfill-update',
    reply: sets('updateBackfill', { updated_at: long }),
  },
  {
    name: 'long-backfill-delete',
    breaks: 'timestamps/backfill-delete',
    reply: sets('deleteBackfill', { created_at: long }),
  },
  {
    name: 'iso-backfills',
    breaks: 'backfill-fields/created_at',
    reply: sets('listBackfills', { created_at: '2026-01-31T12:00:00Z' }),
  },
  {
    name: 'status-outside-list',
    breaks: 'backfill-fields/status',
    reply: sets('listBackfills', { status: 'queued' }),
  },
  { name: 'limit-ignored', breaks: 'backfill-list/limit', request: ignores('listBackfills', '_limit') },
  { name: 'offset-ignored', breaks: 'backfill-list/offset', request: ignores('listBackfills', '_offset') },
  {
    name: 'offset-off-by-one',
    breaks: 'backfill-list/pages-disjoint',
    request: (passing) =>
      reaches('listBackfills', passing) && passing.query.has('_offset')
        ? {
            path: `${passing.path}?${new URLSearchParams({ ...Object.fromEntries(passing.query), _offset: String(Math.max(Number(passing.query.get('_offset')) - 1, 0)) })}`,
          }
        : undefined,
  },
  {
    name: 'empty-backfills',
    breaks: 'backfill-list/limit-one',
    reply: onBody('listBackfills', (body, { query }) =>
      query.get('_limit') === '1' ? { ...body, backfills: [] } : body,
    ),
  },
  {
    name: 'filter-ignored',
    breaks: 'backfill-list/pipeline-filter',
    reply: onBody('listBackfills', (body) => ({
      ...body,
      backfills: [...(body.backfills as object[]), { pipeline_uuid: 'another' }],
    })),
  },
  {
    name: 'filter-forgets',
    breaks: 'backfill-list/pipeline-filter-complete',
    reply: onBody('listBackfills', (body, { query }) =>
      query.has('_limit') ? body : { ...body, backfills: (body.backfills as object[]).slice(0, 1) },
    ),
  },
  {
    name: 'run-count-text',
    breaks: 'backfill-list/run-count',
    reply: onRecords('listBackfills', (record) =>
      'total_run_count' in record ? { ...record, total_run_count: '3' } : record,
    ),
  },
  {
    name: 'run-count-always',
    breaks: 'backfill-list/run-count-only-when-asked',
    reply: sets('listBackfills', { total_run_count: 0 }),
  },
  {
    name: 'update-forgets-variables',
    breaks: 'backfill-update/variables',
    reply: sets('updateBackfill', { variables: null }),
  },
  {
    name: 'update-replaces-all',
    breaks: 'backfill-update/partial',
    reply: onRecords('updateBackfill', (record, passing) =>
      sent(passing, 'backfill').name ? record : { ...record, name: null },
    ),
  },
  {
    name: 'update-not-stored',
    breaks: 'backfill-update/stored',
    reply: onRecords('listBackfills', (record) => ({ ...record, interval_units: 1 })),
  },
  {
    name: 'no-custom-interval',
    breaks: 'backfill-update/all-intervals',
    reply: refuses('updateBackfill', (passing) => sent(passing, 'backfill').interval_type === 'custom'),
  },
  {
    name: 'any-interval',
    breaks: 'backfill-update/unknown-interval',
    reply: accepts(
      'updateBackfill',
      { backfill: {} },
      (passing) => sent(passing, 'backfill').interval_type === 'fortnight',
    ),
  },
  {
    name: 'any-status',
    breaks: 'backfill-states/unknown-status',
    reply: accepts(
      'updateBackfill',
      { backfill: {} },
      (passing) => sent(passing, 'backfill').status === 'no_such_status',
    ),
  },
  {
    name: 'cannot-cancel',
    breaks: 'backfill-states/cancelled',
    reply: refuses('updateBackfill', (passing) => sent(passing, 'backfill').status === 'cancelled'),
  },
  {
    name: 'status-only',
    breaks: 'backfill-states/others-updated',
    reply: onRecords('updateBackfill', (record, passing) =>
      sent(passing, 'backfill').status ? { ...record, name: 'kept' } : record,
    ),
  },
  {
    name: 'delete-returns-nothing',
    breaks: 'backfill-delete/returns-backfill',
    reply: onBody('deleteBackfill', () => ({ deleted: true })),
  },
  {
    name: 'delete-twice',
    breaks: 'backfill-delete/again',
    reply: accepts('deleteBackfill', { backfill: {} }),
  },
  {
    name: 'delete-keeps',
    breaks: 'backfill-delete/leaves-list',
    request: (passing) => (reaches('deleteBackfill', passing) ? { method: 'GET' } : undefined),
  },
]
