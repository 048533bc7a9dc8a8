// Limits the dates of backfills, which a target may execute one by one.
import type { ReceivedRecord } from '../runner/replies.ts'
import { timeOf } from './target-clock.ts'

/** Each interval in seconds, at its shortest; the unit of a custom one is not specified. */
const seconds: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 28 * 86_400,
  year: 365 * 86_400,
  custom: 1,
}

/** Maximum number of dates of a backfill: a target may count them at every read, and start a run for each. */
const most = { waiting: 100, started: 1 }

/**
 * Returns whether a backfill plans so many dates that they may block a target for all clients: twenty years of seconds have
 * stopped a server for minutes.
 */
export function plansTooMuch(written: ReceivedRecord): boolean {
  const [start, end] = [timeOf(written.start_datetime), timeOf(written.end_datetime)]
  const length = seconds[String(written.interval_type)]
  if (start === undefined || end === undefined || length === undefined) return false
  const dates = 1 + (end - start) / 1_000 / (length * (Number(written.interval_units) || 1))
  // A started backfill stays started: dates may also follow later.
  return dates > (written.status === undefined || written.status === null ? most.waiting : most.started)
}
