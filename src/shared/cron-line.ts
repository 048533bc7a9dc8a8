import { CronPattern } from 'croner'
import { messageOf } from './built-ins.ts'

/**
 * Cache of parsed cron lines, or of the reason why one is invalid: parsing costs more than finding the next
 * time.
 */
const lines = new Map<string, CronPattern | string>()
/** Clients may write any number of different lines, so the cache has a limit. */
const mostLines = 500

/** Reads a cron line of five or six fields; returns a text with the reason if it is invalid. */
export function readLine(text: string): CronPattern | string {
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
    const line = new CronPattern(text, undefined, { mode: '5-or-6-parts' })
    return nextOfLine(line, 0) === undefined ? 'it names no date of the calendar' : line
  } catch (error) {
    return messageOf(error).replace(/^CronPattern: /, '')
  }
}

/** Maximum distance of two dates of the same kind: 29 February on the same weekday. */
const mostYears = 40

/**
 * Returns the next time of a line, in UTC, in milliseconds since the epoch. The library's own search knows time
 * zones, which are not necessary here, and is as large as its parser.
 */
export function nextOfLine(line: CronPattern, after: number): number | undefined {
  const at = new Date(after)
  at.setUTCMilliseconds(1_000)
  const last = at.getUTCFullYear() + mostYears
  // Goes from the month to the second. A field without a match moves to the next one, or resets those below
  // it.
  while (at.getUTCFullYear() <= last) {
    const [month, hour] = [at.getUTCMonth(), at.getUTCHours()]
    const [minute, second] = [at.getUTCMinutes(), at.getUTCSeconds()]
    if (!line.month[month]) {
      at.setUTCMonth(nextIn(line.month, month), 1)
      at.setUTCHours(0, 0, 0)
    } else if (!fallsOn(line, at)) at.setUTCHours(24, 0, 0)
    else if (!line.hour[hour]) at.setUTCHours(nextIn(line.hour, hour), 0, 0)
    else if (!line.minute[minute]) at.setUTCMinutes(nextIn(line.minute, minute), 0)
    else if (!line.second[second]) at.setUTCSeconds(nextIn(line.second, second))
    else return at.getTime()
  }
  return undefined
}

/** Returns the next value of a field of a line, or one more than the last value if there is none. */
function nextIn(values: readonly number[], from: number): number {
  const next = values.indexOf(1, from)
  return next === -1 ? values.length : next
}

const [sunday, saturday] = [0, 6]
/** Bit for the last weekday of a month; the lower bits are the first to the fifth. */
const lastOfMonth = 32

/**
 * Reports whether a date matches the days of a line: of the month (`15`, `L`, `15W`, `LW`) and of the week
 * (`1`, `1#2`, `1L`).
 */
function fallsOn(line: CronPattern, date: Date): boolean {
  const day = date.getUTCDate()
  const isListed = line.day[day - 1] === 1
  if (isListed && line.starDOW) return true
  const end = new Date(date)
  end.setUTCMonth(date.getUTCMonth() + 1, 0)
  const length = end.getUTCDate()
  // The nearest workday is in the same month.
  const nearestWorkday = (target: number) => {
    const weekday = (date.getUTCDay() + target - day + 35) % 7
    if (weekday === saturday) return target === 1 ? 3 : target - 1
    if (weekday === sunday) return target === length ? target - 2 : target + 1
    return target
  }
  const isOfMonth =
    isListed ||
    (line.lastDayOfMonth && day === length) ||
    (line.lastWeekday && day === nearestWorkday(length)) ||
    line.nearestWeekdays.some((is, index) => is && index < length && nearestWorkday(index + 1) === day)
  if (line.starDOW) return isOfMonth
  const occurrence = (1 << Math.floor((day - 1) / 7)) | (day > length - 7 ? lastOfMonth : 0)
  const isOfWeek = ((line.dayOfWeek[date.getUTCDay()] ?? 0) & occurrence) > 0
  // As in cron, one of both is enough, except with a `+` before the weekday.
  return line.useAndLogic || line.starDOM ? isOfMonth && isOfWeek : isOfMonth || isOfWeek
}
