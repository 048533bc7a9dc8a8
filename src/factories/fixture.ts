import { resources as builtIn } from '../resources/index.ts'
import type { FixtureEntry, Resource, WireRecord } from '../resources/resource.ts'
import { isPromise, messageOf } from '../shared/built-ins.ts'
import type { Flaw } from '../shared/issues.ts'
import * as limits from '../shared/limits.ts'
import { RecordError } from '../shared/record-error.ts'
import { unknownKey } from '../shared/suggest.ts'
import { parseDatetime, parseRelative, parseTime, toTimestamp } from '../shared/timestamps.ts'
import { isObject, textOf } from '../shared/values.ts'
import { nestedIn, readCustom, readRecords } from './fixture-entries.ts'
import { FixtureError, gather, mostFlaws, refuse } from './fixture-error.ts'
import type { Fixture } from './fixture-type.ts'
import { isGivenFixture } from './given-fixtures.ts'
import { Model, type ModelOptions, type ModelState } from './model.ts'
import { nextIdAfter } from './store.ts'
import type { Table } from './table.ts'
import { nonJsonAttributes, unknownAttributes } from './validate.ts'

/** Result of loading a fixture. */
export interface LoadedFixture {
  readonly resources: readonly Resource[]
  readonly state: ModelState
  readonly apiKeys: readonly string[]
}

/** Options of loading a fixture. */
export interface LoadOptions extends Omit<ModelOptions, 'resources'> {
  /** Applies a profile to the resources of the specification and to those that the fixture adds. */
  readonly deviate?: (documented: readonly Resource[]) => readonly Resource[]
}

const ownKeys = ['$schema', 'clock', 'api_keys', 'custom', 'custom_keys', 'next_ids']

/**
 * Returns the start of a fixture's frozen clock, in milliseconds since the epoch. Loading the fixture reports
 * an invalid one.
 */
export function fixtureClock(fixture: Fixture): number | undefined {
  const clock = isObject(fixture) ? fixture.clock : undefined
  return typeof clock === 'string' ? parseTime(clock) : undefined
}

/**
 * Loads a fixture into a model state. Relative times are relative to the clock before loading.
 *
 * @throws FixtureError with all flaws: JSON path, expected and actual value.
 */
export function loadFixture(fixture: Fixture, options: LoadOptions): LoadedFixture {
  const copy = copyOf(fixture)
  const now = options.clock.now()
  const flaws: Flaw[] = []
  if (copy.clock !== undefined && fixtureClock(copy) === undefined)
    gather(flaws, () => refuse('$.clock', 'a time such as 2026-01-31T12:00:00Z', copy.clock))
  const custom = gather(flaws, () => readCustom(copy, flaws)) ?? []
  const { deviate = (documented) => documented, ...modelOptions } = options
  const resources = deviate([...builtIn, ...custom.map(({ resource }) => resource)])
  const stored = resources.filter((resource) => resource.stored !== false)
  const names = [...ownKeys, ...stored.map(({ plural }) => plural)]
  for (const key of Object.keys(copy)) {
    if (flaws.length >= mostFlaws) break
    if (!names.includes(key)) flaws.push({ path: `$.${key}`, ...unknownKey(key, names) })
  }
  const model = new Model({ ...modelOptions, resources, clock: { now: () => now } })
  const loading: Loading = { model, flaws, now, incomplete: new Set() }
  for (const resource of stored) {
    const given = custom.find((candidate) => candidate.resource.plural === resource.plural)
    const before = flaws.length
    const entries = given ? given.entries : gather(flaws, () => readRecords(copy, resource, flaws))
    if (flaws.length > before) loading.incomplete.add(resource.plural)
    insertAll(loading, resource, entries ?? [])
  }
  gather(flaws, () => raiseNextIds(model, copy))
  const apiKeys = gather(flaws, () => readApiKeys(copy)) ?? []
  if (flaws.length > 0) throw new FixtureError(flaws)
  return { resources, state: model.state(), apiKeys }
}

/** Returns a copy that nobody else can change. A given fixture needs no copy. */
function copyOf(fixture: Fixture): Fixture {
  if (
    !isObject(fixture) ||
    Object.prototype.toString.call(fixture) !== '[object Object]' ||
    isPromise(fixture)
  )
    refuse('$', 'an object', fixture)
  if (isGivenFixture(fixture)) return fixture
  try {
    return structuredClone(fixture)
  } catch (error) {
    return refuse('$', 'data alone, as JSON has it', messageOf(error))
  }
}

interface Loading {
  readonly model: Model
  readonly flaws: Flaw[]
  readonly now: number
  /** Plurals with an invalid record: references to it are not reported. */
  readonly incomplete: Set<string>
}

