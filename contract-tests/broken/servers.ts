import {
  accepts,
  ignores,
  omits,
  onBody,
  onError,
  onRecords,
  reaches,
  refuses,
  sent,
  sets,
} from './changes.ts'
import type { BrokenServer } from './define-broken.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const pipeline = { pipeline: { uuid: 'made_up', name: 'made up', type: 'python' } }

/** Servers that are wrong in the envelope, in metadata, and in how they report errors. */
const envelopes: readonly BrokenServer[] = [
  {
    name: 'list-without-envelope',
    breaks: 'conventions/list-envelope',
    reply: onBody('listPipelines', (body) => ({ pipelines: body.pipelines })),
  },
  {
    name: 'record-without-envelope',
    breaks: 'conventions/record-envelope',
    reply: onBody('createPipeline', (body) => body.pipeline),
  },
  {
    name: 'flat-request-body',
    breaks: 'conventions/body-envelope',
    reply: sets('createPipeline', { name: 'untitled' }),
  },
  {
    name: 'created-as-text',
    breaks: 'conventions/json',
    reply: (reply, passing) =>
      reaches('createPipeline', passing) && reply.status === 200
        ? { body: 'created', contentType: 'text/plain' }
        : undefined,
  },
  {
    name: 'count-as-text',
    breaks: 'list-metadata/count',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: '3', next: false } })),
  },
  {
    name: 'next-as-number',
    breaks: 'list-metadata/next',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: 0 } })),
  },
  {
    name: 'always-a-next-page',
    breaks: 'list-metadata/next-false',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: true } })),
  },
  {
    name: 'never-a-next-page',
    breaks: 'list-metadata/next-true',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: false } })),
  },
  {
    name: 'next-on-last-page',
    breaks: 'limits/next-last-page',
    reply: onBody('listBackfills', (body, { query }) => ({
      ...body,
      metadata: { count: 3, next: query.has('_limit') },
    })),
  },
  {
    name: 'schedules-without-count',
    breaks: 'list-metadata/schedules',
    reply: onBody('listSchedules', (body) => ({ ...body, metadata: { next: false } })),
  },
  {
    name: 'tokens-without-next',
    breaks: 'list-metadata/tokens',
    reply: onBody('listTokens', (body) => ({ ...body, metadata: { count: 1 } })),
  },
  {
    name: 'created-201',
    breaks: 'errors/http-200-success',
    reply: (_, passing) => (reaches('createPipeline', passing) ? { status: 201 } : undefined),
  },
  {
    name: 'http-404-record',
    breaks: 'errors/http-200-unknown-record',
    reply: onError('deleteBackfill', () => ({ status: 404 })),
  },
  {
    name: 'http-404-pipeline',
    breaks: 'errors/http-200-unknown-pipeline',
    reply: onError('readPipeline', () => ({ status: 404 })),
  },
  {
    name: 'http-409-refusal',
    breaks: 'errors/http-200-refusal',
    reply: onError('deleteBlock', () => ({ status: 409 })),
  },
  {
    name: 'http-401-credentials',
    breaks: 'errors/http-200-credentials',
    reply: onError('listPipelines', () => ({ status: 401 })),
  },
  {
    name: 'http-401-sign-in',
    breaks: 'errors/http-200-sign-in',
    reply: onError('createSession', () => ({ status: 401 })),
  },
  {
    name: 'errors-plural',
    breaks: 'errors/under-error',
    reply: onError('readPipeline', ({ error }) => ({ body: { errors: [error], status: 200 } })),
  },
  {
    name: 'body-status-404',
    breaks: 'errors/body-status',
    reply: onError(undefined, (body) => ({ body: { ...body, status: 404 } })),
  },
  {
    name: 'code-as-text',
    breaks: 'errors/code',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: '404' }, status: 200 },
    })),
  },
  {
    name: 'error-code-200',
    breaks: 'errors/code-not-200',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: 200 }, status: 200 },
    })),
  },
  {
    name: 'message-as-object',
    breaks: 'errors/message',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), message: {} }, status: 200 },
    })),
  },
  {
    name: 'error-without-type',
    breaks: 'errors/type',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), type: undefined }, status: 200 },
    })),
  },
  {
    name: 'other-not-found-type',
    breaks: 'errors/unknown-record-type',
    reply: onError('deleteBackfill', ({ error }) => ({
      body: { error: { ...(error as object), type: 'missing' }, status: 200 },
    })),
  },
  {
    name: 'not-found-is-500',
    breaks: 'errors/unknown-record-code',
    reply: onError('deleteBackfill', ({ error }) => ({
      body: { error: { ...(error as object), code: 500 }, status: 200 },
    })),
  },
  {
    name: 'error-with-record',
    breaks: 'errors/no-record',
    reply: onError('readPipeline', (body) => ({ body: { ...body, pipeline: null } })),
  },
  {
    name: 'sign-in-401',
    breaks: 'errors/sign-in-code',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), code: 401 }, status: 200 },
    })),
  },
  {
    name: 'sign-in-other-type',
    breaks: 'errors/sign-in-type',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), type: 'unauthorized' }, status: 200 },
    })),
  },
  {
    name: 'sign-in-silent',
    breaks: 'errors/sign-in-message',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), message: 'No.' }, status: 200 },
    })),
  },
]

