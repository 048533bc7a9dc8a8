import * as z from 'zod'
import type { Model } from '../factories/model.ts'
import { countPlannedDates, intervalTypes, type Plan, plannedDates } from '../wire/intervals.ts'
import { type Timestamp, toMilliseconds, toTimestamp } from '../wire/timestamps.ts'
import { anyObject, datetime, id, timestamp } from './attributes.ts'
import {
  type ActionContext,
  defineResource,
  paging,
  setValues,
  unsetValues,
  type WireRecord,
} from './define-resource.ts'
import { endRun, isUnderWay, startRun } from './run-life.ts'
import { runScript } from './run-script.ts'

/** The values of `status` (the document, "Backfill"). */
export const backfillStatuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** How long a backfill stays `initial`: what a client sets is what it reads back (`backfill-life`). */
const initialFor = 1_000
/** The most runs one backfill starts. */
const mostRuns = 10_000

const attributes = z.object({
  id,
  name: z.string(),
  pipeline_uuid: z.string(),
  pipeline_schedule_id: z.int().nullable().default(null),
  block_uuid: z.string().nullable().default(null),
  start_datetime: timestamp.nullable().default(null),
  end_datetime: timestamp.nullable().default(null),
  interval_type: z.enum(intervalTypes).nullable().default(null),
  interval_units: z.int().nullable().default(null),
  status: z.enum(backfillStatuses).nullable().default(null),
  variables: anyObject.nullable().default(null),
  metrics: anyObject.nullable().default(null),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable().default(null),
  completed_at: timestamp.nullable().default(null),
  failed_at: timestamp.nullable().default(null),
  due_at: timestamp.nullable().default(null),
  run_script: runScript.nullable().default(null),
})

const presents = [
  'id', 'name', 'pipeline_uuid', 'pipeline_schedule_id', 'block_uuid', 'start_datetime', 'end_datetime',
  'interval_type', 'interval_units', 'status', 'variables', 'metrics', 'created_at', 'updated_at', 'started_at',
  'completed_at', 'failed_at',
] as const // biome-ignore format: one list, in the document's order

/** What a client may write when it creates a backfill: everything but `status` (`backfill-status-on-create`). */
const newBackfill = z.object({
  name: z.string().min(1),
  block_uuid: z.string().nullable().optional(),
  start_datetime: datetime.nullable().optional(),
  end_datetime: datetime.nullable().optional(),
  interval_type: z.enum(intervalTypes).nullable().optional(),
  interval_units: z.int().min(1).nullable().optional(),
  variables: anyObject.nullable().optional(),
})

