import { readMembers } from '../resources/read-members.ts'
import type { PlanContext, Resource, WireRecord } from '../resources/resource.ts'
import { type Flaw, toFlaw } from '../shared/issues.ts'
import { findNonJson } from '../shared/non-json.ts'
import { RecordError } from '../shared/record-error.ts'
import { unknownKey } from '../shared/suggest.ts'
import { freeze } from '../shared/values.ts'

/** Maximum number of flaws reported for one record. */
const mostFlaws = 100

/**
 * Validates a new record, and fills in its defaults.
 *
 * @throws RecordError
 */
export function validateNew(resource: Resource, values: WireRecord): WireRecord {
  const record = readMembers(resource.attributes, values)
  return record === undefined ? validateWhole(resource, values, 'create') : freezeRecord(record, values)
}

/**
 * Validates only the changes: the rest of the record is valid.
 *
 * @throws RecordError
 */
export function validateChanges(resource: Resource, previous: WireRecord, changes: WireRecord): WireRecord {
  const record = readMembers(resource.attributes, changes, previous)
  return record === undefined
    ? validateWhole(resource, { ...previous, ...changes }, 'update')
    : freezeRecord(record, changes)
}

function validateWhole(resource: Resource, values: WireRecord, action: 'create' | 'update'): WireRecord {
  const parsed = resource.attributes.safeParse(values)
  if (parsed.success) return freezeRecord(parsed.data, values)
  const issues = parsed.error.issues.slice(0, mostFlaws)
  return refuseRecord(
    resource,
    action,
    issues.map((issue) => toFlaw(issue, values, '')),
  )
}

/** Freezes a record. A given value that is frozen belongs to another record already, which shares it. */
function freezeRecord(record: Record<string, unknown>, given: WireRecord): WireRecord {
  for (const name in given) {
    const value = given[name]
    if (typeof value !== 'object' || !Object.hasOwn(record, name)) continue
    record[name] = Object.isFrozen(value) ? value : freeze(record[name])
  }
  return freeze(record)
}

/** Refuses a record for its flaws. */
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
    const trap = others.includes(name) ? undefined : findNonJson(values[name])
    if (trap !== undefined) flaws.push({ ...trap, path: name + trap.path })
  }
  return flaws
}

/** Adds the changes that the resource plans for a record. */
export function withPlan(
  { plan }: Resource,
  next: WireRecord,
  previous: WireRecord | undefined,
  context: PlanContext,
): WireRecord {
  const changes = plan?.(next, previous, context)
  return changes === undefined ? next : freeze({ ...next, ...changes })
}