const pipelines: readonly BrokenServer[] = [
  {
    name: 'hyphens-stay',
    breaks: 'pipeline-new/uuid-hyphens',
    reply: onRecords('createPipeline', (record) => ({ ...record, uuid: String(record.name) })),
  },
  {
    name: 'random-uuid',
    breaks: 'pipeline-new/uuid-from-name',
    reply: onRecords('createPipeline', (record) =>
      String(record.name).includes('-') ? record : { ...record, uuid: 'f00d' },
    ),
  },
  {
    name: 'description-empty-text',
    breaks: 'pipeline-new/description',
    reply: sets('createPipeline', { description: '' }),
  },
  {
    name: 'no-executors',
    breaks: 'pipeline-new/executor-count',
    reply: sets('createPipeline', { executor_count: 0 }),
  },
  {
    name: 'executor-config-null',
    breaks: 'pipeline-new/executor-config',
    reply: sets('createPipeline', { executor_config: null }),
  },
  {
    name: 'updated-when-created',
    breaks: 'pipeline-new/updated-at',
    reply: sets('createPipeline', { updated_at: long }),
  },
  {
    name: 'born-with-a-block',
    breaks: 'pipeline-new/blocks',
    reply: sets('createPipeline', { blocks: [{}] }),
  },
  { name: 'widgets-null', breaks: 'pipeline-new/widgets', reply: sets('createPipeline', { widgets: null }) },
  {
    name: 'every-pipeline-python',
    breaks: 'pipeline-create/type-streaming',
    reply: sets('createPipeline', { type: 'python' }),
  },
  {
    name: 'nameless-pipelines',
    breaks: 'pipeline-create/name-required',
    reply: accepts('createPipeline', pipeline, (passing) => sent(passing, 'pipeline').name === undefined),
  },
  {
    name: 'typeless-pipelines',
    breaks: 'pipeline-create/type-required',
    reply: accepts('createPipeline', pipeline, (passing) => sent(passing, 'pipeline').type === undefined),
  },
  {
    name: 'any-pipeline-type',
    breaks: 'pipeline-create/type-listed',
    reply: accepts(
      'createPipeline',
      pipeline,
      (passing) => sent(passing, 'pipeline').type === 'no-such-type',
    ),
  },
  {
    name: 'refused-but-stored',
    breaks: 'pipeline-create/refused-not-stored',
    reply: onBody('listPipelines', (body, passing) => ({
      ...body,
      pipelines: [...(body.pipelines as object[]), ...refusedLater(passing)],
    })),
    request: rememberRefused,
  },
  {
    name: 'list-of-one',
    breaks: 'pipeline-read/lists-all',
    reply: onBody('listPipelines', (body) => ({
      ...body,
      pipelines: (body.pipelines as { uuid: string }[]).filter(({ uuid }) => uuid === 'standing'),
    })),
  },
  {
    name: 'unknown-pipeline-made-up',
    breaks: 'pipeline-read/unknown',
    reply: accepts('readPipeline', pipeline),
  },
  {
    name: 'schedules-never',
    breaks: 'pipeline-read/schedules-when-asked',
    request: ignores('readPipeline', 'include_schedules'),
  },
  {
    name: 'schedules-always',
    breaks: 'pipeline-read/schedules-only-when-asked',
    reply: sets('readPipeline', { schedules: [] }),
  },
  {
    name: 'schedules-not-in-list',
    breaks: 'pipeline-read/schedules-in-list',
    request: ignores('listPipelines', 'include_schedules'),
  },
  {
    name: 'somebody-elses-schedules',
    breaks: 'pipeline-read/schedules-are-its-own',
    reply: onRecords('readPipeline', (record) =>
      record.schedules ? { ...record, schedules: [{ id: 999 }] } : record,
    ),
  },
  {
    name: 'extensions-missing',
    breaks: 'pipeline-extensions/present',
    reply: omits('readPipeline', 'extensions'),
  },
  {
    name: 'extensions-a-list',
    breaks: 'pipeline-extensions/empty',
    reply: sets('readPipeline', { extensions: [] }),
  },
  {
    name: 'extensions-when-created',
    breaks: 'pipeline-extensions/not-in-create',
    reply: sets('createPipeline', { extensions: {} }),
  },
  {
    name: 'iso-updated-at',
    breaks: 'pipeline-fields/updated_at',
    reply: sets('readPipeline', { updated_at: '2026-01-31T12:00:00Z' }),
  },
  {
    name: 'executor-count-text',
    breaks: 'pipeline-fields/executor_count',
    reply: sets('readPipeline', { executor_count: '1' }),
  },
  {
    name: 'short-pipeline-timestamps',
    breaks: 'timestamps/pipelines',
    reply: sets('listPipelines', { updated_at: short }),
  },
]

