import type { Effect, Need } from './define-rules.ts'
import type { OperationId } from './operation-id.ts'
import type { Section } from './sections.ts'
import * as shape from './shapes.ts'

/** The fields of a record in the tables of the specification: the form of each value, and its words in a report. */
export interface RecordFields {
  readonly record: string
  readonly section: Section
  readonly operation: OperationId
  readonly effects: Effect
  readonly needs: readonly Need[]
  /** The sentence that describes the fields, if no table lists them. */
  readonly sentence?: string
  readonly fields: Readonly<Record<string, shape.Shape>>
}

const { array, boolean, each, integer, maybe, object, objectWith, oneOf, text, timestamp } = shape

const pipelineTypes = ['integration', 'pyspark', 'python', 'streaming']
export const blockLanguages = ['python', 'sql', 'r', 'yaml', 'markdown'] as const
const blockTypes = [
  'callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension',
  'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer',
] // biome-ignore format: one list, in the document's order
const configurationProperties = [
  'data_provider', 'data_provider_database', 'data_provider_profile', 'data_provider_schema', 'data_provider_table',
  'export_write_policy', 'use_raw_sql',
] // biome-ignore format: one list, in the document's order
export const intervalTypes = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom'] as const
export const backfillStatuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** Every table of fields in the specification. */
export const recordFields = [
  {
    record: 'pipeline',
    section: 'Pipeline',
    operation: 'readPipeline',
    effects: 'writes',
    needs: [],
    fields: {
      uuid: text,
      name: text,
      type: oneOf(pipelineTypes),
      description: maybe(text),
      data_integration: maybe(object),
      executor_config: object,
      executor_count: integer,
      executor_type: maybe(text),
      notification_config: object,
      spark_config: object,
      updated_at: maybe(timestamp),
      blocks: array,
      callbacks: array,
      conditionals: array,
      widgets: array,
    },
  },
  {
    record: 'block',
    section: 'Block',
    operation: 'readBlock',
    effects: 'writes',
    needs: [],
    fields: {
      uuid: text,
      name: text,
      type: oneOf(blockTypes),
      language: oneOf(blockLanguages),
      color: maybe(text),
      configuration: objectWith(text, configurationProperties),
      upstream_blocks: each(text),
      downstream_blocks: each(text),
      all_upstream_blocks_executed: boolean,
      executor_config: maybe(object),
      executor_type: text,
      has_callback: boolean,
      retry_config: maybe(object),
      status: text,
      content: text,
      outputs: array,
    },
  },
  {
    record: 'backfill',
    section: 'Backfill',
    operation: 'listBackfills',
    effects: 'writes',
    needs: [],
    fields: {
      id: integer,
      name: text,
      pipeline_uuid: text,
      pipeline_schedule_id: maybe(integer),
      block_uuid: maybe(text),
      start_datetime: maybe(timestamp),
      end_datetime: maybe(timestamp),
      interval_type: maybe(oneOf(intervalTypes)),
      interval_units: maybe(integer),
      status: maybe(oneOf(backfillStatuses)),
      variables: maybe(object),
      metrics: maybe(object),
      created_at: timestamp,
      updated_at: timestamp,
      started_at: maybe(timestamp),
      completed_at: maybe(timestamp),
      failed_at: maybe(timestamp),
      total_run_count: integer,
    },
  },
  {
    record: 'schedule',
    section: 'Pipeline schedule',
    operation: 'listPipelineSchedules',
    effects: 'reads',
    needs: ['schedule'],
    fields: {
      id: integer,
      name: text,
      pipeline_uuid: text,
      schedule_type: text,
      start_time: timestamp,
      schedule_interval: text,
      status: text,
      variables: maybe(object),
      sla: maybe(integer),
      tags: each(text),
      token: text,
      settings: objectWith(boolean, ['skip_if_previous_running', 'allow_blocks_to_fail']),
      event_matchers: array,
      last_pipeline_run_status: maybe(text),
      pipeline_runs_count: integer,
      created_at: timestamp,
      updated_at: timestamp,
    },
  },
  {
    record: 'run',
    section: 'Pipeline run',
    operation: 'triggerPipeline',
    effects: 'writes',
    needs: ['trigger'],
    fields: {
      id: integer,
      pipeline_schedule_id: integer,
      pipeline_uuid: text,
      execution_date: timestamp,
      status: text,
      completed_at: maybe(timestamp),
      variables: object,
      event_variables: object,
      passed_sla: boolean,
      metrics: maybe(object),
      backfill_id: maybe(integer),
      created_at: timestamp,
      updated_at: timestamp,
    },
  },
  {
    record: 'logs',
    section: 'Pipeline logs entry',
    operation: 'listLogs',
    effects: 'reads',
    needs: [],
    fields: {
      block_run_logs: each(object),
      pipeline_run_logs: each(object),
      total_block_run_log_count: integer,
      total_pipeline_run_log_count: integer,
    },
  },
  {
    record: 'log-file',
    section: 'Pipeline logs entry',
    operation: 'listLogs',
    effects: 'reads',
    needs: ['logs'],
    sentence: 'A log file has `name` (string), `path` (string) and `content` (string, may be long).',
    fields: { name: text, path: text, content: text },
  },
  {
    record: 'oauth-token',
    section: 'OAuth access token',
    operation: 'listOauthAccessTokens',
    effects: 'reads',
    needs: ['sign-in'],
    fields: { token: text, expires: timestamp, user_id: integer },
  },
  {
    record: 'session',
    section: 'Session',
    operation: 'createSession',
    effects: 'reads',
    needs: ['sign-in'],
    sentence: 'Its payload has a `token` key holding the raw token.',
    fields: { token: text },
  },
] as const satisfies readonly RecordFields[]

type FieldTable = (typeof recordFields)[number]

/** The name of a record whose fields the specification lists. */
export type RecordName = FieldTable['record']

type FieldRuleIdsOf<Table extends RecordFields> = Table extends RecordFields
  ? `${Table['record']}-fields/${keyof Table['fields'] & string}`
  : never

/** The id of the rule about one field of one table. */
export type FieldRuleId = FieldRuleIdsOf<FieldTable>

/** The check of one field of a record. */
export interface FieldRule {
  readonly id: FieldRuleId
  readonly record: RecordName
  readonly field: string
  readonly shape: shape.Shape
}

/** Every field of every table, with the id of its rule. */
const fieldTable: readonly FieldRule[] = recordFields.flatMap(({ record, fields }) =>
  Object.entries(fields).map(([field, allowed]) => ({
    // The keys of an object are plain texts to the compiler.
    id: `${record}-fields/${field}` as FieldRuleId,
    record,
    field,
    shape: allowed,
  })),
)

/** The fields of a record. */
export function fieldsOf(record: RecordName): readonly FieldRule[] {
  return fieldTable.filter((candidate) => candidate.record === record)
}
