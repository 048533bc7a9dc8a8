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

/** The moment of a timestamp of a record, in milliseconds since the epoch. */
export function momentOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'string') return undefined
  const moment = Date.parse(timestamp.replace(' ', 'T'))
  return Number.isNaN(moment) ? undefined : moment
}

/** `3 s`, `2 min 09 s`, `3 h 01 min`, `1 d 9 h`. */
export function spanOf(milliseconds: number): string {
  if (milliseconds < second) return milliseconds <= 0 ? '0 s' : `${Math.round(milliseconds)} ms`
  // To the whole second first, so that no part rounds up to 60.
  const whole = Math.round(milliseconds / second) * second
  if (whole < minute) return `${whole / second} s`
  if (whole < hour) {
    const seconds = (whole % minute) / second
    return `${Math.floor(whole / minute)} min${seconds === 0 ? '' : ` ${two(seconds)} s`}`
  }
  if (whole < day) return `${Math.floor(whole / hour)} h ${two(Math.floor((whole % hour) / minute))} min`
  const hours = Math.floor((whole % day) / hour)
  return `${Math.floor(whole / day)} d${hours === 0 ? '' : ` ${hours} h`}`
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

/** `1 run`, `9 runs`, `1,200 runs`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** `0.4 ms`, `12 ms`, `1.2 s`. */
export function tookOf(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < second ? `${Math.round(milliseconds)} ms` : `${(milliseconds / second).toFixed(1)} s`
}
