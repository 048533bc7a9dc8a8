import { omits, onBody, onRecords, reaches, refuses, sent } from '../changes.ts'
import type { BrokenServer, Json, Passing } from '../define-broken.ts'
import { no, says, yes } from './in-one-line.ts'

const short = '2026-01-31 12:00:00'
const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')

const pipelines: readonly BrokenServer[] = [
  {
    name: 'create-pipeline-says-ok',
    breaks: 'pipeline-create/returns-pipeline',
    reply: onBody('createPipeline', () => ({ ok: true })),
  },
  says('renames-pipelines', 'pipeline-create/name', 'createPipeline', { name: 'another' }),
  says('every-pipeline-pyspark', 'pipeline-create/type', 'createPipeline', { type: 'pyspark' }),
  ...(['integration', 'pyspark'] as const).map((type) =>
    no(
      `no-${type}`,
      `pipeline-create/type-${type}`,
      'createPipeline',
      (passing) => sent(passing, 'pipeline').type === type,
    ),
  ),
  no('write-only-pipelines', 'pipeline-create/stored', 'readPipeline'),
  says('reads-another-pipeline', 'pipeline-read/one', 'readPipeline', { uuid: 'another' }),
  says('data-integration-object', 'pipeline-new/data-integration', 'createPipeline', {
    data_integration: {},
  }),
  says('executor-type-text', 'pipeline-new/executor-type', 'createPipeline', { executor_type: '' }),
  ...(['notification', 'spark'] as const).map((kind) =>
    says(`${kind}-config-null`, `pipeline-new/${kind}-config`, 'createPipeline', {
      [`${kind}_config`]: null,
    }),
  ),
  ...(['callbacks', 'conditionals'] as const).map((field) =>
    says(`${field}-null`, `pipeline-new/${field}`, 'createPipeline', { [field]: null }),
  ),
]

const blocks: readonly BrokenServer[] = [
  says('renames-blocks', 'block-create/name', 'createBlock', { name: 'another' }),
  says('every-block-custom', 'block-create/type', 'createBlock', { type: 'custom' }),
  says('content-forgotten', 'block-create/content', 'createBlock', { content: '' }),
  says('every-block-sql', 'block-create/language', 'createBlock', { language: 'sql' }),
  says('config-forgotten', 'block-create/config', 'createBlock', { config: {} }),
  ...(['name', 'type'] as const).map((field) =>
    yes(
      `block-${field}-optional`,
      `block-create/${field}-required`,
      'createBlock',
      { block: {} },
      (passing) => sent(passing, 'block')[field] === undefined,
    ),
  ),
  no('write-only-blocks', 'block-create/stored', 'readBlock'),
  yes('blocks-of-nobody', 'block-create/unknown-pipeline', 'createBlock', { block: {} }, nobody),
  says('random-block-uuid', 'block-uuid/generated', 'readBlock', { uuid: 'f00d' }),
  says('other-executor', 'block-new/executor-type', 'readBlock', { executor_type: 'k8s' }),
  says('upstream-unknown', 'block-new/upstream', 'readBlock', { upstream_blocks: [] }),
  yes('any-block', 'block-read/unknown', 'readBlock', { block: {} }, ({ path }) => path.endsWith('_no_such')),
  yes('block-everywhere', 'block-read/other-pipeline', 'readBlock', { block: {} }, ({ path }) =>
    path.endsWith('_load'),
  ),
  {
    name: 'delete-block-says-ok',
    breaks: 'block-delete/returns-block',
    reply: onBody('deleteBlock', () => ({ deleted: true })),
  },
  { name: 'deleted-block-colourless', breaks: 'block-delete/fields', reply: omits('deleteBlock', 'color') },
  {
    name: 'refuses-but-deletes',
    breaks: 'block-delete/refused-unchanged',
    request: (passing) =>
      reaches('deleteBlock', passing) && !passing.query.has('force')
        ? { path: `${passing.path}?force=True` }
        : undefined,
    reply: refuses('deleteBlock', ({ query }) => !query.has('force')),
  },
  no('no-block-type-query', 'block-delete/block-type', 'deleteBlock', ({ query }) => query.has('block_type')),
  {
    name: 'deleted-block-stays',
    breaks: 'block-delete/leaves-pipeline',
    reply: onRecords('readPipeline', (record) => ({
      ...record,
      blocks: [{ uuid: `${String(record.uuid).replace(/_home\d+$/, '')}_transform` }],
    })),
  },
  yes(
    'delete-block-twice',
    'block-delete/unknown',
    'deleteBlock',
    { block: {} },
    ({ search }) => search === '',
  ),
]

const statuses = ['initial', 'running', 'completed', 'failed'] as const
/** Deletes nothing: the good server is asked to read instead. */
const keeps: NonNullable<BrokenServer['request']> = (passing) =>
  reaches('deleteBackfill', passing) ? { method: 'GET' } : undefined

const backfills: readonly BrokenServer[] = [
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

/** More wrong servers, for the rules about pipelines, blocks and backfills. */
export const moreRecords: readonly BrokenServer[] = [...pipelines, ...blocks, ...backfills]