export const backfill = defineResource({
  singular: 'backfill',
  plural: 'backfills',
  key: 'id',
  attributes,
  references: {
    pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' },
    pipeline_schedule_id: { plural: 'pipeline_schedules', whenDeleted: 'clear' },
  },
  presents,
  derived: { total_run_count: (record) => String(countPlannedDates(record as unknown as Plan)) },
  complete: (record, { id, now }) => ({
    name: `backfill ${id}`,
    created_at: now,
    updated_at: record.created_at ?? now,
    ...record,
  }),
  due: { at: 'due_at', run: settleBackfill },
  operations: [
    {
      id: 'listBackfills',
      title: 'Read backfills',
      action: 'list',
      section: 'Read backfills',
      routes: [
        { method: 'GET', path: '/api/backfills', basis: 'documented' },
        { method: 'GET', path: '/api/pipelines/:pipeline_uuid/backfills', basis: 'convention' },
      ],
      parameters: [
        ...paging,
        {
          name: 'pipeline_uuid',
          type: 'string',
          description: 'Pipeline whose backfills are read.',
          example: 'daily_sales',
          filter: { attribute: 'pipeline_uuid', match: 'equal' },
        },
        {
          name: 'include_run_count',
          type: 'boolean',
          description: 'Whether items carry `total_run_count`.',
          example: true,
          allowed: [...setValues, ...unsetValues],
          adds: { attributes: ['total_run_count'], when: setValues },
        },
      ],
      assumptions: ['run-count', 'timestamps-list', 'list-order', 'list-count', 'default-limit'],
    },
    {
      id: 'createBackfill',
      title: 'Create backfill',
      action: 'create',
      section: 'Create backfill',
      routes: [
        { method: 'POST', path: '/api/pipelines/:pipeline_uuid/backfills', basis: 'documented' },
        {
          method: 'PUT',
          path: '/api/pipelines/:pipeline_uuid/backfills',
          basis: 'documented',
          note: 'One sample request uses PUT on the same path; the documented method is POST.',
        },
      ],
      writes: newBackfill,
      timestamps: 'seconds',
      assumptions: ['backfill-status-on-create', 'datetime-input'],
    },
    {
      id: 'readBackfill',
      title: 'Read one backfill',
      action: 'detail',
      section: 'What the service does',
      routes: [{ method: 'GET', path: '/api/backfills/:backfill_id', basis: 'convention' }],
      assumptions: ['timestamps-list', 'not-found'],
    },
    {
      id: 'updateBackfill',
      title: 'Update backfill',
      action: 'update',
      section: 'Update backfill',
      routes: [
        { method: 'PUT', path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id', basis: 'documented' },
        { method: 'PUT', path: '/api/backfills/:backfill_id', basis: 'convention' },
      ],
      writes: newBackfill
        .extend({
          status: z.enum(backfillStatuses),
          pipeline_schedule_id: id.nullable(),
          metrics: anyObject.nullable(),
          started_at: datetime.nullable(),
          completed_at: datetime.nullable(),
          failed_at: datetime.nullable(),
        })
        .partial(),
      timestamps: 'seconds',
      assumptions: ['backfill-other-pipeline', 'backfill-life', 'datetime-input'],
      run: updateBackfill,
    },
    {
      id: 'deleteBackfill',
      title: 'Delete backfill',
      action: 'delete',
      section: 'Delete backfill',
      routes: [
        { method: 'DELETE', path: '/api/backfills/:backfill_id', basis: 'documented' },
        {
          method: 'DELETE',
          path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id',
          basis: 'convention',
        },
      ],
      timestamps: 'seconds',
      run: ({ model, record, now }) => {
        stopRuns(model, record!, now)
        model.table('backfills').remove(record!)
        return record!
      },
    },
  ],
})

function updateBackfill({ model, record, attributes, now }: ActionContext): WireRecord {
  const { status } = attributes
  const changes: Record<string, unknown> = { updated_at: now }
  if (status !== undefined && status !== record!.status) {
    changes.due_at = status === 'initial' ? toTimestamp(toMilliseconds(now) + initialFor) : null
    if (status === 'initial')
      Object.assign(changes, { started_at: null, completed_at: null, failed_at: null })
    if (status === 'running') changes.started_at = record!.started_at ?? now
    if (status === 'completed') changes.completed_at = now
    if (status === 'failed') changes.failed_at = now
  }
  const changed = model.table('backfills').change(record!, { ...changes, ...attributes })
  if (status === 'cancelled') stopRuns(model, changed, now)
  return model.table('backfills').get(String(changed.id))!
}

/** Moves a backfill on: from `initial` to `running` with its runs, and from there to its end when they have ended. */
export function settleBackfill(record: WireRecord, model: Model): void {
  const due = record.due_at as Timestamp
  if (record.status === 'initial') startBackfill(record, model, due)
  else if (record.status === 'running') endBackfill(record, model, due)
}

function startBackfill(record: WireRecord, model: Model, now: Timestamp): void {
  const dates = plannedDates(record as unknown as Plan, mostRuns)
  const schedule =
    record.pipeline_schedule_id ??
    model.table('pipeline_schedules').insert({
      name: `Backfill ${record.name}`,
      pipeline_uuid: record.pipeline_uuid,
      schedule_type: 'time',
      schedule_interval: '@once',
      created_at: now,
    }).id
  for (const date of dates) {
    startRun(model, {
      pipeline_uuid: record.pipeline_uuid,
      pipeline_schedule_id: schedule,
      backfill_id: record.id,
      execution_date: date,
      variables: record.variables ?? {},
      created_at: now,
    })
  }
  const started = model.table('backfills').change(record, {
    status: 'running',
    started_at: now,
    updated_at: now,
    pipeline_schedule_id: schedule,
    due_at: now,
  })
  endBackfill(started, model, now)
}

/** Ends a running backfill when none of its runs is running; else looks again when the last of them ends. */
function endBackfill(record: WireRecord, model: Model, now: Timestamp): void {
  // A backfill that is started again is not judged by the runs of an earlier time.
  const started = String(record.started_at)
  const all = model.table('pipeline_runs').where('backfill_id', record.id)
  const runs = all.filter(({ created_at }) => String(created_at) >= started)
  const running = runs.filter(isUnderWay)
  if (running.length > 0) {
    const ends = running.map(({ ends_at }) => ends_at as Timestamp | null).filter((end) => end !== null)
    model.table('backfills').change(record, { due_at: ends.toSorted().at(-1) ?? null })
    return
  }
  const failed = runs.some(({ status }) => status === 'failed')
  model.table('backfills').change(record, {
    status: failed ? 'failed' : 'completed',
    [failed ? 'failed_at' : 'completed_at']: now,
    updated_at: now,
    due_at: null,
  })
}

function stopRuns(model: Model, record: WireRecord, now: Timestamp): void {
  for (const run of model.table('pipeline_runs').where('backfill_id', record.id)) {
    if (isUnderWay(run)) endRun(model, run, 'cancelled', now)
  }
}
