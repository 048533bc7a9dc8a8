import type { OperationId } from '../../../rules/operation-id.ts'
import { facts, onRecords, onSuccess, sentence, sentRecord } from '../mutant.ts'
import { renames } from '../operators/identity.ts'
import { isErrorReply, isJson, type Json, type Start } from '../wrong-server.ts'
import { deep, type HarmlessVariant, isRecord, onBodies } from './variant.ts'

const inSeconds = (operation: OperationId): Start =>
  onRecords(operation, (record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/.test(String(value))
          ? String(value).slice(0, 19)
          : value,
      ]),
    ),
  )

/** Other codes and types of errors than ours, but those of a failed sign-in, which are stated. */
const errorsAs = (change: (error: Json) => Json): Start =>
  onBodies((body, { operation }) =>
    isJson(body.error) && operation !== 'createSession' ? { ...body, error: change(body.error) } : body,
  )

const reversed = (operation: OperationId): Start =>
  onSuccess(operation, ({ body }, { query }) => {
    const { plural } = facts(operation)
    const records = body[plural]
    const isPaged = query.has('_limit') || query.has('_offset')
    return Array.isArray(records) && !isPaged ? { body: { ...body, [plural]: [...records].reverse() } } : {}
  })

const sets = (operation: OperationId, values: Json, when: (record: Json) => boolean = () => true): Start =>
  onRecords(operation, (record) => (when(record) ? { ...record, ...values } : record))

/** Gives a list a page size of its own where the client asks for none, or for more. */
const pages =
  (operation: OperationId, byDefault: number, most: number): Start =>
  () =>
  (heard, ask) => {
    if (heard.operation !== operation) return ask()
    const query = new URLSearchParams(heard.query)
    query.set('_limit', String(Math.min(Number(heard.query.get('_limit') ?? byDefault), most)))
    return ask({ path: `${heard.path}?${query}` })
  }

/** Texts that are JSON as well as ours is. */
const written =
  (write: (body: unknown) => string): Start =>
  () =>
  async (_, ask) => {
    const reply = await ask()
    return isJson(reply.body) ? { ...reply, body: write(reply.body) } : reply
  }

const moved = (value: unknown): unknown => (value === 'initial' ? 'running' : value)
const silent = (part: string) => sentence('Block', part)
const backfillMoves = sentence('States and transitions', 'Transitions other than those in the table')

