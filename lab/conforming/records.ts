import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { RuleId } from '../../contract-tests/rules/index.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { toUuid } from '../../src/shared/uuid-rule.ts'
import {
  bodyWith,
  facts,
  onRecords,
  onSuccess,
  readList,
  refusal,
  sentence,
  sentRecord,
  succeeded,
} from '../mutants/mutant.ts'
import { type ToUuid, withUuid } from '../mutants/operators/identity.ts'
import type { Start } from '../mutants/serve-mutant.ts'
import { backfillMoves, deep, emptyWhereUnknown, onBodies } from './reply-changes.ts'
import { defineVariants, type VariantRow } from './variant.ts'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const uuids = (operation: 'createPipeline' | 'createBlock', toUuid: ToUuid) =>
  withUuid(operation, toUuid, () => true)

/** Changes the content of a block in reads. */
const onContent = (change: (content: string) => string): Start =>
  onRecords('readBlock', (block) => ({ ...block, content: change(String(block.content)) }))

/** Changes a pipeline in reads. */
const onPipeline = (change: (pipeline: Json, blocks: readonly Json[]) => Json): Start =>
  onRecords('readPipeline', (pipeline) => change(pipeline, listOf(pipeline.blocks).filter(isObject)))

/** Shows the triggers of a pipeline in another form. */
const onTriggers = (form: (schedule: Json) => unknown): Start =>
  onRecords('readPipeline', (pipeline) =>
    'schedules' in pipeline
      ? { ...pipeline, schedules: listOf(pipeline.schedules).filter(isObject).map(form) }
      : pipeline,
  )

const uuidsOf = (list: unknown) => listOf(list).map((block) => (isObject(block) ? block.uuid : block))

/** Shows links to deleted blocks. */
const linksToDeleted: Start = onRecords('readBlock', (block, { request }) => {
  const deleted = succeeded(request, 'deleteBlock').filter(
    (own) => own.request.parameters.pipeline_uuid === request.parameters.pipeline_uuid,
  )
  const gone = deleted
    .filter(({ reply }) => isObject(reply.body) && isObject(reply.body.block))
    .filter(({ reply }) => listOf(Object(Object(reply.body).block).downstream_blocks).includes(block.uuid))
    .map((own) => own.request.parameters.block_uuid)
  return { ...block, upstream_blocks: [...listOf(block.upstream_blocks), ...gone] }
})

/** Reads a value similar to a listed one as that value, and stores only listed values. */
const normalizes: Start = () => (request, forward) => {
  const listed = ['type', 'language', 'status', 'interval_type']
  const normal = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value)
  const { method, body, operation } = request
  // The mock refuses a body without its key.
  if (method === 'GET' || operation === 'triggerPipeline' || !isObject(body)) return forward()
  if (!Object.values(body).every(isObject)) return forward()
  const record = Object.entries(sentRecord(request)).map(([name, value]) => [
    name,
    listed.includes(name) ? normal(value) : value,
  ])
  return forward({ body: bodyWith(request, Object.fromEntries(record)) })
}

/** Other values of attributes that a sentence about the record leaves open. */
const shows = (operation: OperationId, quote: string, values: Json, ...departsFrom: RuleId[]): VariantRow => {
  const { attributes } = facts(operation)
  const row = attributes === 'all' ? undefined : attributes.find(({ stated }) => stated)?.stated
  if (row === undefined) throw new Error(`Expected rows about attributes of ${operation}.`)
  return [
    sentence(row.section, quote),
    onRecords(operation, (record) => ({ ...record, ...values })),
    ...departsFrom,
  ]
}

/** Puts the schedules of pipelines under another key. */
const schedulesAs = (key: string): VariantRow => [
  'schedules-key',
  onBodies((body) =>
    deep(body, ({ schedules, ...record }) =>
      schedules === undefined ? record : { ...record, [key]: schedules },
    ),
  ),
]

