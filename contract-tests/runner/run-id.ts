import { randomBytes } from 'node:crypto'

/** Identifies a run among others on the same target: its number, and the prefix of its records' names. */
export interface RunId {
  readonly run: string
  readonly prefix: string
}

/** Start of the names of created records, after the prefix that the user chose. */
const ownPrefix = 'verifyrun'

/** Creates a unique id, also for runs that start at the same time. */
export function newRunId(prefix = ''): RunId {
  const time = Date.now().toString(36)
  const run = `${time}${randomBytes(4).toString('hex')}`
  return { run, prefix: `${prefix}${ownPrefix}${run}` }
}

/** Returns whether a prefix is in the names of one run alone. */
export function isOwnPrefix(prefix: string, run: string): boolean {
  return prefix.endsWith(`${ownPrefix}${run}`)
}

/** Returns whether a uuid is of a record that some run has made. */
export function isOfSomeRun(uuid: string): boolean {
  return uuid.includes(ownPrefix)
}

/** A pattern of what begins the names of a run and of its sequences. */
export function patternOfRun(prefix: string): string {
  return `${prefix.replaceAll(/\W/g, '\\$&')}(?:[a-z]{2}\\d+)?`
}

/** Returns whether a name, or a uuid derived from it, begins with the prefix of a run or of one of its sequences. */
export function carriesName(text: unknown, prefix: string): boolean {
  if (typeof text !== 'string' || prefix === '' || !text.startsWith(prefix)) return false
  // The number of a sequence may be the beginning of that of another.
  return !(/\d$/.test(prefix) && /^\d/.test(text.slice(prefix.length)))
}
