import { nextOfLine, readLine } from './cron-line.ts'
import * as limits from './limits.ts'
import { latestTime } from './timestamps.ts'

/** The intervals that have a name (`schedule-values`). */
export const namedIntervals = ['@once', '@hourly', '@daily', '@weekly', '@monthly', '@always_on'] as const

const hour = 3_600_000
const day = 24 * hour
/** First Sunday of the epoch, from which weeks start. */
const firstSunday = 3 * day

/** The first time after another at which a named interval has one, in UTC; those without are not here. */
const nextOf: Readonly<Record<string, (after: number) => number>> = {
  '@hourly': (after) => nextMultiple(after, hour),
  '@daily': (after) => nextMultiple(after, day),
  '@weekly': (after) => nextMultiple(after - firstSunday, 7 * day) + firstSunday,
  '@monthly': (after) => {
    const date = new Date(after)
    return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  },
}

function nextMultiple(after: number, period: number): number {
  return (Math.floor(after / period) + 1) * period
}

/** Explains why a text is not an interval of a schedule; `undefined` if it is one. */
export function explainInterval(text: string): string | undefined {
  if (namedIntervals.some((name) => name === text)) return undefined
  if (text.length > limits.interval) return `it is longer than ${limits.interval} characters`
  const line = readLine(text)
  return typeof line === 'string' ? line : undefined
}

/**
 * Returns the next time of an interval or cron line, in UTC, in milliseconds since the epoch; `undefined` if
 * there is none, as for `@once` and `@always_on`.
 */
export function nextTime(interval: string, after: number): number | undefined {
  const named = Object.hasOwn(nextOf, interval) ? nextOf[interval] : undefined
  const next = named === undefined ? nextOfText(interval, after) : named(after)
  return next === undefined || next > latestTime ? undefined : next
}

function nextOfText(text: string, after: number): number | undefined {
  const line = readLine(text)
  return typeof line === 'string' ? undefined : nextOfLine(line, after)
}
