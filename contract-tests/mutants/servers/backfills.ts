import {
  accepts,
  ignores,
  omits,
  onBody,
  onList,
  onRecords,
  reaches,
  refuses,
  sends,
  sent,
  sets,
} from '../changes.ts'
import type { BrokenServer, Passing } from '../define-mutant.ts'
import { defineMutants, forEach } from './define-mutants.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')
const statuses = ['initial', 'running', 'completed', 'failed'] as const

/** Reads instead of deleting. */
const keeps: NonNullable<BrokenServer['request']> = (passing) =>
  reaches('deleteBackfill', passing) ? { method: 'GET' } : undefined

/** Mutants of backfills. */
export const backfills = defineMutants({
  'born-initial': ['backfill-create/null-status', sets('createBackfill', { status: 'initial' })],
  'default-interval': [
    'backfill-create/null-interval-type',
    sets('createBackfill', { interval_type: 'day' }),
  ],
  'started-when-created': ['backfill-states/new-started-at', sets('createBackfill', { started_at: short })],
  'create-without-metrics': ['backfill-create/fields', omits('createBackfill', 'metrics')],
  'no-put-sample': [
    'backfill-create/put-sample',
    refuses('createBackfill', ({ method }) => method === 'PUT'),
  ],
  'long-backfill-create': ['timestamps/backfill-create', sets('createBackfill', { created_at: long })],
  'long-backfill-update': ['timestamps/backfill-update', sets('updateBackfill', { updated_at: long })],
  'long-backfill-delete': ['timestamps/backfill-delete', sets('deleteBackfill', { created_at: long })],
  'iso-backfills': [
    'backfill-fields/created_at',
    sets('listBackfills', { created_at: '2026-01-31T12:00:00Z' }),
  ],
  'status-outside-list': ['backfill-fields/status', sets('listBackfills', { status: 'queued' })],
  'limit-ignored': ['backfill-list/limit', { request: ignores('listBackfills', '_limit') }],
  'offset-ignored': ['backfill-list/offset', { request: ignores('listBackfills', '_offset') }],
  'offset-off-by-one': [
    'backfill-list/pages-disjoint',
    {
      request: (passing) =>
        reaches('listBackfills', passing) && passing.query.has('_offset')
          ? {
              path: `${passing.path}?${new URLSearchParams({ ...Object.fromEntries(passing.query), _offset: String(Math.max(Number(passing.query.get('_offset')) - 1, 0)) })}`,
            }
          : undefined,
    },
  ],
  'empty-backfills': [
    'backfill-list/limit-one',
    onList('listBackfills', (list, { query }) => (query.get('_limit') === '1' ? [] : list)),
  ],
  'filter-ignored': [
    'backfill-list/pipeline-filter',
    onList('listBackfills', (list) => [...list, { pipeline_uuid: 'another' }]),
  ],
  'filter-forgets': [
    'backfill-list/pipeline-filter-complete',
    onList('listBackfills', (list, { query }) => (query.has('_limit') ? list : list.slice(0, 1))),
  ],
  'run-count-text': [
    'backfill-list/run-count',
    onRecords('listBackfills', (record) =>
      'total_run_count' in record ? { ...record, total_run_count: '3' } : record,
    ),
  ],
  'run-count-always': [
    'backfill-list/run-count-only-when-asked',
    sets('listBackfills', { total_run_count: 0 }),
  ],
  'update-forgets-variables': ['backfill-update/variables', sets('updateBackfill', { variables: null })],
  'update-replaces-all': [
    'backfill-update/partial',
    onRecords('updateBackfill', (record, passing) =>
      sent(passing, 'backfill').name ? record : { ...record, name: null },
    ),
  ],
  // An update within the same second shows no difference.
  'never-updated-backfills': [
    'backfill-times/updated-at',
    onRecords('listBackfills', (record) => ({
      ...record,
      updated_at: `${String(record.created_at).slice(0, 19)}.000000+00:00`,
    })),
  ],
  'update-not-stored': [
    'backfill-update/stored',
    onRecords('listBackfills', (record) => ({ ...record, interval_units: 1 })),
  ],
  'no-custom-interval': [
    'backfill-update/all-intervals',
    refuses('updateBackfill', sends('backfill', { interval_type: 'custom' })),
  ],
  'any-interval': [
    'backfill-update/unknown-interval',
    accepts('updateBackfill', { backfill: {} }, sends('backfill', { interval_type: 'fortnight' })),
  ],
  'any-status': [
    'backfill-states/unknown-status',
    accepts('updateBackfill', { backfill: {} }, sends('backfill', { status: 'no_such_status' })),
  ],
  'cannot-cancel': [
    'backfill-states/cancelled',
    refuses('updateBackfill', sends('backfill', { status: 'cancelled' })),
  ],
  'status-only': [
    'backfill-states/others-updated',
    onRecords('updateBackfill', (record, passing) =>
      sent(passing, 'backfill').status ? { ...record, name: 'kept' } : record,
    ),
  ],
  'delete-returns-nothing': [
    'backfill-delete/returns-backfill',
    onBody('deleteBackfill', () => ({ deleted: true })),
  ],
  'delete-twice': ['backfill-delete/again', accepts('deleteBackfill', { backfill: {} })],
  'delete-keeps': ['backfill-delete/leaves-list', { request: keeps }],
  'create-backfill-says-ok': [
    'backfill-create/returns-backfill',
    onBody('createBackfill', () => ({ ok: true })),
  ],
  'renames-backfills': ['backfill-create/name', sets('createBackfill', { name: 'another' })],
  'backfill-of-another': ['backfill-create/pipeline', sets('createBackfill', { pipeline_uuid: 'another' })],
  ...forEach(['start', 'end'], (end) => [
    `${end}s-at-once`,
    [`backfill-create/null-${end}-datetime`, sets('createBackfill', { [`${end}_datetime`]: short })],
  ]),
  'one-unit': ['backfill-create/null-interval-units', sets('createBackfill', { interval_units: 1 })],
  'backfills-of-nobody': [
    'backfill-create/unknown-pipeline',
    accepts('createBackfill', { backfill: {} }, nobody),
  ],
  'first-backfill-hidden': ['backfill-create/listed', onList('listBackfills', (list) => list.slice(1))],
  ...forEach(['completed', 'failed'], (end) => [
    `${end}-when-created`,
    [`backfill-states/new-${end}-at`, sets('createBackfill', { [`${end}_at`]: short })],
  ]),
  ...forEach(statuses, (status) => [
    `never-${status}`,
    [`backfill-states/${status}`, refuses('updateBackfill', sends('backfill', { status }))],
  ]),
  'delete-removes-nothing': ['backfill-states/removed', { request: keeps }],
  'removes-another': ['backfill-states/removed-returned', sets('deleteBackfill', { id: 0 })],
  'backfills-without-block': ['backfill-list/fields', omits('listBackfills', 'block_uuid')],
  'updates-another': ['backfill-update/returns-backfill', sets('updateBackfill', { id: 0 })],
  'update-keeps-name': ['backfill-update/name', sets('updateBackfill', { name: 'kept' })],
  'update-keeps-start': ['backfill-update/start-datetime', sets('updateBackfill', { start_datetime: null })],
  'update-keeps-end': ['backfill-update/end-datetime', sets('updateBackfill', { end_datetime: null })],
  'update-keeps-interval': [
    'backfill-update/interval-type',
    sets('updateBackfill', { interval_type: 'day' }),
  ],
  'update-keeps-units': ['backfill-update/interval-units', sets('updateBackfill', { interval_units: 1 })],
  'reads-local-time': [
    'timestamps/backfill-request',
    sets('updateBackfill', { start_datetime: '2025-12-31 23:00:00' }),
  ],
  'updates-nothing': ['backfill-update/unknown', accepts('updateBackfill', { backfill: {} })],
  'deleted-without-metrics': ['backfill-delete/fields', omits('deleteBackfill', 'metrics')],
})
