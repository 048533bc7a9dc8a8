import * as z from 'zod/mini'
import { count } from '../../resources/attributes.ts'
import { isObject } from '../../shared/is-object.ts'
import { earliestMoment, latestMoment } from '../../shared/timestamps.ts'
import { StorageError } from './storage-error.ts'

/** What says that a text is the state of an understudy, and in which version of the format. */
export const stateFormat = 'understudy-state'
export const stateVersion = 2

/*
 * The format, version 2: one JSON object, a line for each entry of its lists. `records` holds all records there are, in
 * pieces; a table names its pieces, a start and a world name their tables. So what worlds share is written once, and
 * the line of what has not changed is written as it was. `checksum` is that of the lines before it.
 */

const record = z.custom<Readonly<Record<string, unknown>>>(isObject, 'a record')
const ids = z.array(count)
const moment = z.number()
const noMoment = z.nullable(moment.check(z.minimum(earliestMoment), z.maximum(latestMoment)))

const piece = z.strictObject({ id: count, records: z.array(record) })
const table = z.strictObject({
  id: count,
  resource: z.string(),
  /** What identifies the records of a resource that a fixture added. */
  customKey: z.optional(z.enum(['id', 'uuid'])),
  nextId: count,
  pieces: ids,
})
const start = z.strictObject({ id: count, clock: noMoment, apiKeys: z.array(z.string()), tables: ids })
const clock = z.strictObject({
  start: noMoment,
  frozenAt: noMoment,
  running: z.strictObject({ at: moment, origin: moment, speed: z.number().check(z.positive()) }),
  now: moment,
  source: moment,
})
const fault = z.strictObject({
  id: z.string().check(z.regex(/^fault-\d+$/)),
  fault: record,
  isInitial: z.boolean(),
  seen: count,
  used: count,
  drawn: count,
})
const snapshot = z.strictObject({ name: z.string(), origin: count, frozenAt: noMoment, tables: ids })
const world = z.strictObject({
  name: z.string(),
  start: count,
  clock,
  switches: z.record(z.string(), z.union([z.string(), z.number()])),
  faults: z.strictObject({ added: count, active: z.array(fault) }),
  tables: ids,
  /** What the present records come from: a start, as what is imported is one. */
  origin: count,
  snapshots: z.array(snapshot),
})

/** The state of an understudy as it is written. */
export const stateSchema = z.strictObject({
  format: z.literal(stateFormat),
  version: z.literal(stateVersion),
  savedAt: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a moment')),
  savedBy: z.string(),
  /** The seeds whose raw tokens are known. */
  seeds: z.array(z.int()),
  /** The checksum of the fixture that it was made from, and the profile. */
  fixture: z.string(),
  profile: z.nullable(z.string()),
  /** Where the time of later worlds comes from; the first to write states did not say. */
  clock: z.optional(z.string()),
  /** The faults that each world begins with. */
  faults: z.array(record),
  /** What later worlds begin with. */
  laterStart: count,
  /** The worlds, `main` first, then the least recently used, with how many requests each has had. */
  uses: z.array(z.strictObject({ name: z.string(), requests: count })),
  records: z.array(piece),
  tables: z.array(table),
  starts: z.array(start),
  worlds: z.array(world),
  checksum: z.string(),
})

export type StateDocument = z.output<typeof stateSchema>
export type TableEntry = z.output<typeof table>
export type StartEntry = z.output<typeof start>
export type SnapshotEntry = z.output<typeof snapshot>
export type WorldEntry = z.output<typeof world>

/** What is wrong with a kept state: which of these decides what becomes of it. */
export type StateFlaw = 'torn' | 'damaged' | 'invalid' | 'newer' | 'foreign'

/** Thrown for a state that cannot be taken up. */
export class StateError extends StorageError {
  readonly flaw: StateFlaw

  constructor(flaw: StateFlaw, detail: string, code: StorageError['code'] = 'STATE_BROKEN') {
    super(code, detail)
    this.name = 'StateError'
    this.flaw = flaw
  }
}

/** Makes of a state in one version of the format the same in the next. */
export type Upgrade = (state: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** How to read older versions: by the version that each begins with. */
export const upgrades: Readonly<Record<number, Upgrade>> = {
  // It had no records that stand for several (`folded`).
  1: (state) => state,
}
