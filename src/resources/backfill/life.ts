import { plannedDates } from '../../shared/intervals.ts'
import * as limits from '../../shared/limits.ts'
import { type Timestamp, toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import { endRun, isUnderWay, knownEnd, startRun } from '../pipeline-run/life.ts'
import type { ChangesOf, RecordModel, RecordOf, StoredRun } from '../records.ts'

type StoredBackfill = RecordOf<'backfills'>

/**
 * Time that a backfill stays `initial`, so that a client reads back the status that it set (`backfill-life`).
 */
const initialFor = 1_000

/** Writes the changes of a client to a backfill, and the effects of the status that it set. */
export function setStatus(
  model: RecordModel,
  record: StoredBackfill,
  written: ChangesOf<'backfills'>,
  now: Timestamp,
): StoredBackfill {
  const { status } = written
  const isMoved = status !== undefined && status !== record.status
  const followed = isMoved ? followStatus(status, record, now) : {}
  const changed = model.table('backfills').change(record, { updated_at: now, ...followed, ...written })
  if (status !== 'cancelled') return changed
  stopRuns(model, changed, now)
  return model.table('backfills').get(String(record.id)) ?? changed
}

function followStatus(
  status: StoredBackfill['status'],
  record: StoredBackfill,
  now: Timestamp,
): ChangesOf<'backfills'> {
  switch (status) {
    case 'initial':
      return {
        due_at: toTimestamp(toMilliseconds(now) + initialFor),
        started_at: null,
        completed_at: null,
        failed_at: null,
      }
    case 'running':
      return { due_at: null, started_at: record.started_at ?? now }
    case 'completed':
      return { due_at: null, completed_at: now }
    case 'failed':
      return { due_at: null, failed_at: now }
    default:
      return { due_at: null }
  }
}

/** Moves a backfill to its next status: from `initial` to `running` with its runs, and to its end when they have ended. */
export function moveBackfillOn(record: StoredBackfill, model: RecordModel): void {
  const { status, due_at: due } = record
  if (due !== null && status === 'initial') startBackfill(record, model, due)
  if (due !== null && status === 'running') endBackfill(record, model, due)
}

function startBackfill(record: StoredBackfill, model: RecordModel, now: Timestamp): void {
  const planned = plannedDates(record, limits.backfillRuns)
  const dates = model.mayCreate(planned.length) ? planned : []
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

/**
 * Ends a running backfill if none of its runs is running; otherwise checks again when the last of them ends.
 */
function endBackfill(record: StoredBackfill, model: RecordModel, now: Timestamp): void {
  const runs = runsOfThisTime(model, record)
  const running = runs.filter(isUnderWay)
  if (running.length > 0) {
    const ends = running.map(({ ends_at }) => ends_at).filter((end) => end !== null)
    model.table('backfills').change(record, { due_at: ends.toSorted().at(-1) ?? null })
    return
  }
  const failed = runs.some(({ status }) => status === 'failed')
  const ended = { updated_at: now, due_at: null }
  const end: ChangesOf<'backfills'> = failed
    ? { status: 'failed', failed_at: now, ...ended }
    : { status: 'completed', completed_at: now, ...ended }
  model.table('backfills').change(record, end)
}

/** Returns the changes of a backfill at its due time. */
export function predictBackfill(
  record: StoredBackfill,
  model: RecordModel,
): ChangesOf<'backfills'> | undefined {
  if (record.status === 'initial') return { status: 'running' }
  const status = record.status === 'running' ? endOf(record, model) : undefined
  return status && { status }
}

/**
 * Returns the final status of a running backfill at its due time; `undefined` while one of its runs
 * continues.
 */
function endOf(backfill: StoredBackfill, model: RecordModel): 'completed' | 'failed' | undefined {
  const ends = runsOfThisTime(model, backfill).map((run) => knownEnd(run, model))
  if (ends.some(({ at }) => at === null || at > String(backfill.due_at))) return undefined
  return ends.some(({ status }) => status === 'failed') ? 'failed' : 'completed'
}

/** Returns the runs of a backfill, without those from before its restart. */
function runsOfThisTime(model: RecordModel, record: StoredBackfill): StoredRun[] {
  const started = String(record.started_at)
  const all = model.table('pipeline_runs').where('backfill_id', record.id)
  return all.filter(({ created_at }) => created_at >= started)
}

/** Cancels the runs of a backfill that have not ended. */
export function stopRuns(model: RecordModel, record: StoredBackfill, now: Timestamp): void {
  for (const run of model.table('pipeline_runs').where('backfill_id', record.id)) {
    if (isUnderWay(run)) endRun(model, run, 'cancelled', now)
  }
}
