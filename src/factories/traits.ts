import type { WireRecord } from '../resources/define-resource.ts'
import type { Model } from './model.ts'

/** A named variation of a record: values it starts with, and what is made around it. */
export interface Trait {
  readonly values?: WireRecord
  readonly after?: (record: WireRecord, model: Model) => void
}

const hour = { interval_type: 'hour', interval_units: 1 }
const range = {
  start_datetime: '2026-01-01 00:00:00.000000+00:00',
  end_datetime: '2026-01-02 00:00:00.000000+00:00',
}

/** The traits of each resource, by its singular. */
export const traits = {
  user: {},
  oauth_access_token: {
    expired: { values: { expires: '2020-01-01 00:00:00.000000+00:00' } },
  },
  pipeline: {
    integration: { values: { type: 'integration' } },
    pyspark: { values: { type: 'pyspark' } },
    streaming: { values: { type: 'streaming' } },
    /** Its runs fail. */
    failing: { values: { run_script: { ends_as: 'failed' } } },
    /** Its runs never end by themselves. */
    endless: { values: { run_script: { ends_as: 'never' } } },
    /** Three blocks in a row: loader, transformer, exporter. */
    withBlocks: { after: addBlocks },
    withSchedule: { after: (record, model) => void addSchedule(record, model) },
    /** A schedule with three runs: completed, failed, completed. */
    withRuns: { after: (record, model) => addRuns(addSchedule(record, model), model) },
  },
  block: {
    sql: { values: { language: 'sql', configuration: { use_raw_sql: 'true', data_provider: 'postgres' } } },
    executed: { values: { status: 'executed' } },
    failed: { values: { status: 'failed' } },
  },
  pipeline_schedule: {
    active: { values: { status: 'active' } },
    hourly: { values: { schedule_interval: '@hourly' } },
    daily: { values: { schedule_interval: '@daily' } },
    api: { values: { schedule_type: 'api' } },
    event: { values: { schedule_type: 'event' } },
    withRuns: { after: addRuns },
  },
  backfill: {
    initial: { values: { status: 'initial' } },
    running: { values: { status: 'running' } },
    completed: { values: { status: 'completed' } },
    failed: { values: { status: 'failed' } },
    cancelled: { values: { status: 'cancelled' } },
    /** One day by the hour: 25 planned dates. */
    hourly: { values: { ...range, ...hour } },
    /** One month by the day: 31 planned dates. */
    daily: {
      values: {
        ...range,
        end_datetime: '2026-01-31 00:00:00.000000+00:00',
        interval_type: 'day',
        interval_units: 1,
      },
    },
    /** A schedule with three runs that belong to the backfill. */
    withRuns: {
      after: (record, model) => {
        const schedule = addSchedule({ uuid: record.pipeline_uuid }, model)
        model.table('backfills').change(record, { pipeline_schedule_id: schedule.id })
        addRuns(schedule, model, { backfill_id: record.id })
      },
    },
  },
  pipeline_run: {
    completed: { values: { status: 'completed' } },
    failed: { values: { status: 'failed' } },
    cancelled: { values: { status: 'cancelled' } },
  },
  log: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Trait>>>>

function addBlocks(pipeline: WireRecord, model: Model): void {
  const names = ['load', 'transform', 'export'] as const
  const types = ['data_loader', 'transformer', 'data_exporter'] as const
  for (const [index, name] of names.entries()) {
    model.table('blocks').insert({
      name,
      type: types[index],
      pipeline_uuid: pipeline.uuid,
      priority: index,
      upstream_blocks: names.slice(Math.max(index - 1, 0), index),
      downstream_blocks: names.slice(index + 1, index + 2),
      all_upstream_blocks_executed: index === 0,
    })
  }
}

function addSchedule(pipeline: WireRecord, model: Model): WireRecord {
  return model.table('pipeline_schedules').insert({ pipeline_uuid: pipeline.uuid })
}

function addRuns(schedule: WireRecord, model: Model, values: WireRecord = {}): void {
  for (const status of ['completed', 'failed', 'completed']) {
    model.table('pipeline_runs').insert({
      pipeline_schedule_id: schedule.id,
      pipeline_uuid: schedule.pipeline_uuid,
      status,
      completed_at: model.now(),
      ...values,
    })
  }
}