/** Records with other values where the API specification leaves them open. */
export const recordVariants = defineVariants({
  'extensions-in-create': shows('createPipeline', '`extensions`', { extensions: {} }),
  'extensions-filled': shows(
    'readPipeline',
    '`extensions`',
    { extensions: { power_ups: { hidden: true } } },
    'pipeline-extensions/empty',
  ),
  'extension-blocks-in-extensions': [
    'callback-lists',
    onPipeline((pipeline, blocks) => ({
      ...pipeline,
      blocks: blocks.filter(({ type }) => type !== 'extension'),
      extensions: { checks: { blocks: blocks.filter(({ type }) => type === 'extension') } },
    })),
    'pipeline-extensions/empty',
  ],
  'callbacks-by-uuid': [
    sentence('Pipeline', 'Element shapes of `callbacks`'),
    onPipeline((pipeline) => ({
      ...pipeline,
      callbacks: uuidsOf(pipeline.callbacks),
      conditionals: uuidsOf(pipeline.conditionals),
      widgets: uuidsOf(pipeline.widgets),
    })),
  ],
  'blocks-by-type': [
    'list-order',
    onPipeline((pipeline, blocks) => ({
      ...pipeline,
      blocks: blocks.toSorted((one, other) => String(one.type).localeCompare(String(other.type))),
    })),
  ],
  'created-block-links-null': [
    'create-block-nulls',
    onRecords('createBlock', (block) => ({
      ...block,
      upstream_blocks: listOf(block.upstream_blocks).length > 0 ? block.upstream_blocks : null,
    })),
  ],
  'line-ends-normalized': ['block-newlines', onContent((content) => content.replaceAll(/\r\n?/g, '\n'))],
  'triggers-by-id': ['schedules-key', onTriggers(({ id }) => id)],
  'triggers-by-name': ['schedules-key', onTriggers(({ name }) => ({ name }))],
  'triggers-under-another-key': schedulesAs('triggers'),
  'triggers-under-an-unknown-key': schedulesAs('associated_triggers'),
  'pipeline-uuid-keeps-capitals': [
    'pipeline-uuid-rule',
    uuids('createPipeline', (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_')),
  ],
  'pipeline-uuid-keeps-dots': [
    'pipeline-uuid-rule',
    uuids('createPipeline', (name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '_')),
  ],
  'block-uuid-keeps-capitals': [
    'block-uuid-rule',
    uuids('createBlock', (name) => name.replaceAll(/[^\p{L}\p{N}]/gu, '_')),
  ],
  'block-uuid-keeps-hyphens': [
    'block-uuid-rule',
    uuids('createBlock', (name, uuid) =>
      [...uuid].map((each, index) => (name[index] === '-' ? '-' : each)).join(''),
    ),
  ],
  'block-executor-other': shows(
    'readBlock',
    '`executor_type`',
    { executor_type: 'k8s' },
    'block-new/executor-type',
  ),
  'block-status-other': shows(
    'readBlock',
    'Allowed `status` values',
    { status: 'updated' },
    'block-new/status',
  ),
  'block-executor-config-object': shows('readBlock', 'Allowed `status` values', {
    executor_config: {},
    retry_config: { retries: 3 },
  }),
  'block-color-default': [
    sentence('Block', '`color`'),
    onRecords('readBlock', (block) => ({ ...block, color: block.color ?? 'grey' })),
  ],
  'block-outputs-filled': shows('readBlock', 'Allowed `status` values', {
    outputs: [{ type: 'table', rows: [] }],
  }),
  'block-upstream-executed': shows('readBlock', '`all_upstream_blocks_executed`', {
    all_upstream_blocks_executed: false,
  }),
  'newlines-stored-as-newlines': ['block-newlines', onContent((content) => content.replaceAll('/n', '\n'))],
  'newlines-shown-as-text': ['block-newlines', onContent((content) => content.replaceAll('\n', '/n'))],
  'created-block-config-empty': [
    'create-block-nulls',
    onRecords('createBlock', (block, { request }) =>
      'config' in sentRecord(request) ? block : { ...block, config: {} },
    ),
  ],
  'deleted-block-without-links': [
    'force-effect',
    onRecords('deleteBlock', (block) => ({ ...block, upstream_blocks: [], downstream_blocks: [] })),
  ],
  'links-to-what-is-gone': ['force-effect', linksToDeleted],
  'backfill-variables-empty': shows('createBackfill', '`variables`', { variables: {} }),
  'backfill-metrics': shows('listBackfills', 'Shape of `metrics`', { metrics: { rows: 3 } }),
  'backfill-with-schedule': shows('createBackfill', '`pipeline_schedule_id`', { pipeline_schedule_id: 77 }),
  'backfill-runs-at-once': [
    backfillMoves,
    onRecords('listBackfills', (record) =>
      record.status === 'initial' ? { ...record, status: 'running' } : record,
    ),
  ],
  'run-count-many': [
    'run-count',
    onRecords('listBackfills', (record) =>
      'total_run_count' in record ? { ...record, total_run_count: 12_345 } : record,
    ),
  ],
  'run-variables-filled': shows(
    'triggerPipeline',
    '`variables`',
    { variables: { execution_date: '2026-01-01' } },
    'trigger/variables',
  ),
  'run-metrics': shows('triggerPipeline', 'the shape of `metrics`', { metrics: {} }),
  'run-sla-passed': shows('triggerPipeline', '`passed_sla`', { passed_sla: true }),
  'schedule-values-other': [
    'schedule-values',
    onRecords('listPipelineSchedules', (record) => ({
      ...record,
      status: 'paused',
      schedule_type: 'api',
      schedule_interval: '@fortnightly',
    })),
  ],
  'logs-of-unknown-pipeline-empty': ['not-found', emptyWhereUnknown('listLogs', { logs: [], metadata: {} })],
  'schedules-of-unknown-pipeline-empty': [
    'not-found',
    emptyWhereUnknown('listPipelineSchedules', {
      pipeline_schedules: [],
      metadata: { count: 0, next: false },
    }),
  ],
  'put-on-create-refused': [
    sentence('Create backfill', 'the documented method is POST'),
    () => (request, forward) =>
      request.operation === 'createBackfill' && request.method === 'PUT'
        ? refusal('PUT is not allowed.', 405, 'method_not_allowed')
        : forward(),
    'backfill-create/put-sample',
  ],
  'listed-values-in-any-letters-and-edges': [sentence('Update backfill', '`status`'), normalizes],
  'backfills-of-one-name-refused': [
    sentence('Create backfill', 'The sample sends only'),
    () => async (request, forward) => {
      if (request.operation !== 'createBackfill') return forward()
      const { name } = sentRecord(request)
      const all = await readList(forward, `/api/backfills${request.search}`, 'backfills')
      const isTaken = all.some(
        (own) => own.pipeline_uuid === request.parameters.pipeline_uuid && own.name === name,
      )
      return isTaken ? refusal('The name is taken.') : forward()
    },
  ],
  'block-names-as-in-uuids': [
    sentence('Create block', 'slugified to a safe uuid'),
    () => (request, forward) => {
      const record = sentRecord(request)
      const { name } = record
      if (request.operation !== 'createBlock' || typeof name !== 'string') return forward()
      return forward({
        body: bodyWith(request, { ...record, name: toUuid(name) }),
      })
    },
  ],
  'blocks-and-links-in-another-order': [
    'list-order',
    onSuccess('readPipeline', ({ body }) => {
      const reversed = (record: Json, ...names: readonly string[]) =>
        names.filter((name) => name in record).map((name) => [name, listOf(record[name]).toReversed()])
      return {
        body: deep(body, (record) => ({
          ...record,
          ...Object.fromEntries(reversed(record, 'blocks', 'upstream_blocks', 'downstream_blocks')),
        })) as Json,
      }
    }),
  ],
})
