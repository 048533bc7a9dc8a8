import { randomBytes } from 'node:crypto'

/** Who a run is among others on the same target: its number, and what the names of its records begin with. */
export interface RunId {
  readonly run: string
  readonly prefix: string
}

/** What the names of created records begin with, after what the user asked for. */
const ownPrefix = 'judged'

/** A run of its own: no two have the same, however close to each other they start. */
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

/** Returns whether a name of a record, or a uuid derived from one, begins with the prefix of a run or of one of its sequences. */
export function carriesName(text: unknown, prefix: string): boolean {
  if (typeof text !== 'string' || prefix === '' || !text.startsWith(prefix)) return false
  // The number of a sequence may be the beginning of that of another.
  return !(/\d$/.test(prefix) && /^\d/.test(text.slice(prefix.length)))
}