/** Replies that are other than ours, and say the same. */
export const harmlessReplies: readonly HarmlessVariant[] = [
  {
    name: 'extra-attributes',
    leaves: sentence('What the service does', 'which decides which attributes the response carries'),
    start: onBodies((body) =>
      deep(body, (record) => (isRecord(record) ? { ...record, undocumented: { by: 'us' } } : record)),
    ),
  },
  {
    name: 'extra-attribute-null',
    leaves: sentence('What the service does', 'which decides which attributes the response carries'),
    start: onBodies((body) =>
      deep(body, (record) => (isRecord(record) ? { ...record, tenant: null } : record)),
    ),
  },
  {
    name: 'other-key-order',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: onBodies((body) => deep(body, (record) => Object.fromEntries(Object.entries(record).reverse()))),
  },
  {
    name: 'pretty-printed',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: written((body) => `${JSON.stringify(body, undefined, 2)}\n`),
  },
  {
    name: 'escaped-unicode',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: written((body) =>
      JSON.stringify(body).replaceAll(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  },
  {
    name: 'charset-in-content-type',
    leaves: 'content-type',
    start: () => async (_, ask) => ({ ...(await ask()), contentType: 'application/json; charset=utf-8' }),
  },
  {
    name: 'error-extras',
    leaves: 'error-extras',
    start: errorsAs((error) => ({
      ...error,
      exception: 'Exception',
      errors: ['Traceback (most recent call last)', '  at line 1'],
    })),
  },
  {
    name: 'error-wording',
    leaves: sentence('Errors', 'Human readable message'),
    start: errorsAs((error) => ({ ...error, message: 'Das geht so nicht.' })),
  },
  {
    name: 'error-message-empty',
    leaves: sentence('Errors', 'Human readable message'),
    start: errorsAs((error) => ({ ...error, message: '' })),
  },
  {
    name: 'error-types-of-its-own',
    leaves: sentence('Errors', 'Error type values other than'),
    start: errorsAs((error) => ({ ...error, type: 'exception' })),
  },
  { name: 'error-codes-500', leaves: 'invalid-body', start: errorsAs((error) => ({ ...error, code: 500 })) },
  {
    name: 'error-codes-422',
    leaves: 'invalid-body',
    start: errorsAs((error) => (error.code === 400 ? { ...error, code: 422 } : error)),
  },
  {
    name: 'error-codes-negative',
    leaves: sentence('Errors', '`code`'),
    start: errorsAs((error) => ({ ...error, code: -1 })),
  },
  {
    name: 'not-found-as-400',
    leaves: 'not-found',
    start: errorsAs((error) => (error.code === 404 ? { ...error, code: 400, type: 'invalid' } : error)),
  },
  {
    name: 'credentials-errors-403',
    leaves: 'api-key-error',
    start: errorsAs((error) => (error.code === 401 ? { ...error, code: 403, type: 'forbidden' } : error)),
  },
  {
    name: 'sign-in-message',
    leaves: sentence('Errors', 'A failed session authentication'),
    start: onBodies((body, { operation }) =>
      operation === 'createSession' && isJson(body.error)
        ? { ...body, error: { ...body.error, message: 'Email/username and/or password invalid.' } }
        : body,
    ),
  },
  {
    name: 'single-metadata-empty',
    leaves: 'single-metadata',
    start: onBodies((body) => ('metadata' in body || 'error' in body ? body : { ...body, metadata: {} })),
  },
  {
    name: 'list-metadata-extras',
    leaves: 'list-count',
    start: onBodies((body) =>
      isJson(body.metadata) && 'count' in body.metadata
        ? { ...body, metadata: { ...body.metadata, results: 3, pages: null } }
        : body,
    ),
  },
  {
    name: 'count-negative',
    leaves: sentence('List metadata', '`count`'),
    start: onBodies((body) =>
      isJson(body.metadata) && 'count' in body.metadata
        ? { ...body, metadata: { ...body.metadata, count: -1 } }
        : body,
    ),
  },
  ...(['listPipelines', 'listPipelineSchedules', 'listBackfills', 'listOauthAccessTokens'] as const)
    .filter((operation) => operation !== 'listBackfills' && operation !== 'listOauthAccessTokens')
    .map(
      (operation): HarmlessVariant => ({
        name: `${operation}-in-another-order`,
        leaves: 'list-order',
        start: reversed(operation),
      }),
    ),
  ...(
    [
      'listBackfills',
      'listPipelineSchedules',
      'listOauthAccessTokens',
      'triggerPipeline',
      'listPipelines',
      'readPipeline',
    ] as const
  ).map(
    (operation): HarmlessVariant => ({
      name: `${operation}-in-seconds`,
      leaves: 'timestamps-list',
      start: inSeconds(operation),
    }),
  ),
  { name: 'backfills-five-by-default', leaves: 'default-limit', start: pages('listBackfills', 5, 1_000) },
  { name: 'backfills-twenty-by-default', leaves: 'default-limit', start: pages('listBackfills', 20, 1_000) },
  { name: 'backfills-fifty-at-most', leaves: 'default-limit', start: pages('listBackfills', 50, 50) },
  { name: 'tokens-one-by-default', leaves: 'default-limit', start: pages('listOauthAccessTokens', 1, 1_000) },
  { name: 'pipelines-two-by-default', leaves: 'default-limit', start: pages('listPipelines', 2, 1_000) },
  {
    name: 'pipelines-list-with-extensions',
    leaves: 'pipelines-list-shape',
    start: onRecords('listPipelines', (record) => ({ ...record, extensions: {} })),
  },
  {
    name: 'extensions-in-create',
    leaves: sentence('Pipeline', '`extensions`'),
    start: sets('createPipeline', { extensions: {} }),
  },
  {
    name: 'extensions-filled',
    leaves: sentence('Pipeline', '`extensions`'),
    start: sets('readPipeline', { extensions: { power_ups: { hidden: true } } }),
  },
  {
    name: 'pipeline-never-updated',
    leaves: 'create-block-effects',
    start: () => async (heard, ask) => {
      const wrong = await sets('readPipeline', { updated_at: null })()(heard, ask)
      return wrong
    },
  },
  {
    name: 'block-executor-other',
    leaves: silent('`executor_type`'),
    start: sets('readBlock', { executor_type: 'k8s' }),
  },
  {
    name: 'block-status-other',
    leaves: silent('Allowed `status` values'),
    start: sets('readBlock', { status: 'updated' }),
  },
  {
    name: 'block-executor-config-object',
    leaves: silent('Allowed `status` values'),
    start: sets('readBlock', { executor_config: {}, retry_config: { retries: 3 } }),
  },
  {
    name: 'block-color-default',
    leaves: silent('`color`'),
    start: onRecords('readBlock', (block) => ({ ...block, color: block.color ?? 'grey' })),
  },
  {
    name: 'block-outputs-filled',
    leaves: silent('Allowed `status` values'),
    start: sets('readBlock', { outputs: [{ type: 'table', rows: [] }] }),
  },
  {
    name: 'block-upstream-executed',
    leaves: silent('`all_upstream_blocks_executed`'),
    start: sets('readBlock', { all_upstream_blocks_executed: false }),
  },
  {
    name: 'created-block-config-empty',
    leaves: 'create-block-nulls',
    start: onRecords('createBlock', (block, { heard }) =>
      'config' in sentRecord(heard) ? block : { ...block, config: {} },
    ),
  },
  {
    name: 'created-block-priority-null',
    leaves: 'create-block-nulls',
    start: onRecords('createBlock', (block, { heard }) =>
      'priority' in sentRecord(heard) ? block : { ...block, priority: null },
    ),
  },
  {
    name: 'backfill-variables-empty',
    leaves: sentence('Backfill', '`variables`'),
    start: sets('createBackfill', { variables: {} }),
  },
  {
    name: 'backfill-metrics',
    leaves: sentence('Backfill', 'Shape of `metrics`'),
    start: sets('listBackfills', { metrics: { rows: 3 } }),
  },
  {
    name: 'backfill-with-schedule',
    leaves: sentence('Backfill', '`pipeline_schedule_id`'),
    start: sets('createBackfill', { pipeline_schedule_id: 77 }),
  },
  {
    name: 'backfill-runs-at-once',
    leaves: backfillMoves,
    start: onRecords('listBackfills', (record) => ({ ...record, status: moved(record.status) })),
  },
  {
    name: 'run-count-many',
    leaves: 'run-count',
    start: onRecords('listBackfills', (record) =>
      'total_run_count' in record ? { ...record, total_run_count: 12_345 } : record,
    ),
  },
  {
    name: 'run-variables-filled',
    leaves: sentence('Pipeline run', '`variables`'),
    start: sets('triggerPipeline', { variables: { execution_date: '2026-01-01' } }),
  },
  {
    name: 'run-metrics',
    leaves: sentence('Pipeline run', 'the shape of `metrics`'),
    start: sets('triggerPipeline', { metrics: {} }),
  },
  {
    name: 'run-sla-passed',
    leaves: sentence('Pipeline run', '`passed_sla`'),
    start: sets('triggerPipeline', { passed_sla: true }),
  },
  {
    name: 'schedule-values-other',
    leaves: 'schedule-values',
    start: sets('listPipelineSchedules', {
      status: 'paused',
      schedule_type: 'api',
      schedule_interval: '@fortnightly',
    }),
  },
  {
    name: 'session-token-only',
    leaves: 'session-fields',
    start: onBodies((body) => (isJson(body.session) ? { session: { token: body.session.token } } : body)),
  },
  {
    name: 'log-entry-absent-where-empty',
    leaves: 'not-found',
    start: onSuccess('listLogs', ({ body }) => ({
      body: {
        ...body,
        logs: (Array.isArray(body.logs) ? body.logs.filter(isJson) : []).filter(
          ({ total_block_run_log_count: one, total_pipeline_run_log_count: other }) =>
            Number(one) + Number(other) > 0,
        ),
      },
    })),
  },
  {
    name: 'logs-of-unknown-pipeline-empty',
    leaves: 'not-found',
    start: emptyWhereUnknown('listLogs', { logs: [], metadata: {} }),
  },
  {
    name: 'schedules-of-unknown-pipeline-empty',
    leaves: 'not-found',
    start: emptyWhereUnknown('listPipelineSchedules', {
      pipeline_schedules: [],
      metadata: { count: 0, next: false },
    }),
  },
  {
    name: 'pipeline-uuid-keeps-capitals',
    leaves: 'pipeline-uuid-rule',
    start: renames(
      'createPipeline',
      (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'pipeline-uuid-keeps-dots',
    leaves: 'pipeline-uuid-rule',
    start: renames(
      'createPipeline',
      (name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'block-uuid-keeps-capitals',
    leaves: 'block-uuid-rule',
    start: renames(
      'createBlock',
      (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'block-uuid-keeps-hyphens',
    leaves: 'block-uuid-rule',
    start: renames(
      'createBlock',
      (name, uuid) => [...uuid].map((each, index) => (name[index] === '-' ? '-' : each)).join(''),
      () => true,
    ),
  },
  {
    name: 'triggers-under-another-key',
    leaves: 'schedules-key',
    start: onBodies((body) =>
      deep(body, ({ schedules, ...record }) =>
        schedules === undefined ? record : { ...record, triggers: schedules },
      ),
    ),
  },
  {
    name: 'put-on-create-refused',
    leaves: sentence('Create backfill', 'the documented method is POST'),
    start: () => (heard, ask) =>
      heard.operation === 'createBackfill' && heard.method === 'PUT'
        ? {
            status: 200,
            contentType: 'application/json',
            body: {
              error: { code: 405, message: 'PUT is not allowed.', type: 'method_not_allowed' },
              status: 200,
            },
          }
        : ask(),
  },
  {
    name: 'rate-limited',
    leaves: sentence('Limits', 'rate limits'),
    start: () => {
      let nth = 0
      return (_, ask) =>
        ++nth % 97 === 0
          ? {
              status: 200,
              contentType: 'application/json',
              body: {
                error: {
                  code: 429,
                  message: 'Too many requests; try again in a second.',
                  type: 'too_many_requests',
                },
                status: 200,
              },
            }
          : ask()
    },
  },
]

function emptyWhereUnknown(operation: OperationId, body: Json): Start {
  return () => async (heard, ask) => {
    const reply = await ask()
    const isUnknown =
      isErrorReply(reply) && isJson(reply.body) && isJson(reply.body.error) && reply.body.error.code === 404
    return heard.operation === operation && isUnknown ? { ...reply, body } : reply
  }
}
