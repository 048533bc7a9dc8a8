import * as z from 'zod/mini'
import type { PlanContext, Resource, WireRecord } from '../resources/resource.ts'
import { type Flaw, toFlaw } from '../shared/issues.ts'
import { findNonJson } from '../shared/non-json.ts'
import { RecordError } from '../shared/record-error.ts'
import { unknownKey } from '../shared/suggest.ts'
import { freeze } from '../shared/values.ts'

/** Maximum number of flaws reported for one record. */
const mostFlaws = 100

/**
 * Validates a new record and fills in its defaults, or validates the changes of a record. Adds the next event that the resource
 * plans for the record, and freezes it.
 *
 * @throws RecordError
 */
export function validateRecord(
  resource: Resource,
  given: WireRecord,
  context: PlanContext,
  previous?: WireRecord,
): WireRecord {
  const record = readMembers(resource.attributes, given, previous) ?? readWhole(resource, given, previous)
  for (const name in given) {
    const value = given[name]
    // A frozen value belongs to another record already, which shares it.
    if (typeof value === 'object' && Object.isFrozen(value) && Object.hasOwn(record, name))
      record[name] = value
  }
  const valid = freeze(record)
  const changes = resource.plan?.(valid, previous, context)
  return changes === undefined ? valid : freeze({ ...valid, ...changes })
}

function readWhole(
  resource: Resource,
  given: WireRecord,
  previous: WireRecord | undefined,
): Record<string, unknown> {
  const values = { ...previous, ...given }
  const parsed = resource.attributes.safeParse(values)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, mostFlaws)
  return refuseRecord(
    resource,
    previous === undefined ? 'create' : 'update',
    issues.map((issue) => toFlaw(issue, values, '')),
  )
}

const parsing = { async: false } as const
const defaults = new WeakMap<z.ZodMiniObject, WireRecord>()

/**
 * Reads the members of an object by the schemas of their names; `undefined` if one is missing, invalid or unknown. Then
 * `schema.safeParse` reports the issues. That creates objects for each member of the schema, given or not: a write would
 * take a quarter more processor time (`bench -- --only throughput`).
 *
 * @param previous valid members, which the given ones replace. Default: the defaults of the schema.
 */
export function readMembers(
  schema: z.ZodMiniObject,
  given: WireRecord,
  previous: WireRecord = defaults.get(schema) ?? readDefaults(schema),
): Record<string, unknown> | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  // Not by spreading: V8 gives each generation of copies a hidden class of its own.
  const read: Record<string, unknown> = Object.assign({}, previous)
  for (const name in given) {
    const value = given[name]
    if (value === previous[name] && value !== undefined) continue
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined
    const payload = member?._zod.run({ value, issues: [] }, parsing)
    if (payload === undefined || !('issues' in payload) || payload.issues.length > 0) return undefined
    read[name] = payload.value
  }
  for (const name in shape)
    if (read[name] === undefined && shape[name]?._zod.optin === undefined) return undefined
  return read
}

/** Returns the defaults of the members, in the order of the schema; required ones are `undefined`. */
function readDefaults(schema: z.ZodMiniObject): WireRecord {
  const members: Record<string, unknown> = {}
  for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const { success, data } = z.safeParse(member, undefined)
    if (!success || data !== undefined) members[name] = data
  }
  defaults.set(schema, members)
  return members
}

/** Rejects a record with flaws. */
export function refuseRecord(
  { singular }: Resource,
  action: 'create' | 'update' | 'write',
  flaws: readonly Flaw[],
): never {
  throw new RecordError(`Failed to ${action} a ${singular}`, flaws)
}

/**
 * Rejects attributes that the resource does not have, which its schema would drop, and values that JSON
 * cannot represent.
 *
 * @throws RecordError
 */
export function refuseUnknown(resource: Resource, values: WireRecord, action: 'create' | 'update'): void {
  const flaws = [...unknownAttributes(resource, values), ...nonJsonAttributes(values)]
  if (flaws.length > 0) refuseRecord(resource, action, flaws)
}

/** Returns the flaws of unknown attributes; other code reads those in `others`. */
export function unknownAttributes(
  { attributes, presents }: Resource,
  values: WireRecord,
  others: readonly string[] = [],
): Flaw[] {
  const known = attributes.shape
  const flaws: Flaw[] = []
  if (presents === 'all') return flaws
  // A loop: a fixture has 100,000 records with nothing to report.
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(known, name) || name === '__proto__' || others.includes(name)) continue
    if (flaws.length === mostFlaws) break
    if (values[name] === undefined) continue
    flaws.push({ path: name, ...unknownKey(name, [...Object.keys(known), ...others]) })
  }
  return flaws
}

/**
 * Returns the flaws of values that JSON cannot represent or a schema would drop; other code reads those in
 * `others`.
 */
export function nonJsonAttributes(values: WireRecord, others: readonly string[] = []): Flaw[] {
  const flaws: Flaw[] = []
  for (const name of Object.keys(values)) {
    if (name === '__proto__') {
      flaws.push({ path: name, expected: 'no such key', found: 'one' })
      continue
    }
    const nonJson = others.includes(name) ? undefined : findNonJson(values[name])
    if (nonJson !== undefined) flaws.push({ ...nonJson, path: name + nonJson.path })
  }
  return flaws
}
