import { parseDuration, parseTime, type ScheduledEvent } from '../library.ts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
const week = 7 * day
/** Compares names so that `world-10` comes after `world-9`. */
export const byName = new Intl.Collator('en', { numeric: true })

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const numbers = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Formats a time in UTC: `20:58:35`. */
export function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 19)
}

/** Formats a day: `Sat 21 Nov`. */
export function dayOf(time: number): string {
  const date = new Date(time)
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`
}

export function yearOf(time: number): number {
  return new Date(time).getUTCFullYear()
}

/** Formats a time of today as the time of day, any other as the day. */
export function whenOf(time: number, now: number): string {
  return Math.floor(time / day) === Math.floor(now / day) ? timeOf(time).slice(0, 5) : dayOf(time)
}

/** Formats a future time: `18:00` for today, `tomorrow, 02:30`, `Wed 25 Nov, 08:00`. */
export function dueTimeWords(time: number, now: number): string {
  const words = timeOf(time).replace(/:00$/, '')
  const days = Math.floor(time / day) - Math.floor(now / day)
  return days === 0 ? words : `${days === 1 ? 'tomorrow' : dayOf(time)}, ${words}`
}

/** Reads a timestamp of a record, in milliseconds since the epoch. */
export function parseTimestamp(timestamp: unknown): number | undefined {
  return typeof timestamp === 'string' ? parseTime(timestamp) : undefined
}

/** Formats a duration: `3 s`, `2 min 09 s`, `3 h 01 min`, `1 d 9 h`, `2 weeks`. */
export function spanOf(milliseconds: number): string {
  if (milliseconds < second) return milliseconds <= 0 ? '0 s' : `${Math.round(milliseconds)} ms`
  // Rounds to whole seconds first, so that no part becomes 60.
  const whole = Math.round(milliseconds / second) * second
  if (whole < minute) return `${whole / second} s`
  if (whole < hour) return twoUnits(whole, minute, 'min', second, 's')
  if (whole < day) return twoUnits(whole, hour, 'h', minute, 'min')
  if (whole % week === 0) return countOf(whole / week, 'week')
  const hours = Math.floor((whole % day) / hour)
  return `${Math.floor(whole / day)} d${hours === 0 ? '' : ` ${hours} h`}`
}

function twoUnits(whole: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((whole % large) / small)
  const words = `${Math.floor(whole / large)} ${largeName}`
  return rest === 0 ? words : `${words} ${String(rest).padStart(2, '0')} ${smallName}`
}

/** Writes a duration of a call, `90s` or milliseconds, as a span: `1 min 30 s`. */
export function durationOf(duration: string | number): string {
  const length = parseDuration(typeof duration === 'string' ? duration.replace(' ', '') : duration)
  return length === undefined ? String(duration) : spanOf(length)
}

/** Groups items by name, in the order of their first items. */
export function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(nameOf(item))
    if (group === undefined) groups.set(nameOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Formats a small number as a word. */
export function wordOf(count: number): string {
  return numbers[count] ?? String(count)
}

export function openingOf(count: number): string {
  const word = wordOf(count)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns the noun for a number: `run` for one, otherwise `runs`. */
export function nounFor(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`
}

/** Formats a number with its noun: `no runs`, `1 run`, `9 runs`, `1,200 runs`. */
export function countOf(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count.toLocaleString('en')} ${nounFor(count, noun)}`
}

/** As many requests as the panel lists, and as the journal of a world stores by default. */
export const mostRequests = 1_000

/** `12`, `1,000+` where there may be more than the panel lists. */
export function requestCount(count: number): string {
  return count.toLocaleString('en') + (count < mostRequests ? '' : '+')
}

/** Formats a part of a number: `12 of 1,200`, or `1,200` for all. */
export function countOfAll(count: number, all: number): string {
  const [some, total] = [count.toLocaleString('en'), all.toLocaleString('en')]
  return count === all ? total : `${some} of ${total}`
}

/** Formats milliseconds: `0.4 ms`, `12 ms`, `1.2 s`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < second ? `${Math.round(milliseconds)} ms` : `${(milliseconds / second).toFixed(1)} s`
}

export function eventWords({ kind, name, plural, key, text }: ScheduledEvent): string {
  if (key === '***') return text.replace(/\.$/, '')
  const noun = nounOf(plural).replace(/s$/, '')
  return `${name ?? `${noun} ${key}`} ${kind}`
}

/** Returns the short name of a plural: `runs` for `pipeline_runs`. */
function nounOf(plural: string): string {
  return plural.replace(/^pipeline_/, '').replaceAll('_', ' ')
}

/** The message after signing out all users. */
export function signedOutWords(tokens: unknown): string {
  return tokens === 0
    ? 'No users were signed in.'
    : `All users signed out: ${countOf(Number(tokens), 'token')} expired.`
}
