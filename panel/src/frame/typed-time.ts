import { parseDuration } from '../library.ts'
import { day, hour, minute, second, weekdays } from '../store/words.ts'

/**
 * Reads a time such as `18:00`, `tomorrow 8:00`, `mon`, `+2h` or `2026-11-25 08:00`, in UTC as the world's clock is; a time of
 * day or a day alone is the next that comes. Returns `undefined` where it is no time.
 */
export function readTime(typed: string, now: number): number | undefined {
  const text = typed.trim().toLowerCase()
  const length = parseDuration(text.replace(/^\+ ?|^in /, ''))
  if (length !== undefined) return now + length
  const [, name = '', hours = '', minutes = '', seconds = ''] =
    /^(.*?)(?:(?:^| )(\d{1,2}):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  const time = Number(hours) * hour + Number(minutes) * minute + Number(seconds) * second
  const today = now - (now % day)
  if (name === '') return hours === '' ? undefined : nextOf(today + time, day, now)
  if (name === 'tomorrow') return today + day + time
  if (/^\d{4}-\d\d-\d\d$/.test(name)) {
    const date = Date.parse(name)
    return Number.isNaN(date) ? undefined : date + time
  }
  const weekday = weekdays.findIndex((each) => new RegExp(`^${each}(?:\\w*day)?$`, 'i').test(name))
  if (weekday < 0) return undefined
  const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7
  return nextOf(today + ahead * day + time, 7 * day, now)
}

/** Returns a time, or where it has been, the one after a period. */
function nextOf(time: number, period: number, now: number): number {
  return time > now ? time : time + period
}
