import { CronDate, CronPattern } from 'croner'
import * as limits from './limits.ts'
import { latestMoment } from './timestamps.ts'

/** The intervals that have a name (`schedule-values`). */
export const namedIntervals = ['@once', '@hourly', '@daily', '@weekly', '@monthly', '@always_on'] as const

const hour = 3_600_000
const day = 24 * hour
/** The first Sunday of the epoch: weeks are counted from it. */
const firstSunday = 3 * day

/** The first moment after another at which a named interval has one, in UTC; those without are not here. */
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

/** Says why a text is no interval of a schedule; `undefined` where it is one. */
export function explainInterval(text: string): string | undefined {
  if ((namedIntervals as readonly string[]).includes(text)) return undefined
  // Before it is read, and kept.
  if (text.length > limits.interval) return `it is longer than ${limits.interval} characters`
  const line = readLine(text)
  return typeof line === 'string' ? line : undefined
}

/**
 * The first moment after another that an interval or cron line names, in UTC, in milliseconds since the epoch;
 * `undefined` where there is none: `@once` and `@always_on` name no moments.
 */
export function nextTime(interval: string, after: number): number | undefined {
  const next = Object.hasOwn(nextOf, interval) ? nextOf[interval]!(after) : nextOfLine(interval, after)
  return next === undefined || next > latestMoment ? undefined : next
}

function nextOfLine(text: string, after: number): number | undefined {
  const line = text.startsWith('@') ? text : readLine(text)
  return typeof line === 'string' ? undefined : nextDate(line, after)
}

const options = { mode: '5-or-6-parts', utcOffset: 0 } as const

/** The cron lines that have been read, or why one cannot be: reading one costs more than finding its next moment. */
const lines = new Map<string, CronPattern | string>()
/** Clients may write any number of different lines. */
const mostLines = 500

function readLine(text: string): CronPattern | string {
  let line = lines.get(text)
  if (line === undefined) {
    line = parseLine(text)
    if (lines.size >= mostLines) lines.clear()
    lines.set(text, line)
  }
  return line
}

function parseLine(text: string): CronPattern | string {
  if (text.startsWith('@')) return 'there is no such name'
  const fields = text.trim().split(/\s+/).length
  if (fields < 5 || fields > 6) return `a line has 5 or 6 fields, not ${fields}`
  // The library would take a text with a colon for a date.
  if (/[^\dA-Za-z*,/#?+\-\s]/.test(text)) return 'it has characters that no line has'
  try {
    const line = new CronPattern(text, undefined, { mode: options.mode })
    // Every date of the calendar comes up within these years; what does not never will.
    return nextDate(line, Date.parse('2000-01-01T00:00:00Z')) === undefined
      ? 'it names no date of the calendar'
      : line
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, '')
  }
}

/** The first moment of a line after another; the library's scheduler, which nothing here needs, would ask the same. */
function nextDate(line: CronPattern, after: number): number | undefined {
  return new CronDate(new Date(after), options.utcOffset).increment(line, options, true)?.getTime()
}
