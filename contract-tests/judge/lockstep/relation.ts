import type { AssumptionId } from '../../../src/assumptions/index.ts'

export type { AssumptionId }

/** How an attribute of the target's record stands to the same attribute of the model's. */
export type Relation =
  /** The document states the value, or the client has written it. */
  | 'equal'
  /** Equal once a client has written it; before that the target's choice, which stays. */
  | 'written'
  /** The target's choice, which stays until something is written to the record. */
  | 'constant'
  /** The target's choice, at any time. */
  | 'free'
  /** What identifies the record on the target. */
  | 'key'
  /** What identifies the pipeline or schedule it belongs to. */
  | 'home'
  | 'schedule'
  /** The uuids of blocks, in any order. */
  | 'links'
  /** A moment that a client writes, in either documented form; null before. */
  | 'datetime'
  /** The moment when the record was created. */
  | 'created'
  /** A moment between its creation and now, or null; it stays until something is written. */
  | 'changed'
  /** Null until a client writes a status; then null, or a moment. */
  | 'life'
  /** What a client writes, or what the server has made of it since. */
  | 'status'
  /** Records that the record carries. */
  | 'nested'

/** A relation, and the assumption that names the freedom, where there is one. */
export interface Related {
  readonly is: Relation
  readonly freedom?: AssumptionId
}

const equal: Related = { is: 'equal' }
const constant: Related = { is: 'constant' }
const free = (freedom: AssumptionId): Related => ({ is: 'free', freedom })

/** How the attributes of each kind of record are compared; one that is not listed here is not compared. */
export const relations = {
  pipeline: {
    uuid: { is: 'key', freedom: 'pipeline-uuid-rule' },
    name: equal,
    type: equal,
    description: equal,
    data_integration: equal,
    executor_config: equal,
    executor_count: equal,
    executor_type: equal,
    notification_config: equal,
    spark_config: equal,
    // Null on a new one; what a change of its blocks makes of it is not said.
    updated_at: { is: 'changed' },
    blocks: { is: 'nested', freedom: 'callback-lists' },
    extensions: constant,
  },
  block: {
    uuid: { is: 'key', freedom: 'block-uuid-rule' },
    name: equal,
    type: equal,
    language: { is: 'written', freedom: 'block-language' },
    // "Color shown for custom blocks only; other types have predefined colors."
    color: constant,
    configuration: { is: 'written', freedom: 'create-block-nulls' },
    upstream_blocks: { is: 'links', freedom: 'unknown-upstream' },
    downstream_blocks: { is: 'links', freedom: 'create-block-effects' },
    all_upstream_blocks_executed: { is: 'free' },
    executor_config: constant,
    executor_type: constant,
    has_callback: { is: 'free' },
    retry_config: constant,
    status: free('block-status'),
    content: equal,
    outputs: { is: 'free' },
    config: { is: 'written', freedom: 'create-block-nulls' },
    priority: { is: 'written', freedom: 'create-block-nulls' },
  },
  backfill: {
    id: { is: 'key' },
    name: equal,
    pipeline_uuid: { is: 'home' },
    pipeline_schedule_id: free('backfill-life'),
    block_uuid: { is: 'written' },
    start_datetime: { is: 'datetime', freedom: 'datetime-input' },
    end_datetime: { is: 'datetime', freedom: 'datetime-input' },
    interval_type: equal,
    interval_units: equal,
    status: { is: 'status', freedom: 'backfill-life' },
    variables: { is: 'written' },
    metrics: free('backfill-life'),
    created_at: { is: 'created' },
    updated_at: { is: 'changed' },
    started_at: { is: 'life', freedom: 'backfill-life' },
    completed_at: { is: 'life', freedom: 'backfill-life' },
    failed_at: { is: 'life', freedom: 'backfill-life' },
  },
  schedule: {
    id: { is: 'key' },
    name: equal,
    pipeline_uuid: { is: 'home' },
    // It is made by the conventions: what they make of it is the target's own, and stays.
    schedule_type: constant,
    start_time: constant,
    schedule_interval: constant,
    status: constant,
    variables: constant,
    sla: constant,
    tags: equal,
    token: constant,
    settings: constant,
    event_matchers: constant,
    last_pipeline_run_status: free('run-lifecycle'),
    pipeline_runs_count: { is: 'free' },
    created_at: { is: 'created' },
    updated_at: free('run-lifecycle'),
  },
  run: {
    pipeline_schedule_id: { is: 'schedule' },
    pipeline_uuid: { is: 'home' },
    status: equal,
    event_variables: equal,
    created_at: { is: 'created' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Related>>>>

/** A kind of record that is compared. */
export type Kind = keyof typeof relations
