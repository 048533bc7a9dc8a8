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
import type { FaultyServer, Passing } from '../define-mutant.ts'
import { defineMutants, forEach } from './define-mutants.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')
const statuses = ['initial', 'running', 'completed', 'failed'] as const

/** Reads instead of deleting. */
const readsInstead: NonNullable<FaultyServer['request']> = (passing) =>
  reaches('deleteBackfill', passing) ? { method: 'GET' } : undefined

/** Mutants of backfills. */
export const backfills = defineMutants({
  'born-initial': ['create-backfill/values', sets('createBackfill', { status: 'initial' })],
  'default-interval': ['create-backfill/values', sets('createBackfill', { interval_type: 'day' })],
  'started-when-created': ['create-backfill/values', sets('createBackfill', { started_at: short })],
  'create-without-metrics': ['create-backfill/attributes', omits('createBackfill', 'metrics')],
  'no-put-sample': [
    'backfill-create/put-sample',
    refuses('createBackfill', ({ method }) => method === 'PUT'),
  ],
  'long-backfill-create': ['create-backfill/timestamps', sets('createBackfill', { created_at: long })],
  'long-backfill-update': ['update-backfill/timestamps', sets('updateBackfill', { updated_at: long })],
  'long-backfill-delete': ['delete-backfill/timestamps', sets('deleteBackfill', { created_at: long })],
  'iso-backfills': [
    'backfill-fields/created_at',
    sets('listBackfills', { created_at: '2026-01-31T12:00:00Z' }),
  ],
  'status-outside-list': ['backfill-fields/status', sets('listBackfills', { status: 'queued' })],
  'limit-ignored': ['list-backfills/paging', { request: ignores('listBackfills', '_limit') }],
  'offset-ignored': ['list-backfills/paging', { request: ignores('listBackfills', '_offset') }],
  'offset-off-by-one': [
    'list-backfills/paging',
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
    'list-backfills/paging',
    onList('listBackfills', (list, { query }) => (query.get('_limit') === '1' ? [] : list)),
  ],
  'filter-ignored': [
    'list-backfills/filter',
    onList('listBackfills', (list) => [...list, { pipeline_uuid: 'another' }]),
  ],
  'filter-forgets': [
    'list-backfills/complete',
    onList('listBackfills', (list, { query }) => (query.has('_limit') ? list : list.slice(0, 1))),
  ],
  'run-count-text': [
    'list-backfills/run-count',
    onRecords('listBackfills', (record) =>
      'total_run_count' in record ? { ...record, total_run_count: '3' } : record,
    ),
  ],
  'run-count-always': [
    'backfill-list/run-count-only-when-asked',
    sets('listBackfills', { total_run_count: 0 }),
  ],
  'update-forgets-variables': ['update-backfill/values', sets('updateBackfill', { variables: null })],
  'update-replaces-all': [
    'update-backfill/values',
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
    'update-backfill/read-back',
    onRecords('listBackfills', (record) => ({ ...record, interval_units: 1 })),
  ],
  'no-custom-interval': [
    'update-backfill/accepted',
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
    'update-backfill/accepted',
    refuses('updateBackfill', sends('backfill', { status: 'cancelled' })),
  ],
  'status-only': [
    'update-backfill/values',
    onRecords('updateBackfill', (record, passing) =>
      sent(passing, 'backfill').status ? { ...record, name: 'kept' } : record,
    ),
  ],
  'delete-returns-nothing': ['delete-backfill/envelope', onBody('deleteBackfill', () => ({ deleted: true }))],
  'delete-twice': ['delete-backfill/refuses', accepts('deleteBackfill', { backfill: {} })],
  'delete-keeps': ['delete-backfill/read-back', { request: readsInstead }],
  'create-backfill-says-ok': ['create-backfill/envelope', onBody('createBackfill', () => ({ ok: true }))],
  'renames-backfills': ['create-backfill/values', sets('createBackfill', { name: 'another' })],
  'backfill-of-another': ['create-backfill/values', sets('createBackfill', { pipeline_uuid: 'another' })],
  ...forEach(['start', 'end'], (end) => [
    `${end}s-at-once`,
    ['create-backfill/values', sets('createBackfill', { [`${end}_datetime`]: short })],
  ]),
  'one-unit': ['create-backfill/values', sets('createBackfill', { interval_units: 1 })],
  'backfills-of-nobody': ['create-backfill/refuses', accepts('createBackfill', { backfill: {} }, nobody)],
  'first-backfill-hidden': ['create-backfill/read-back', onList('listBackfills', (list) => list.slice(1))],
  ...forEach(['completed', 'failed'], (end) => [
    `${end}-when-created`,
    ['create-backfill/values', sets('createBackfill', { [`${end}_at`]: short })],
  ]),
  ...forEach(statuses, (status) => [
    `never-${status}`,
    ['update-backfill/accepted', refuses('updateBackfill', sends('backfill', { status }))],
  ]),
  'delete-removes-nothing': ['delete-backfill/read-back', { request: readsInstead }],
  'removes-another': ['delete-backfill/values', sets('deleteBackfill', { id: 0 })],
  'backfills-without-block': ['list-backfills/attributes', omits('listBackfills', 'block_uuid')],
  'updates-another': ['update-backfill/values', sets('updateBackfill', { id: 0 })],
  'update-keeps-name': ['update-backfill/values', sets('updateBackfill', { name: 'kept' })],
  'update-keeps-start': ['update-backfill/values', sets('updateBackfill', { start_datetime: null })],
  'update-keeps-end': ['update-backfill/values', sets('updateBackfill', { end_datetime: null })],
  'update-keeps-interval': ['update-backfill/values', sets('updateBackfill', { interval_type: 'day' })],
  'update-keeps-units': ['update-backfill/values', sets('updateBackfill', { interval_units: 1 })],
  'reads-local-time': [
    'update-backfill/values',
    sets('updateBackfill', { start_datetime: '2025-12-31 23:00:00' }),
  ],
  'updates-nothing': ['update-backfill/refuses', accepts('updateBackfill', { backfill: {} })],
  'deleted-without-metrics': ['delete-backfill/attributes', omits('deleteBackfill', 'metrics')],
  'nested-list-of-all': [
    'conventions/nested-list',
    {
      request: ({ method, path }) =>
        method === 'GET' && /^\/api\/pipelines\/[^/]+\/backfills$/.test(path)
          ? { path: '/api/backfills' }
          : undefined,
    },
  ],
})
