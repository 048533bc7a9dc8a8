import { defineCustomResource } from '../resources/custom.ts'
import type { Resource, WireRecord } from '../resources/define-resource.ts'
import { resources as builtIn } from '../resources/index.ts'
import { quote } from '../wire/errors.ts'
import { isObject } from '../wire/is-object.ts'
import type { Flaw } from '../wire/issues.ts'
import { parseDatetime, parseMoment, parseRelative, toTimestamp } from '../wire/timestamps.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import { toUuid } from '../wire/uuid-rule.ts'
import { Model, type ModelOptions, type ModelState } from './model.ts'
import { RecordError } from './record-error.ts'

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

/** Thrown for a broken fixture; nothing of it is loaded. */
export class FixtureError extends UnderstudyError {
  readonly flaw: Flaw

  constructor(flaw: Flaw, name?: string) {
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
 * Reads a fixture into a model state.
 *
 * @throws FixtureError with the JSON path, what was expected there and what was found.
 */
export function loadFixture(fixture: Fixture, options: Omit<ModelOptions, 'resources'>): LoadedFixture {
  if (!isObject(fixture)) refuse('$', 'an object', fixture)
  const copy = structuredClone(fixture) as Fixture
  const custom = readCustom(copy)
  const resources = [...builtIn, ...custom.map(({ resource }) => resource)]
  const stored = resources.filter((resource) => resource.stored !== false)
  const names = new Set([...ownKeys, ...stored.map(({ plural }) => plural)])
  for (const key of Object.keys(copy)) {
    if (!names.has(key)) refuse(`$.${key}`, `one of ${[...names].join(', ')}`, copy[key])
  }
  const model = new Model({ ...options, resources })
  for (const resource of stored) {
    const given = custom.find((candidate) => candidate.resource === resource)
    const entries = given ? given.entries : readRecords(copy, resource)
    insertAll(model, resource, entries, options.now())
  }
  raiseNextIds(model, copy)
  return { resources, state: model.state(), apiKeys: readApiKeys(copy) }
}

interface Entry {
  readonly path: string
  readonly values: WireRecord
}

function readRecords(fixture: Fixture, resource: Resource): Entry[] {
  const entries = toEntries(fixture[resource.plural], `$.${resource.plural}`)
  if (resource.plural !== 'blocks') return entries
  const nested = toEntries(fixture.pipelines, '$.pipelines').flatMap(({ path, values }) =>
    toEntries(values.blocks, `${path}.blocks`).map((entry, priority) => ({
      path: entry.path,
      values: { priority, ...entry.values, pipeline_uuid: uuidOf(values) },
    })),
  )
  return linkBlocks([...entries, ...nested])
}

/** Works out what `upstream_blocks` implies, so that a fixture states each dependency once. */
function linkBlocks(entries: Entry[]): Entry[] {
  const downstream = new Map<string, string[]>()
  const statuses = new Map<string, unknown>()
  // Clients write [""] for a block without upstream; what is no text at all is the schema's to refuse.
  const upstreamOf = ({ upstream_blocks: uuids }: WireRecord): unknown[] =>
    Array.isArray(uuids) ? uuids.filter((uuid) => uuid !== '') : []
  for (const { values } of entries) {
    statuses.set(`${values.pipeline_uuid}/${uuidOf(values)}`, values.status)
    for (const upstream of upstreamOf(values)) {
      const key = `${values.pipeline_uuid}/${upstream}`
      downstream.set(key, [...(downstream.get(key) ?? []), uuidOf(values)])
    }
  }
  for (const { path, values } of entries) {
    for (const [index, upstream] of upstreamOf(values).entries()) {
      if (typeof upstream !== 'string' || statuses.has(`${values.pipeline_uuid}/${upstream}`)) continue
      refuse(`${path}.upstream_blocks[${index}]`, 'the uuid of a block of the same pipeline', upstream)
    }
  }
  return entries.map(({ path, values }) => ({
    path,
    values: {
      ...values,
      ...(values.upstream_blocks === undefined ? {} : { upstream_blocks: upstreamOf(values) }),
      downstream_blocks: downstream.get(`${values.pipeline_uuid}/${uuidOf(values)}`) ?? [],
      all_upstream_blocks_executed: upstreamOf(values).every(
        (uuid) => statuses.get(`${values.pipeline_uuid}/${uuid}`) === 'executed',
      ),
    },
  }))
}

function uuidOf({ uuid, name }: WireRecord): string {
  return String(uuid ?? toUuid(String(name ?? '')))
}

function toEntries(list: unknown, path: string): Entry[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) refuse(path, 'a list of records', list)
  return (list as unknown[]).map((values, index) => {
    if (!isObject(values)) refuse(`${path}[${index}]`, 'an object', values)
    return { path: `${path}[${index}]`, values: values as WireRecord }
  })
}

function insertAll(model: Model, resource: Resource, entries: Entry[], now: number): void {
  const table = model.table(resource.plural)
  const highest = entries.reduce((most, { values }) => Math.max(most, Number(values.id) || 0), 0)
  let nextId = highest + 1
  const identified = entries.map(({ path, values }) => {
    const withId = resource.key === 'id' && values.id === undefined ? { ...values, id: nextId++ } : values
    const written = withMoments(resource, withId, path, now)
    return { path, values: resource.remembers?.(written, toTimestamp(now)) ?? written }
  })
  // Rows stand in this order anyway; records that arrive in it are appended and not wedged in.
  const by = resource.order?.newestFirst ? resource.order.by! : undefined
  const sorted = by === undefined ? identified : identified.toSorted((one, other) => compare(one, other, by))
  for (const { path, values } of sorted) {
    checkKeys(resource, values, path)
    try {
      table.insert(values)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      const [flaw] = error.flaws
      throw new FixtureError({ ...flaw!, path: `${path}.${flaw!.path}` })
    }
  }
}

function compare(one: Entry, other: Entry, by: string): number {
  const left = String(one.values[by] ?? '~')
  const right = String(other.values[by] ?? '~')
  return left < right ? -1 : left > right ? 1 : 0
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

function checkKeys(resource: Resource, values: WireRecord, path: string): void {
  if (resource.presents === 'all') return
  const known = resource.attributes.shape
  for (const key in values) {
    if (Object.hasOwn(known, key) || (resource.plural === 'pipelines' && key === 'blocks')) continue
    refuse(`${path}.${key}`, `one of ${Object.keys(known).join(', ')}`, values[key])
  }
}

function readCustom(fixture: Fixture): { resource: Resource; entries: Entry[] }[] {
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

function isKeyedByUuid(entries: readonly Entry[]): boolean {
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
    if (!Number.isSafeInteger(nextId) || nextId < 1)
      refuse(`$.next_ids.${plural}`, 'a positive integer', nextId)
    const table = model.table(plural)
    table.nextId = Math.max(nextId, table.nextId)
  }
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new FixtureError({ path, expected, found: value === undefined ? 'nothing' : quote(value) })
}
