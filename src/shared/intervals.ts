import { type Timestamp, toMilliseconds, toTimestamp } from './timestamps.ts'

/** The values of `interval_type` (spec, "Backfill"). */
export const intervalTypes = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom'] as const

const fixedStep: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}
const monthsPerStep: Readonly<Record<string, number>> = { month: 1, year: 12 }

/** Attributes of a backfill that determine its dates. */
export interface Plan {
  readonly start_datetime: Timestamp | null
  readonly end_datetime: Timestamp | null
  readonly interval_type: string | null
  readonly interval_units: number | null
}

/** Counts the dates from start to end by interval, both ends included; 0 where the plan is not set (`run-count`). */
export function countPlannedDates(plan: Plan): number {
  const steps = toSteps(plan)
  if (steps === undefined) return 0
  if (steps.months === undefined) return Math.floor((steps.end - steps.start) / steps.milliseconds) + 1
  const first = new Date(steps.start)
  const last = new Date(steps.end)
  const months =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
  const whole = Math.floor(months / steps.months)
  return addMonths(steps.start, whole * steps.months) > steps.end ? whole : whole + 1
}

/** Lists the planned dates of a backfill, at most `limit` of them. */
export function plannedDates(plan: Plan, limit: number): Timestamp[] {
  const steps = toSteps(plan)
  if (steps === undefined) return []
  const count = Math.min(countPlannedDates(plan), limit)
  return Array.from({ length: count }, (_, index) =>
    toTimestamp(
      steps.months === undefined
        ? steps.start + index * steps.milliseconds
        : addMonths(steps.start, index * steps.months),
    ),
  )
}

type Steps = { start: number; end: number } & (
  | { milliseconds: number; months: undefined }
  | { months: number; milliseconds: undefined }
)

function toSteps({ start_datetime, end_datetime, interval_type, interval_units }: Plan): Steps | undefined {
  if (start_datetime === null || end_datetime === null || interval_type === null) return undefined
  const start = toMilliseconds(start_datetime)
  const end = toMilliseconds(end_datetime)
  const units = interval_units ?? 1
  if (end < start || units < 1) return undefined
  const milliseconds = fixedStep[interval_type]
  if (milliseconds !== undefined) return { start, end, milliseconds: milliseconds * units, months: undefined }
  const months = monthsPerStep[interval_type]
  // `custom` has no unit in the specification, so it plans nothing.
  return months === undefined ? undefined : { start, end, months: months * units, milliseconds: undefined }
}

/** Adds calendar months. A day that is missing in the target month becomes its last day. */
function addMonths(milliseconds: number, months: number): number {
  const date = new Date(milliseconds)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
