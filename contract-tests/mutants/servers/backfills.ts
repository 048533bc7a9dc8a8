import { accepts, ignores, omits, onBody, onRecords, reaches, refuses, sent, sets } from '../changes.ts'
import type { BrokenServer, Json, Passing } from '../define-mutant.ts'
import { no, says, yes } from './one-line-servers.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')
const statuses = ['initial', 'running', 'completed', 'failed'] as const

/** Deletes nothing: the good server is asked to read instead. */
const keeps: NonNullable<BrokenServer['request']> = (passing) =>
  reaches('deleteBackfill', passing) ? { method: 'GET' } : undefined

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
    name: 'never-updated-backfills',
    breaks: 'backfill-times/updated-at',
    // To the second: what was made within the same one is later.
    reply: onRecords('listBackfills', (record) => ({
      ...record,
      updated_at: `${String(record.created_at).slice(0, 19)}.000000+00:00`,
    })),
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
  {
    name: 'create-backfill-says-ok',
    breaks: 'backfill-create/returns-backfill',
    reply: onBody('createBackfill', () => ({ ok: true })),
  },
  says('renames-backfills', 'backfill-create/name', 'createBackfill', { name: 'another' }),
  says('backfill-of-another', 'backfill-create/pipeline', 'createBackfill', { pipeline_uuid: 'another' }),
  ...(['start', 'end'] as const).map((end) =>
    says(`${end}s-at-once`, `backfill-create/null-${end}-datetime`, 'createBackfill', {
      [`${end}_datetime`]: short,
    }),
  ),
  says('one-unit', 'backfill-create/null-interval-units', 'createBackfill', { interval_units: 1 }),
  yes('backfills-of-nobody', 'backfill-create/unknown-pipeline', 'createBackfill', { backfill: {} }, nobody),
  {
    name: 'first-backfill-hidden',
    breaks: 'backfill-create/listed',
    reply: onBody('listBackfills', (body) => ({ ...body, backfills: (body.backfills as Json[]).slice(1) })),
  },
  ...(['completed', 'failed'] as const).map((end) =>
    says(`${end}-when-created`, `backfill-states/new-${end}-at`, 'createBackfill', { [`${end}_at`]: short }),
  ),
  ...statuses.map((status) =>
    no(
      `never-${status}`,
      `backfill-states/${status}`,
      'updateBackfill',
      (passing) => sent(passing, 'backfill').status === status,
    ),
  ),
  { name: 'delete-removes-nothing', breaks: 'backfill-states/removed', request: keeps },
  says('removes-another', 'backfill-states/removed-returned', 'deleteBackfill', { id: 0 }),
  {
    name: 'backfills-without-block',
    breaks: 'backfill-list/fields',
    reply: omits('listBackfills', 'block_uuid'),
  },
  says('updates-another', 'backfill-update/returns-backfill', 'updateBackfill', { id: 0 }),
  says('update-keeps-name', 'backfill-update/name', 'updateBackfill', { name: 'kept' }),
  says('update-keeps-start', 'backfill-update/start-datetime', 'updateBackfill', { start_datetime: null }),
  says('update-keeps-end', 'backfill-update/end-datetime', 'updateBackfill', { end_datetime: null }),
  says('update-keeps-interval', 'backfill-update/interval-type', 'updateBackfill', { interval_type: 'day' }),
  says('update-keeps-units', 'backfill-update/interval-units', 'updateBackfill', { interval_units: 1 }),
  says('reads-local-time', 'timestamps/backfill-request', 'updateBackfill', {
    start_datetime: '2025-12-31 23:00:00',
  }),
  yes('updates-nothing', 'backfill-update/unknown', 'updateBackfill', { backfill: {} }, ({ path }) =>
    path.endsWith('/999999999'),
  ),
  {
    name: 'deleted-without-metrics',
    breaks: 'backfill-delete/fields',
    reply: omits('deleteBackfill', 'metrics'),
  },
]
