import { defineCustomResource } from '../resources/custom-resource.ts'
import { resources as builtIn } from '../resources/index.ts'
import type { FixtureEntry, FixtureForm, Resource, WireRecord } from '../resources/resource.ts'
import { quote } from '../wire/errors.ts'
import { isObject } from '../wire/is-object.ts'
import { type Flaw, withoutSecret } from '../wire/issues.ts'
import { limits } from '../wire/limits.ts'
import { RecordError } from '../wire/record-error.ts'
import type { Slices } from '../wire/slices.ts'
import { parseDatetime, parseMoment, parseRelative, toTimestamp } from '../wire/timestamps.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import { isGivenFixture, isTrustedFixture } from './given-fixtures.ts'
import { Model, type ModelOptions, type ModelState } from './model.ts'

/**
 * A start state: records by plural name, in wire names. What a record lacks gets its default; moments may be relative
 * to the clock (`"-2d"`, `"+20s"`, `"now"`); blocks may stand inside their pipeline.
 */
export interface Fixture {
  /** For editors; ignored. */
  readonly $schema?: string
  /** The moment a frozen clock starts at. */
  readonly clock?: string
  readonly api_keys?: readonly string[]
  /** Resources beyond the document's, each a list of records. */
  readonly custom?: Readonly<Record<string, readonly object[]>>
  /** Which attribute identifies the records of a custom resource, where it is not `id`. */
  readonly custom_keys?: Readonly<Record<string, 'uuid'>>
  /** The next id of a table, where it is not the highest plus one. */
  readonly next_ids?: Readonly<Record<string, number>>
  readonly [plural: string]: unknown
}

/** What a fixture comes to. */
export interface LoadedFixture {
  readonly resources: readonly Resource[]
  readonly state: ModelState
  readonly apiKeys: readonly string[]
}

/** How a fixture is loaded. */
export interface LoadOptions extends Omit<ModelOptions, 'resources'> {
  /** What a profile makes of the document's resources, and of those that the fixture adds. */
  readonly deviate?: (documented: readonly Resource[]) => readonly Resource[]
}

/** Thrown for a broken fixture; nothing of it is loaded. */
export class FixtureError extends UnderstudyError {
  readonly flaw: Flaw

  constructor(given: Flaw, name?: string) {
    const flaw = withoutSecret(given)
    const { path, expected, found } = flaw
    const which = name === undefined ? '' : ` ${name}`
    super(
      'FIXTURE_BROKEN',
      `The fixture${which} is broken at ${path}: expected ${expected}; found ${found}.`,
      {
        flaws: [flaw],
      },
    )
    this.name = 'FixtureError'
    this.flaw = flaw
  }
}

const ownKeys = ['$schema', 'clock', 'api_keys', 'custom', 'custom_keys', 'next_ids']

/** Where a fixture's frozen clock starts, in milliseconds since the epoch. */
export function fixtureClock(fixture: Fixture): number | undefined {
  if (!isObject(fixture)) refuse('$', 'an object', fixture)
  const { clock } = fixture as Fixture
  if (clock === undefined) return undefined
  const milliseconds = typeof clock === 'string' ? parseMoment(clock) : undefined
  return milliseconds ?? refuse('$.clock', 'a moment such as 2026-01-31T12:00:00Z', clock)
}

/**
 * Reads a fixture into a model state, however large; what is relative to the clock is so to where it stood at first.
 *
 * @throws FixtureError with the JSON path, what was expected there and what was found.
 */
export function* loadFixture(fixture: Fixture, options: LoadOptions): Slices<LoadedFixture> {
  if (!isObject(fixture)) refuse('$', 'an object', fixture)
  const isTrusted = isTrustedFixture(fixture)
  const copy = isGivenFixture(fixture) ? fixture : (structuredClone(fixture) as Fixture)
  const now = options.now()
  const custom = readCustom(copy)
  const { deviate = (documented) => documented, ...modelOptions } = options
  const resources = deviate([...builtIn, ...custom.map(({ resource }) => resource)])
  const stored = resources.filter((resource) => resource.stored !== false)
  const names = new Set([...ownKeys, ...stored.map(({ plural }) => plural)])
  for (const key of Object.keys(copy)) {
    if (!names.has(key)) refuse(`$.${key}`, `one of ${[...names].join(', ')}`, copy[key])
  }
  const model = new Model({ ...modelOptions, resources, now: () => now })
  for (const resource of stored) {
    yield
    const own = custom.find((candidate) => candidate.resource.plural === resource.plural)
    const entries = own ? own.entries : readRecords(copy, resource)
    yield
    yield* insertAll(model, resource, entries, now, isTrusted)
  }
  raiseNextIds(model, copy)
  return { resources, state: model.state(), apiKeys: readApiKeys(copy) }
}

function readRecords(fixture: Fixture, resource: Resource): readonly FixtureEntry[] {
  const entries = toEntries(fixture[resource.plural], `$.${resource.plural}`)
  const { nested, link } = resource.fixture ?? {}
  const all = nested ? [...entries, ...readNested(fixture, resource, nested)] : entries
  return link ? link(all, refuse) : all
}

/** The records that stand inside the one they belong to. */
function readNested(
  fixture: Fixture,
  { references }: Resource,
  { reference, under, at }: NonNullable<FixtureForm['nested']>,
): FixtureEntry[] {
  const { plural } = references![reference]!
  const owner = builtIn.find((candidate) => candidate.plural === plural)!
  return toEntries(fixture[plural], `$.${plural}`).flatMap(({ path, values }) =>
    toEntries(values[under], `${path}.${under}`).map((entry, index) => ({
      path: entry.path,
      values: { ...at(index), ...entry.values, [reference]: keyOf(owner, values) },
    })),
  )
}

