import { Cron } from 'croner'
import type { PipelineSchedule } from 'pipeline-understudy/api'

/** Reads either form of a timestamp: with seconds, in UTC, or with microseconds and an offset. */
export function parseTimestamp(text: string): Date {
  const [, date, time, fraction = '', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return new Date(`${date}T${time}${fraction}${offset}`)
}

/** As requests take it: seconds, in UTC. */
export function toWire(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

const short = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** A time as people read it, in UTC. */
export function formatTime(text: string | null | undefined): string {
  return text ? short.format(parseTimestamp(text)) : 'never'
}

/** Formats a duration, with two units at most. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

const named: Readonly<Record<string, string>> = {
  '@once': 'once',
  '@hourly': 'every hour',
  '@daily': 'every day',
  '@weekly': 'every week',
  '@monthly': 'every month',
  '@always_on': 'all the time',
}

/** When a schedule fires, in words. */
export function formatInterval({ schedule_type, schedule_interval }: PipelineSchedule): string {
  if (schedule_type === 'api') return 'when called'
  if (schedule_type === 'event') return 'on an event'
  // A server may leave it out.
  return named[schedule_interval] ?? schedule_interval ?? 'when called'
}

type Firing = Pick<PipelineSchedule, 'schedule_type' | 'schedule_interval' | 'start_time' | 'status'>

/** Returns the next due time of a schedule, which the API does not contain, from its other attributes. */
export function nextFiring(
  { schedule_type, schedule_interval, start_time, status }: Firing,
  now = new Date(),
) {
  if (status !== 'active' || schedule_type !== 'time' || !schedule_interval) return undefined
  const start = start_time ? parseTimestamp(start_time) : now
  const from = start > now ? start : now
  if (schedule_interval === '@once') return start > now ? start : undefined
  try {
    return new Cron(schedule_interval, { timezone: 'UTC' }).nextRun(from) ?? undefined
  } catch {
    // Such as `@always_on`.
    return undefined
  }
}
