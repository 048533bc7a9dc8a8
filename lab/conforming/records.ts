import { isObject } from '../../contract-tests/runner/is-object.ts'
import { bodyWith, onRecords, onSuccess, refusal, sentence, sentRecord } from '../mutants/mutant.ts'
import { withUuid } from '../mutants/operators/identity.ts'
import { backfillMoves, emptyWhereUnknown, moved, sets, silent } from './reply-changes.ts'
import { deep, type HarmlessVariant, onBodies } from './variant.ts'

/** Records that are other than ours where the document leaves it open. */
export const harmlessRecords: readonly HarmlessVariant[] = [
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
    toldBy: ['pipeline-extensions/empty'],
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
    toldBy: ['block-new/executor-type'],
    leaves: silent('`executor_type`'),
    start: sets('readBlock', { executor_type: 'k8s' }),
  },
  {
    name: 'block-status-other',
    toldBy: ['block-new/status'],
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
    start: onRecords('createBlock', (block, { request }) =>
      'config' in sentRecord(request) ? block : { ...block, config: {} },
    ),
  },
  {
    name: 'created-block-priority-null',
    leaves: 'create-block-nulls',
    start: onRecords('createBlock', (block, { request }) =>
      'priority' in sentRecord(request) ? block : { ...block, priority: null },
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
    toldBy: ['trigger/variables'],
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
    start: onBodies((body) => (isObject(body.session) ? { session: { token: body.session.token } } : body)),
  },
  {
    name: 'log-entry-absent-where-empty',
    leaves: 'not-found',
    start: onSuccess('listLogs', ({ body }) => ({
      body: {
        ...body,
        logs: (Array.isArray(body.logs) ? body.logs.filter(isObject) : []).filter(
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
    start: withUuid(
      'createPipeline',
      (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'pipeline-uuid-keeps-dots',
    leaves: 'pipeline-uuid-rule',
    start: withUuid(
      'createPipeline',
      (name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'block-uuid-keeps-capitals',
    leaves: 'block-uuid-rule',
    start: withUuid(
      'createBlock',
      (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_'),
      () => true,
    ),
  },
  {
    name: 'block-uuid-keeps-hyphens',
    leaves: 'block-uuid-rule',
    start: withUuid(
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
    toldBy: ['backfill-create/put-sample'],
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
  {
    name: 'listed-values-in-any-letters-and-edges',
    leaves: sentence('Update backfill', '`status`'),
    // What comes near a listed value is taken for it: what is stored and shown is one of the list.
    start: () => (heard, ask) => {
      const listed = ['type', 'language', 'status', 'interval_type']
      const normal = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value)
      // A body without its key is left as it is: the mock refuses it.
      if (heard.method === 'GET' || !isObject(heard.body) || !Object.values(heard.body).every(isObject))
        return ask()
      const record = Object.fromEntries(
        Object.entries(sentRecord(heard)).map(([name, value]) => [
          name,
          listed.includes(name) ? normal(value) : value,
        ]),
      )
      return heard.operation === 'triggerPipeline' ? ask() : ask({ body: bodyWith(heard, record) })
    },
  },
  {
    name: 'backfills-of-one-name-refused',
    leaves: sentence('Create backfill', 'The sample sends only'),
    start: () => {
      const names = new Set<string>()
      return (heard, ask) => {
        const name = `${heard.parameters.pipeline_uuid} ${String(sentRecord(heard).name)}`
        if (heard.operation !== 'createBackfill') return ask()
        if (names.has(name)) return refusal('The name is taken.')
        names.add(name)
        return ask()
      }
    },
  },
]
