/** `YYYY-MM-DD HH:MM:SS`: backfill create, update and delete replies, and request datetimes. */
const secondsPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** `YYYY-MM-DD HH:MM:SS.ffffff+00:00`: all other replies, and the stored form. */
export const microsecondsPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/

/** Timestamp as text, `YYYY-MM-DD HH:MM:SS.ffffff+00:00`; such texts sort by time. */
export type Timestamp = string

/** The last time that a timestamp can express, in milliseconds since the epoch. */
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** The first time that a timestamp can express. */
export const earliestTime = Date.parse('0000-01-01T00:00:00Z')

/** Converts milliseconds since the epoch to a timestamp. */
export function toTimestamp(milliseconds: number): Timestamp {
  if (milliseconds !== lastMilliseconds) {
    lastMilliseconds = milliseconds
    const iso = new Date(Math.max(earliestTime, Math.min(milliseconds, latestTime))).toISOString()
    lastTimestamp = `${iso.slice(0, 10)} ${iso.slice(11, 23)}000+00:00`
  }
  return lastTimestamp
}

// One request asks for the same time several times.
let lastMilliseconds = Number.NaN
let lastTimestamp = ''

/** Converts a timestamp to milliseconds since the epoch. */
export function toMilliseconds(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 10)}T${timestamp.slice(11, 23)}Z`)
}

/** Shortens a timestamp to `YYYY-MM-DD HH:MM:SS`. */
export function toSeconds(timestamp: Timestamp): string {
  return timestamp.slice(0, 19)
}

/**
 * The two documented formats, and three of other servers: with a `T`, without the offset, and without offset
 * and zero fractions.
 */
export type TimestampFormat = 'seconds' | 'microseconds' | 'iso' | 'without-offset' | 'shortest'

export const timestampPatterns: Readonly<Record<TimestampFormat, RegExp>> = {
  seconds: secondsPattern,
  microseconds: microsecondsPattern,
  iso: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/,
  'without-offset': /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/,
  shortest: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.(?!0{6})\d{6})?$/,
}

export function formatTimestamp(timestamp: Timestamp, format: TimestampFormat): string {
  switch (format) {
    case 'seconds':
      return toSeconds(timestamp)
    case 'microseconds':
      return timestamp
    case 'iso':
      return timestamp.replace(' ', 'T')
    case 'without-offset':
      return timestamp.slice(0, 26)
    case 'shortest':
      return timestamp.slice(0, 26).replace('.000000', '')
  }
}

/**
 * Parses a datetime in either documented form and returns the stored form; `undefined` for other texts and
 * for dates outside the calendar (`2026-02-30 00:00:00`).
 */
export function parseDatetime(text: string): Timestamp | undefined {
  if (!datetimePattern.test(text) || !isInCalendar(text)) return undefined
  return text.length === secondsLength ? `${text}.000000+00:00` : text
}

const datetimePattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{6}\+00:00)?$/
const secondsLength = 'YYYY-MM-DD HH:MM:SS'.length

/** Reports whether the month has the day; every month has 28. */
function isInCalendar(text: string): boolean {
  const day = Number(text.slice(8, 10))
  // JavaScript rolls 30 February over to March.
  return day <= 28 || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/

/** Parses a duration such as `'5s'`, `'20m'` or `1500` (milliseconds); `undefined` if it is invalid. */
export function parseDuration(duration: string | number): number | undefined {
  if (typeof duration === 'number') return Number.isFinite(duration) && duration >= 0 ? duration : undefined
  const [, amount, unit = ''] = durationPattern.exec(duration) ?? []
  const milliseconds = Number(amount) * (unitMilliseconds[unit] ?? Number.NaN)
  return Number.isFinite(milliseconds) ? milliseconds : undefined
}

/** Parses a time relative to now, such as `'-2d'`, `'+20s'` or `'now'`; `undefined` if it is invalid. */
export function parseRelative(text: string, now: number): number | undefined {
  if (text === 'now') return now
  const sign = text[0] === '-' ? -1 : text[0] === '+' ? 1 : 0
  const duration = sign === 0 ? undefined : parseDuration(text.slice(1))
  return duration === undefined ? undefined : now + sign * duration
}

const isoPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/

/** Converts a documented datetime, a date, or an ISO time to milliseconds since the epoch; without a zone, it is in UTC. */
export function parseTime(text: string): number | undefined {
  const stored = parseDatetime(text)
  if (stored !== undefined) return toMilliseconds(stored)
  const found = isoPattern.exec(text)
  const isDay = found !== null && parseDatetime(`${text.slice(0, 10)} 00:00:00`) !== undefined
  const isLocal = text.includes('T') && found?.groups?.zone === undefined
  const milliseconds = isDay ? Date.parse(isLocal ? `${text}Z` : text) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}
