import * as z from 'zod/mini'
import { count } from '../../resources/attributes.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { firstFlaw, parseBy } from '../../shared/issues.ts'
import { parseJson, TooDeepError } from '../../shared/json.ts'
import * as limits from '../../shared/limits.ts'
import { earliestTime, latestTime } from '../../shared/timestamps.ts'
import { isObject } from '../../shared/values.ts'
import { isWorldName } from '../../shared/world-name.ts'
import type { Fault } from '../faults/fault.ts'
import { StorageError } from './storage-error.ts'

export const stateFormat = 'understudy-state'
/** Versions 1 and 2 were never published. */
export const stateVersion = 3

/*
 * A state is one JSON object. Worlds share tables until they write to them, so the state lists every table once, and
 * starts, worlds and snapshots refer to tables by their index.
 */

const fault = z.custom<Fault>(isObject, 'a fault')
const tableIndexes = z.array(count)
const time = z.number().check(z.minimum(earliestTime), z.maximum(latestTime))

const table = z.strictObject({
  resource: z.string(),
  /** Only for a resource that a fixture added. */
  customKey: z.optional(z.enum(['id', 'uuid'])),
  nextId: count,
  records: z.array(z.custom<WireRecord>(isObject, 'a record')),
})
const start = z.strictObject({
  clock: z.optional(time),
  apiKeys: z.array(z.string()),
  tables: tableIndexes,
})
const clock = z.strictObject({
  start: z.optional(time),
  frozenAt: z.optional(time),
  running: z.strictObject({ at: z.number(), origin: z.number(), speed: z.number().check(z.positive()) }),
  now: z.number(),
  source: z.number(),
})
const activeFault = z.strictObject({
  id: z.string(),
  fault,
  isInitial: z.boolean(),
  seen: count,
  used: count,
  drawn: count,
})
const snapshot = z.strictObject({
  name: z.string(),
  origin: count,
  frozenAt: z.optional(time),
  tables: tableIndexes,
})
const world = z.strictObject({
  name: z.string().check(z.refine(isWorldName, 'the name of a world')),
  requests: count,
  /** Only for a world with a profile or a faulty variant of its own. */
  profile: z.optional(z.nullable(z.string())),
  faultyVariant: z.optional(z.nullable(z.string())),
  start: count,
  origin: count,
  clock,
  switches: z.record(z.string(), z.union([z.string(), z.number()])),
  faults: z.strictObject({ added: count, active: z.array(activeFault) }),
  tables: tableIndexes,
  snapshots: z.array(snapshot),
})
const stateSchema = z.strictObject({
  format: z.literal(stateFormat),
  version: z.literal(stateVersion),
  savedAt: z.string(),
  /** Seeds whose raw tokens are valid. */
  seeds: z.array(z.int()),
  /** The faults that each world begins with. */
  faults: z.array(fault),
  /** The start of later worlds, if an import has replaced the fixture. */
  laterStart: z.optional(count),
  tables: z.array(table),
  starts: z.array(start),
  /** `main` first, then the least recently used. */
  worlds: z.array(world),
})

export type StateDocument = z.output<typeof stateSchema>
export type TableEntry = z.output<typeof table>
export type StartEntry = z.output<typeof start>
export type WorldEntry = z.output<typeof world>

/** Thrown for a state to set aside. */
export class UnusableState extends Error {
  readonly reason: string

  constructor(reason: string, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/**
 * Reads the text of a state and checks its format. The load checks the records later.
 *
 * @throws UnusableState if the state has an error or another version.
 * @throws StorageError if the text is JSON, but not a state: the path may be wrong.
 */
export function readStateDocument(text: string, place: string): StateDocument {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof TooDeepError)
      throw new UnusableState('damaged', `It is nested deeper than ${limits.bodyDepth} levels.`)
    // The message of the parser would quote the text, which holds credentials.
    throw new UnusableState('damaged', 'It is not JSON: it was cut or edited.')
  }
  if (!isObject(value) || value.format !== stateFormat) {
    throw new StorageError(
      'STATE_REFUSED',
      `${place} is not a state: expected a JSON object with "format": "${stateFormat}". It is left as it is.`,
    )
  }
  const { version } = value
  if (typeof version === 'number' && Number.isSafeInteger(version) && version !== stateVersion) {
    throw new UnusableState(
      `version-${version}`,
      `It has version ${version} of the format; this version of pipeline-understudy reads version ${stateVersion}.`,
    )
  }
  const parsed = parseBy(stateSchema, value)
  if (parsed.success) return parsed.data
  const { path, expected, found } = firstFlaw(parsed.error, value, '$')
  throw new UnusableState('damaged', `It is damaged at ${path}: expected ${expected}; found ${found}.`)
}