function insertAll(loading: Loading, resource: Resource, entries: readonly FixtureEntry[]): void {
  const { model, flaws, now, incomplete } = loading
  const table = model.table(resource.plural)
  let nextId = 1
  for (const { values } of entries) nextId = nextIdAfter(Number(textOf(values.id)) || 0, nextId)
  const by = resource.order?.by
  const identified: PlacedEntry[] = []
  for (const { path, values } of entries) {
    const withId = resource.key === 'id' && values.id === undefined ? { ...values, id: nextId++ } : values
    const moved = gather(flaws, () => withTimes(resource, withId, path, now))
    if (moved === undefined) {
      incomplete.add(resource.plural)
      continue
    }
    const written = resource.impliesPast?.(moved, toTimestamp(now)) ?? moved
    identified.push({ path, values: written, place: by === undefined ? '' : placeOf(written[by]) })
  }
  // Appending a record in order is faster than inserting it.
  const sorted = by === undefined ? identified : identified.toSorted(compare)
  const nested = nestedIn(resource).map(([under]) => under)
  for (const entry of sorted) {
    const wrong = insert(table, entry, nested)
    if (wrong === undefined) continue
    flaws.push(
      ...wrong.filter(({ path }) => !refersTo(incomplete, resource, path.slice(entry.path.length + 1))),
    )
    incomplete.add(resource.plural)
  }
}

/** An entry, and the value by which its table orders records. */
interface PlacedEntry extends FixtureEntry {
  readonly place: string | number
}

/** A record without a value comes last. */
function placeOf(value: unknown): string | number {
  return typeof value === 'number' ? value : textOf(value) || '~'
}

function compare({ place: one }: PlacedEntry, { place: other }: PlacedEntry): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}

/** Adds a record to its table. Returns its flaws, if it has any. */
function insert(table: Table, { path, values }: FixtureEntry, nested: readonly string[]): Flaw[] | undefined {
  const nonJson = nonJsonAttributes(values, nested)
  const flaws = unknownAttributes(table.resource, values, nested)
  if (nonJson.length > 0) flaws.push(...nonJson)
  try {
    // A schema would follow a circular reference forever.
    if (nonJson.length === 0) table.insert(values)
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    flaws.push(...error.flaws)
  }
  if (flaws.length === 0) return undefined
  // Errors in computed attributes follow from those in given ones.
  const hasRoot = (path: string) => path.split(/[.[]/, 1).some((root) => root in values)
  const own = flaws.filter((flaw) => flaw.found === 'nothing' || hasRoot(flaw.path))
  return (own.length > 0 ? own : flaws).map((flaw) => ({ ...flaw, path: `${path}.${flaw.path}` }))
}

/** Reports whether an attribute refers to a record that may be missing only because it is invalid itself. */
function refersTo(
  incomplete: ReadonlySet<string>,
  { references = {} }: Resource,
  attribute: string,
): boolean {
  const reference = references[attribute]
  return reference !== undefined && incomplete.has(reference.plural)
}

function withTimes(resource: Resource, values: WireRecord, path: string, now: number): WireRecord {
  let changed: Record<string, unknown> | undefined
  for (const attribute of resource.times) {
    const value = values[attribute]
    if (typeof value !== 'string') continue
    const relative = parseRelative(value, now)
    const time = relative === undefined ? parseDatetime(value) : toTimestamp(relative)
    if (time === undefined) {
      refuse(
        `${path}.${attribute}`,
        'a datetime such as 2026-01-31 12:00:00, or one relative to the clock such as -2d',
        value,
      )
    }
    changed ??= { ...values }
    changed[attribute] = time
  }
  return changed ?? values
}

function readApiKeys(fixture: Fixture): readonly string[] {
  const keys: unknown = fixture.api_keys ?? []
  if (!Array.isArray(keys)) return refuse('$.api_keys', 'a list of texts', keys)
  return keys.map((key: unknown, index) => {
    if (typeof key !== 'string' || key === '') return refuse(`$.api_keys[${index}]`, 'a text', key)
    return key
  })
}

function raiseNextIds(model: Model, fixture: Fixture): void {
  const nextIds = fixture.next_ids ?? {}
  if (!isObject(nextIds)) refuse('$.next_ids', 'an object of numbers', nextIds)
  for (const [plural, nextId] of Object.entries(nextIds)) {
    const isStored = model.resources.some(
      (resource) => resource.plural === plural && resource.stored !== false,
    )
    if (!isStored) refuse(`$.next_ids.${plural}`, 'the plural name of a resource', plural)
    if (!Number.isSafeInteger(nextId) || nextId < 1 || nextId > limits.nextId)
      refuse(`$.next_ids.${plural}`, `a positive integer, at most ${limits.nextId}`, nextId)
    const table = model.table(plural)
    table.nextId = Math.max(nextId, table.nextId)
  }
}