/** A server that keeps what it refuses: the name is remembered, and listed from then on. */
const refused: string[] = []
function rememberRefused(passing: Parameters<NonNullable<BrokenServer['request']>>[0]): undefined {
  const { name, type } = sent(passing, 'pipeline')
  if (reaches('createPipeline', passing) && type === 'no-such-type') refused.push(String(name))
  return undefined
}
function refusedLater(_: unknown): object[] {
  return refused.map((name) => ({ uuid: name, name, updated_at: null }))
}

const blocks: readonly BrokenServer[] = [
  {
    name: 'create-block-whole',
    breaks: 'block-create/eight-fields',
    reply: sets('createBlock', { uuid: 'whole' }),
  },
  {
    name: 'create-block-without-config',
    breaks: 'block-create/eight-fields',
    reply: omits('createBlock', 'config'),
  },
  {
    name: 'newlines-converted',
    breaks: 'block-create/newlines',
    reply: onRecords('createBlock', (record) => ({
      ...record,
      content: String(record.content).replaceAll('/n', '\n'),
    })),
  },
  {
    name: 'content-template',
    breaks: 'block-create/empty-content',
    reply: onRecords('createBlock', (record) => ({ ...record, content: record.content || '# write here' })),
  },
  {
    name: 'priority-forgotten',
    breaks: 'block-create/priority',
    reply: sets('createBlock', { priority: null }),
  },
  {
    name: 'upstream-forgotten',
    breaks: 'block-create/upstream',
    reply: sets('createBlock', { upstream_blocks: [] }),
  },
  {
    name: 'configuration-forgotten',
    breaks: 'block-create/configuration',
    reply: sets('createBlock', { configuration: {} }),
  },
  {
    name: 'any-block-type',
    breaks: 'block-create/type-listed',
    reply: accepts('createBlock', { block: {} }, (passing) => sent(passing, 'block').type === 'no_such_type'),
  },
  {
    name: 'any-language',
    breaks: 'block-create/language-listed',
    reply: accepts('createBlock', { block: {} }, (passing) => sent(passing, 'block').language === 'cobol'),
  },
  {
    name: 'no-sensors',
    breaks: 'block-create/all-types',
    reply: refuses('createBlock', (passing) => sent(passing, 'block').type === 'sensor'),
  },
  {
    name: 'no-r',
    breaks: 'block-create/all-languages',
    reply: refuses('createBlock', (passing) => sent(passing, 'block').language === 'r'),
  },
  {
    name: 'blocks-in-one-pipeline',
    breaks: 'block-create/several-pipelines',
    request: (passing) =>
      reaches('createBlock', passing) && sent(passing, 'block').pipelines
        ? { body: { block: { ...sent(passing, 'block'), pipelines: [] } } }
        : undefined,
  },
  {
    name: 'blocks-not-in-pipeline',
    breaks: 'block-create/joins-pipeline',
    reply: sets('readPipeline', { blocks: [] }),
  },
  {
    name: 'spaces-to-hyphens',
    breaks: 'block-uuid/spaces',
    reply: onRecords('readBlock', (record) => ({
      ...record,
      uuid: String(record.uuid).replaceAll('_', '-'),
    })),
  },
  { name: 'block-ready', breaks: 'block-new/status', reply: sets('readBlock', { status: 'ready' }) },
  {
    name: 'downstream-unknown',
    breaks: 'block-new/downstream',
    reply: sets('readBlock', { downstream_blocks: [] }),
  },
  { name: 'read-block-without-content', breaks: 'block-read/content', reply: omits('readBlock', 'content') },
  { name: 'outputs-null', breaks: 'block-read/outputs', reply: sets('readBlock', { outputs: null }) },
  { name: 'read-block-without-color', breaks: 'block-read/fields', reply: omits('readBlock', 'color') },
  {
    name: 'deleted-block-with-content',
    breaks: 'block-delete/no-content',
    reply: sets('deleteBlock', { content: '' }),
  },
  {
    name: 'deleted-block-with-outputs',
    breaks: 'block-delete/no-outputs',
    reply: sets('deleteBlock', { outputs: [] }),
  },
  {
    name: 'always-forces',
    breaks: 'block-delete/refused',
    request: (passing) =>
      reaches('deleteBlock', passing) ? { path: `${passing.path}?force=True` } : undefined,
  },
  { name: 'never-forces', breaks: 'block-delete/forced', request: ignores('deleteBlock', 'force') },
  {
    name: 'deletes-nothing',
    breaks: 'block-delete/gone',
    request: (passing) =>
      reaches('deleteBlock', passing) && !passing.query.has('force') && !passing.query.has('block_type')
        ? { method: 'GET' }
        : undefined,
  },
  {
    name: 'has-callback-text',
    breaks: 'block-fields/has_callback',
    reply: sets('readBlock', { has_callback: 'false' }),
  },
  {
    name: 'executor-type-missing',
    breaks: 'block-fields/executor_type',
    reply: omits('readBlock', 'executor_type'),
  },
]