/** The key that a record of a fixture will have. */
function keyOf(resource: Resource, values: WireRecord): unknown {
  return values[resource.key] ?? resource.complete?.(values, { id: 0, now: '', seed: 0 })[resource.key]
}

/** The attributes under which a resource's records may hold those of another. */
function nestedUnder({ plural }: Resource): string[] {
  return builtIn.flatMap(({ references, fixture }) =>
    fixture?.nested && references![fixture.nested.reference]!.plural === plural ? [fixture.nested.under] : [],
  )
}

function toEntries(list: unknown, path: string): FixtureEntry[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) refuse(path, 'a list of records', list)
  return (list as unknown[]).map((values, index) => {
    if (!isObject(values)) refuse(`${path}[${index}]`, 'an object', values)
    return { path: `${path}[${index}]`, values: values as WireRecord }
  })
}

function* insertAll(
  model: Model,
  resource: Resource,
  entries: readonly FixtureEntry[],
  now: number,
  isTrusted: boolean,
): Slices {
  const table = model.table(resource.plural)
  const counted = entries.map(({ values }) => Number(values.id) || 0).filter((id) => id < limits.countedId)
  const highest = counted.reduce((most, id) => Math.max(most, id), 0)
  let nextId = highest + 1
  const by = resource.order?.newestFirst ? resource.order.by! : undefined
  const identified: PlacedEntry[] = []
  for (const { path, values } of entries) {
    const withId = resource.key === 'id' && values.id === undefined ? { ...values, id: nextId++ } : values
    const moved = withMoments(resource, withId, path, now)
    const written = resource.remembers?.(moved, toTimestamp(now)) ?? moved
    identified.push({ path, values: written, place: by === undefined ? '' : String(written[by] ?? '~') })
    yield
  }
  // Rows stand in this order anyway; records that arrive in it are appended and not wedged in.
  const sorted = by === undefined ? identified : identified.toSorted(compare)
  const known = isTrusted || resource.presents === 'all' ? undefined : knownKeys(resource)
  for (const { path, values } of sorted) {
    yield
    if (isTrusted) {
      table.insertKnown(values)
      continue
    }
    if (known !== undefined) checkKeys(resource, known, values, path)
    try {
      table.insert(values)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      const [flaw] = error.flaws
      throw new FixtureError({ ...flaw!, path: `${path}.${flaw!.path}` })
    }
  }
}

/** An entry, and what it is put in order by. */
interface PlacedEntry extends FixtureEntry {
  readonly place: string
}

function compare({ place: one }: PlacedEntry, { place: other }: PlacedEntry): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function withMoments(resource: Resource, values: WireRecord, path: string, now: number): WireRecord {
  let changed: Record<string, unknown> | undefined
  for (const attribute of resource.moments) {
    const value = values[attribute]
    if (typeof value !== 'string') continue
    const relative = parseRelative(value, now)
    const moment = relative === undefined ? parseDatetime(value) : toTimestamp(relative)
    if (moment === undefined) {
      refuse(
        `${path}.${attribute}`,
        'a datetime such as 2026-01-31 12:00:00, or one relative to the clock such as -2d',
        value,
      )
    }
    changed ??= { ...values }
    changed[attribute] = moment
  }
  return changed ?? values
}

/** What a fixture's record may say: its attributes, and the records that stand inside it. */
function knownKeys(resource: Resource): ReadonlySet<string> {
  return new Set([...Object.keys(resource.attributes.shape), ...nestedUnder(resource)])
}

function checkKeys(
  { attributes }: Resource,
  known: ReadonlySet<string>,
  values: WireRecord,
  path: string,
): void {
  for (const key in values) {
    if (!known.has(key)) {
      refuse(`${path}.${key}`, `one of ${Object.keys(attributes.shape).join(', ')}`, values[key])
    }
  }
}

function readCustom(fixture: Fixture): { resource: Resource; entries: FixtureEntry[] }[] {
  const { custom } = fixture
  if (custom === undefined) return []
  if (!isObject(custom)) refuse('$.custom', 'an object of lists', custom)
  return Object.entries(custom).map(([plural, list]) => {
    const path = `$.custom.${plural}`
    if (!/^[a-z][a-z0-9_]*$/.test(plural))
      refuse(path, 'a plural name in lower case, such as projects', plural)
    if (builtIn.some((resource) => resource.plural === plural))
      refuse(path, 'a name the document does not use', plural)
    const entries = toEntries(list, path)
    const key = fixture.custom_keys?.[plural] === 'uuid' || isKeyedByUuid(entries) ? 'uuid' : 'id'
    return { resource: defineCustomResource(plural, key), entries }
  })
}

function isKeyedByUuid(entries: readonly FixtureEntry[]): boolean {
  return (
    entries.length > 0 &&
    entries.every(({ values }) => typeof values.uuid === 'string' && values.id === undefined)
  )
}

function readApiKeys(fixture: Fixture): readonly string[] {
  const keys: unknown = fixture.api_keys ?? []
  if (!Array.isArray(keys)) refuse('$.api_keys', 'a list of texts', keys)
  for (const [index, key] of (keys as unknown[]).entries()) {
    if (typeof key !== 'string' || key === '') refuse(`$.api_keys[${index}]`, 'a text', key)
  }
  return keys as string[]
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

function refuse(path: string, expected: string, value: unknown): never {
  throw new FixtureError({ path, expected, found: value === undefined ? 'nothing' : quote(value) })
}
