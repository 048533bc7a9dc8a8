interface Field {
  readonly least: number
  readonly most: number
  /** Names of the values, from the least one. */
  readonly names?: readonly string[]
}

const fields = {
  second: { least: 0, most: 59 },
  minute: { least: 0, most: 59 },
  hour: { least: 0, most: 23 },
  day: { least: 1, most: 31 },
  month: {
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  /** Sunday is 0 and 7. */
  dayOfWeek: { least: 0, most: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
} as const satisfies Readonly<Record<string, Field>>

/** A cron line: the values that each field names. */
export interface CronLine extends Readonly<Record<keyof typeof fields, ReadonlySet<number>>> {
  /** True if the day of the month or the day of the week may be any. */
  readonly takesAnyDay: boolean
}

/**
 * Cache of parsed cron lines, or of the reason why one is invalid: parsing costs more than finding the next
 * time.
 */
const lines = new Map<string, CronLine | string>()
/** Clients may write any number of different lines. */
const mostLines = 500

/** Reads a cron line of five fields, or of six with the seconds first; returns a text with the reason if it is invalid. */
export function readLine(text: string): CronLine | string {
  let line = lines.get(text)
  if (line === undefined) {
    line = parseLine(text)
    if (lines.size >= mostLines) lines.clear()
    lines.set(text, line)
  }
  return line
}

function parseLine(text: string): CronLine | string {
  if (text.startsWith('@')) return 'there is no such name'
  const texts = text.trim().split(/\s+/)
  if (texts.length < 5 || texts.length > 6) return `a line has 5 or 6 fields, not ${texts.length}`
  if (/[^\dA-Za-z*,/?\-\s]/.test(text)) return 'it has characters that no line has'
  const [minute = '', hour = '', day = '', month = '', dayOfWeek = ''] = texts.slice(-5)
  const reasons: string[] = []
  const read = (name: keyof typeof fields, written: string) => {
    const values = readField(written, fields[name])
    if (values.size === 0) reasons.push(`Invalid value for ${name}: ${written}`)
    return values
  }
  const line: CronLine = {
    second: read('second', texts.at(-6) ?? '0'),
    minute: read('minute', minute),
    hour: read('hour', hour),
    day: read('day', day),
    month: read('month', month),
    dayOfWeek: read('dayOfWeek', dayOfWeek),
    takesAnyDay: [day, dayOfWeek].some((written) => written === '*' || written === '?'),
  }
  if (reasons[0] !== undefined) return reasons[0]
  return nextOfLine(line, 0) === undefined ? 'it names no date of the calendar' : line
}

/** A part of a field: any value or a range, with steps between its values, or one value. */
const part = /^(?:(?:[*?]|(\d+|[a-z]+)-(\d+|[a-z]+))(?:\/(\d+))?|(\d+|[a-z]+))$/

/** Returns the values that a field names; none if it is invalid. */
function readField(text: string, { least, most, names = [] }: Field): ReadonlySet<number> {
  const values = new Set<number>()
  const numberOf = (written: string, index: number) => (index === -1 ? Number(written) : least + index)
  for (const written of text.toLowerCase().split(',')) {
    const [match, low, high, step = '1', only] = part.exec(written) ?? []
    const first = only ?? low
    const from = first === undefined ? least : numberOf(first, names.indexOf(first))
    // Sunday begins a week as 0, and ends it as 7.
    const end = high === undefined ? most : numberOf(high, names.lastIndexOf(high))
    const to = only === undefined ? end : from
    const isValid = match !== undefined && least <= from && from <= to && to <= most && Number(step) > 0
    if (!isValid) return new Set()
    for (let value = from; value <= to; value += Number(step)) values.add(value)
  }
  return values
}

/** Maximum distance of two dates of one line: from 29 February 2096 to that of 2104. */
const mostYears = 8

/** The first time of a line after another, in UTC, in milliseconds since the epoch. */
export function nextOfLine(line: CronLine, after: number): number | undefined {
  const at = new Date(after)
  at.setUTCMilliseconds(1_000)
  const last = at.getUTCFullYear() + mostYears
  // Goes from the month to the second. A field without a match moves to its next value, and resets those below it.
  while (at.getUTCFullYear() <= last) {
    if (!line.month.has(at.getUTCMonth() + 1)) {
      at.setUTCMonth(at.getUTCMonth() + 1, 1)
      at.setUTCHours(0, 0, 0)
    } else if (!fallsOn(line, at)) at.setUTCHours(24, 0, 0)
    else if (!line.hour.has(at.getUTCHours())) at.setUTCHours(at.getUTCHours() + 1, 0, 0)
    else if (!line.minute.has(at.getUTCMinutes())) at.setUTCMinutes(at.getUTCMinutes() + 1, 0)
    else if (!line.second.has(at.getUTCSeconds())) at.setUTCSeconds(at.getUTCSeconds() + 1)
    else return at.getTime()
  }
  return undefined
}

/** Reports whether a date has a day of the month and of the week that a line names. As in cron, one is enough. */
function fallsOn({ day, dayOfWeek, takesAnyDay }: CronLine, date: Date): boolean {
  const isOfMonth = day.has(date.getUTCDate())
  const weekday = date.getUTCDay()
  const isOfWeek = dayOfWeek.has(weekday) || (weekday === 0 && dayOfWeek.has(7))
  return takesAnyDay ? isOfMonth && isOfWeek : isOfMonth || isOfWeek
}