const backfills: readonly BrokenServer[] = [
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
  { name: 'no-put-sample', breaks: 'backfill-create/put-sample', reply: refuses('putBackfill') },
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

const others: readonly BrokenServer[] = [
  {
    name: 'tags-and',
    breaks: 'schedule-list/two-tags',
    reply: onBody('listSchedules', (body, { query }) => ({
      ...body,
      pipeline_schedules: (body.pipeline_schedules as { tags: string[] }[]).filter(({ tags }) =>
        query.getAll('tag[]').every((tag) => tags.includes(tag)),
      ),
    })),
  },
  { name: 'tags-ignored', breaks: 'schedule-list/one-tag', request: ignores('listSchedules', 'tag[]') },
  {
    name: 'last-tag-only',
    breaks: 'limits/tags-or',
    request: (passing) =>
      reaches('listSchedules', passing) && passing.query.getAll('tag[]').length > 1
        ? { path: `${passing.path}?tag[]=${passing.query.getAll('tag[]').at(-1)}` }
        : undefined,
  },
  { name: 'tags-null', breaks: 'schedule-fields/tags', reply: sets('listSchedules', { tags: null }) },
  {
    name: 'shared-token',
    breaks: 'schedule-list/token-unique',
    reply: sets('listSchedules', { token: 'the-same-for-all' }),
  },
  {
    name: 'everybodys-schedules',
    breaks: 'schedule-list/belongs',
    reply: sets('listSchedules', { pipeline_uuid: 'another' }),
  },
  {
    name: 'short-schedule-timestamps',
    breaks: 'timestamps/schedules',
    reply: sets('listSchedules', { created_at: short }),
  },
  {
    name: 'settings-null',
    breaks: 'schedule-fields/settings',
    reply: sets('listSchedules', { settings: null }),
  },
  { name: 'run-initial', breaks: 'trigger/running', reply: sets('trigger', { status: 'initial' }) },
  {
    name: 'run-without-event-variables',
    breaks: 'trigger/event-variables',
    reply: sets('trigger', { event_variables: {} }),
  },
  {
    name: 'run-flattens-variables',
    breaks: 'trigger/nested-variables',
    reply: onRecords('trigger', (record) => ({
      ...record,
      event_variables: Object.fromEntries(
        Object.entries((record.event_variables ?? {}) as object).map(([key, value]) => [
          key,
          typeof value === 'object' ? String(value) : value,
        ]),
      ),
    })),
  },
  {
    name: 'run-completed-at-once',
    breaks: 'trigger/not-completed',
    reply: sets('trigger', { completed_at: long }),
  },
  { name: 'short-run-timestamps', breaks: 'timestamps/runs', reply: sets('trigger', { created_at: short }) },
  {
    name: 'run-of-another-schedule',
    breaks: 'trigger/schedule',
    reply: sets('trigger', { pipeline_schedule_id: 999 }),
  },
  {
    name: 'any-token-triggers',
    breaks: 'trigger/wrong-token',
    reply: accepts('trigger', { pipeline_run: {} }, ({ path }) => path.includes('/not-')),
  },
  {
    name: 'run-envelope',
    breaks: 'trigger/returns-run',
    reply: onBody('trigger', (body) => ({ run: body.pipeline_run })),
  },
  { name: 'one-run-for-all', breaks: 'trigger/new-run-each-time', reply: sets('trigger', { id: 1 }) },
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
    name: 'everybodys-tokens',
    breaks: 'tokens/own-only',
    reply: onBody('listTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'x', expires: long, user_id: 999 },
      ],
    })),
  },
  {
    name: 'tokens-of-others',
    breaks: 'tokens/not-others',
    reply: onBody('listTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'other-active-token', expires: '2099-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'expired-always',
    breaks: 'tokens/active-only',
    reply: onBody('listTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'old', expires: '2001-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'show-all-only-expired',
    breaks: 'tokens/show-all-keeps-active',
    reply: onBody('listTokens', (body, { query }) => ({
      ...body,
      oauth_access_tokens: query.has('show_all') ? [] : body.oauth_access_tokens,
    })),
  },
  { name: 'tokens-limit-ignored', breaks: 'limits/limit-tokens', request: ignores('listTokens', '_limit') },
  {
    name: 'short-token-timestamps',
    breaks: 'timestamps/tokens',
    reply: sets('listTokens', { expires: '2099-01-31 12:00:00' }),
  },
  {
    name: 'any-token-opens',
    breaks: 'authentication/wrong-token',
    reply: accepts('listPipelines', { pipelines: [], metadata: { count: 0, next: false } }, ({ headers }) =>
      String(headers.get('oauth-token')).startsWith('not-'),
    ),
  },
  {
    name: 'no-cookies',
    breaks: 'authentication/raw-token-cookie',
    reply: refuses('listPipelines', ({ headers }) =>
      String(headers.get('cookie')).startsWith('oauth_token='),
    ),
  },
]

/** Servers that are wrong in one way each; `understudy serve --broken NAME` serves one. */
export const brokenServers: readonly BrokenServer[] = [
  ...envelopes,
  ...pipelines,
  ...blocks,
  ...backfills,
  ...others,
]
