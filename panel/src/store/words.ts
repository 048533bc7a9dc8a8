import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const two = (value: number) => String(value).padStart(2, '0')
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `20:58:35`, in UTC as the server has it. */
export function timeOf(moment: number): string {
  return new Date(moment).toISOString().slice(11, 19)
}

/** `Sat 21 Nov`. */
export function dayOf(moment: number): string {
  const date = new Date(moment)
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`
}

export function yearOf(moment: number): number {
  return new Date(moment).getUTCFullYear()
}

/** The time where it is today's, else the day. */
export function whenOf(moment: number, now: number): string {
  const isToday = Math.floor(moment / day) === Math.floor(now / day)
  return isToday ? timeOf(moment).slice(0, 5) : dayOf(moment)
}

/** `18:00` today, `tomorrow, 02:30`, `Wed 25 Nov, 08:00`: a moment that one goes to. */
export function momentWords(moment: number, now: number): string {
  const time = timeOf(moment).replace(/:00$/, '')
  const days = Math.floor(moment / day) - Math.floor(now / day)
  return days === 0 ? time : `${days === 1 ? 'tomorrow' : dayOf(moment)}, ${time}`
}

/** The moment of a timestamp of a record, in milliseconds since the epoch. */
export function momentOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'string') return undefined
  const moment = Date.parse(timestamp.replace(' ', 'T'))
  return Number.isNaN(moment) ? undefined : moment
}

/** `3 s`, `2 min 09 s`, `3 h 01 min`, `1 d 9 h`, `2 weeks`: the one way in which the panel writes a span of time. */
export function spanOf(milliseconds: number): string {
  if (milliseconds < second) return milliseconds <= 0 ? '0 s' : `${Math.round(milliseconds)} ms`
  // To the whole second first, so that no part rounds up to 60.
  const whole = Math.round(milliseconds / second) * second
  if (whole < minute) return `${whole / second} s`
  if (whole < hour) {
    const seconds = (whole % minute) / second
    return `${Math.floor(whole / minute)} min${seconds === 0 ? '' : ` ${two(seconds)} s`}`
  }
  if (whole < day) {
    const minutes = Math.floor((whole % hour) / minute)
    return `${Math.floor(whole / hour)} h${minutes === 0 ? '' : ` ${two(minutes)} min`}`
  }
  if (whole % (7 * day) === 0) return countOf(whole / (7 * day), 'week')
  const hours = Math.floor((whole % day) / hour)
  return `${Math.floor(whole / day)} d${hours === 0 ? '' : ` ${hours} h`}`
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: minute,
  h: hour,
  d: day,
  w: 7 * day,
}

/** A duration as calls write it, `90s` or milliseconds, in milliseconds. */
export function lengthOfDuration(duration: unknown): number | undefined {
  const [, count, unit = 'ms'] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/.exec(String(duration)) ?? []
  const length = units[unit]
  return count === undefined || length === undefined ? undefined : Number(count) * length
}

/** The same in the words of a span: `1 min 30 s`. */
export function durationOf(duration: unknown): string {
  const length = lengthOfDuration(duration)
  return length === undefined ? String(duration) : spanOf(length)
}

/** `35 min`, `2 h 11 min`: the length of a run. */
export function lengthOf(milliseconds: number): string {
  return milliseconds >= minute && milliseconds < hour
    ? `${Math.round(milliseconds / minute)} min`
    : spanOf(milliseconds)
}

const small = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** A number as a word where it is small. */
export function wordOf(count: number): string {
  return small[count] ?? String(count)
}

/** The same where it opens a sentence. */
export function openingOf(count: number): string {
  const word = wordOf(count)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `no runs`, `1 run`, `9 runs`, `1,200 runs`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  if (count === 0) return `no ${plural}`
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** `0.4 ms`, `12 ms`, `1.2 s`. */
export function tookOf(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < second ? `${Math.round(milliseconds)} ms` : `${(milliseconds / second).toFixed(1)} s`
}

/** An event in few words: who it belongs to stands beside it. */
export function eventWords({ kind, name, plural, key, text }: UpcomingEvent): string {
  if (key === '***') return text.replace(/\.$/, '')
  const noun = plural
    .replace(/^pipeline_/, '')
    .replaceAll('_', ' ')
    .replace(/s$/, '')
  return `${name ?? `${noun} ${key}`} ${kind}`
}

/** What is said when everybody was signed out. */
export function signedOutWords(tokens: unknown): string {
  return tokens === 0
    ? 'Nobody was signed in.'
    : `Everybody is signed out: ${countOf(Number(tokens), 'token')} expired.`
}
