import { parseDuration } from '../library.ts'
import { day, hour, minute, months, second, weekdays } from '../store/words.ts'

const timePattern = /^(?:at )?(\d{1,2})(?::(\d\d))?(?::(\d\d))? ?(am|pm)?$/
const spanPattern = /^(?:\+ ?|in )?(\d+(?:\.\d+)?) ?([smhdw])(?:ec|econd|in|inute|our|r|ay|eek)?s?$/
const datePattern = /^(\d{4}-\d\d-\d\d)(?:[t ]+(.+))?$/
const monthPattern = /^(\d{1,2})\.? ([a-z]{3})[a-z]*(?: (\d{4}))?(?: (.+))?$/

const indexIn = (names: readonly string[], name: string) =>
  names.findIndex((each) => each.toLowerCase() === name.slice(0, 3))

/**
 * Reads a time such as `18:00`, `tomorrow 8:00`, `monday`, `+2h`, `25 nov` or `2026-11-25`, in UTC as the world's clock is; a
 * time of day or a day alone is the next that comes. Returns `undefined` where it is no time.
 */
export function readTime(typed: string, now: number): number | undefined {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:go to|move (?:the clock )?to|advance(?: by)?|clock|until|next) /, '')
  const today = now - (now % day)
  const [, count, unit = ''] = spanPattern.exec(text) ?? []
  if (count !== undefined) return now + (parseDuration(`${count}${unit}`) ?? 0)
  const time = readTimeOfDay(text)
  if (time !== undefined) return today + time > now ? today + time : today + day + time

  const [name = '', ...rest] = text.split(' ')
  const timeOfDay = rest.length === 0 ? 0 : readTimeOfDay(rest.join(' '))
  if (name === 'today' && rest.length > 0) return plus(today, timeOfDay)
  if (name === 'tomorrow') return plus(today + day, timeOfDay)
  const weekday = /^[a-z]{3,}$/.test(name) ? indexIn(weekdays, name) : -1
  if (weekday >= 0 && (name.length === 3 || name.endsWith('day'))) {
    const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7
    const found = plus(today + ahead * day, timeOfDay)
    return found !== undefined && found <= now ? found + 7 * day : found
  }

  const [, date, timeOfDate = '00:00'] = datePattern.exec(text) ?? []
  if (date !== undefined) return plus(Date.parse(`${date}T00:00:00Z`), readTimeOfDay(timeOfDate))
  const [, dayOfMonth, month = '', year, timeThen = '00:00'] = monthPattern.exec(text) ?? []
  const monthIndex = indexIn(months, month)
  if (dayOfMonth === undefined || monthIndex < 0) return undefined
  const inYear = (which: number) =>
    plus(Date.UTC(which, monthIndex, Number(dayOfMonth)), readTimeOfDay(timeThen))
  if (year !== undefined) return inYear(Number(year))
  const thisYear = new Date(now).getUTCFullYear()
  const found = inYear(thisYear)
  return found !== undefined && found < today ? inYear(thisYear + 1) : found
}

/** Reads a time of day in milliseconds; a number alone is none. */
function readTimeOfDay(text: string): number | undefined {
  if (text === 'midnight') return 0
  if (text === 'noon') return 12 * hour
  const [, hours, minutes, seconds = '0', half] = timePattern.exec(text) ?? []
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined
  const whole = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  if (whole > 23 || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return undefined
  return whole * hour + Number(minutes ?? 0) * minute + Number(seconds) * second
}

function plus(start: number, time: number | undefined): number | undefined {
  return time === undefined || Number.isNaN(start) ? undefined : start + time
}
