const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day }

const timePattern = /^(?:at )?(\d{1,2})(?::(\d\d))?(?::(\d\d))? ?(am|pm)?$/
const spanPattern = /^(?:\+ ?|in )?(\d+(?:\.\d+)?) ?(s|m|h|d|w)(?:ec|econd|in|inute|our|r|ay|eek)?s?$/
const datePattern = /^(\d{4}-\d\d-\d\d)(?:[t ]+(.+))?$/
const monthPattern = /^(\d{1,2})\.? ([a-z]{3})[a-z]*(?: (\d{4}))?(?: (.+))?$/

/**
 * The moment that somebody means by `18:00`, `tomorrow 8:00`, `monday`, `+2h`, `25 nov` or `2026-11-25`, in UTC as the world's
 * clock is; a time or a day alone is the next that comes. Nothing where it is no moment.
 */
export function readMoment(typed: string, now: number): number | undefined {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(?:go to|move (?:the clock )?to|advance(?: by)?|clock|until|next) /, '')
  const today = now - (now % day)
  const span = spanPattern.exec(text)
  if (span !== null) return now + Number(span[1]) * units[span[2]!]!
  const time = readTime(text)
  if (time !== undefined) return today + time > now ? today + time : today + day + time

  const [name = '', ...rest] = text.split(' ')
  const timeOfDay = rest.length === 0 ? 0 : readTime(rest.join(' '))
  if (name === 'today' && rest.length > 0) return plus(today, timeOfDay)
  if (name === 'tomorrow') return plus(today + day, timeOfDay)
  const weekday = /^[a-z]{3,}$/.test(name) ? weekdays.indexOf(name.slice(0, 3)) : -1
  if (weekday >= 0 && (name.length === 3 || name.endsWith('day'))) {
    const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7
    const found = plus(today + ahead * day, timeOfDay)
    return found !== undefined && found <= now ? found + 7 * day : found
  }

  const [, date, after = ''] = datePattern.exec(text) ?? []
  if (date !== undefined) return plus(Date.parse(`${date}T00:00:00Z`), after === '' ? 0 : readTime(after))
  const [, dayOfMonth, month = '', year, then = ''] = monthPattern.exec(text) ?? []
  if (dayOfMonth === undefined || !months.includes(month)) return undefined
  const inYear = (which: number) =>
    plus(Date.UTC(which, months.indexOf(month), Number(dayOfMonth)), then === '' ? 0 : readTime(then))
  const thisYear = new Date(now).getUTCFullYear()
  if (year !== undefined) return inYear(Number(year))
  const found = inYear(thisYear)
  return found !== undefined && found < today ? inYear(thisYear + 1) : found
}

/** A time of day in milliseconds; a number alone is none. */
function readTime(text: string): number | undefined {
  if (text === 'midnight') return 0
  if (text === 'noon') return 12 * hour
  const [, hours, minutes, seconds = '0', half] = timePattern.exec(text) ?? []
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined
  const whole = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  if (whole > 23 || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return undefined
  return whole * hour + Number(minutes ?? 0) * minute + Number(seconds) * second
}

function plus(moment: number, time: number | undefined): number | undefined {
  return time === undefined || Number.isNaN(moment) ? undefined : moment + time
}
