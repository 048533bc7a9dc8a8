import { defineCustomResource } from '../resources/custom-resource.ts'
import { resources as builtIn } from '../resources/index.ts'
import type { FixtureEntry, FixtureForm, Resource, WireRecord } from '../resources/resource.ts'
import { singularOf } from '../resources/singular-of.ts'
import type { Flaw } from '../shared/issues.ts'
import { isObject, required } from '../shared/values.ts'
import { gather, refuse } from './fixture-error.ts'
import type { Fixture } from './fixture-type.ts'

/** Returns the entries of a resource, including nested ones. */
export function readRecords(fixture: Fixture, resource: Resource, flaws: Flaw[]): readonly FixtureEntry[] {
  const entries = toEntries(fixture[resource.plural], `$.${resource.plural}`, flaws)
  const { nested, link } = resource.fixture ?? {}
  const all = nested ? readNested(fixture, resource, nested, flaws, entries) : entries
  return link ? link(all, refuse) : all
}

/** Returns entries, each followed by its nested ones. */
function readNested(
  fixture: Fixture,
  { references }: Resource,
  { reference, under, at }: NonNullable<FixtureForm['nested']>,
  flaws: Flaw[],
  entries: readonly FixtureEntry[],
): FixtureEntry[] {
  const { plural } = required(references?.[reference], `the reference ${reference}`)
  const all = [...entries]
  const owner = required(
    builtIn.find((candidate) => candidate.plural === plural),
    `the resource ${plural}`,
  )
  // Reading the owners reports their flaws.
  for (const { path, values } of toEntries(fixture[plural], `$.${plural}`, [])) {
    const key = keyOf(owner, values)
    const inside = toEntries(values[under], `${path}.${under}`, flaws)
    for (const [index, entry] of inside.entries())
      all.push({ path: entry.path, values: { ...at(index), ...entry.values, [reference]: key } })
  }
  return all
}

/** Returns the key that a record of a fixture will have. */
function keyOf(resource: Resource, values: WireRecord): unknown {
  return values[resource.key] ?? resource.complete?.(values, { id: 0, now: '', seed: 0 })[resource.key]
}

/** Returns the resources whose records a record of this one may contain, by the attribute that holds them. */
export function nestedIn({ plural }: Resource): [under: string, inner: Resource][] {
  return builtIn.flatMap((inner): [string, Resource][] => {
    const { nested } = inner.fixture ?? {}
    const isOwn = nested !== undefined && inner.references?.[nested.reference]?.plural === plural
    return isOwn ? [[nested.under, inner]] : []
  })
}

/** Returns the records of a list, and adds a flaw for each item that is not a record. */
function toEntries(list: unknown, path: string, flaws: Flaw[]): FixtureEntry[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) {
    gather(flaws, () => refuse(path, 'a list of records', list))
    return []
  }
  const entries: FixtureEntry[] = []
  for (const [index, values] of list.entries()) {
    const at = `${path}[${index}]`
    if (isObject(values)) entries.push({ path: at, values })
    else gather(flaws, () => refuse(at, 'an object', values))
  }
  return entries
}

/** The resources that a fixture adds, and their records. */
export function readCustom(
  fixture: Fixture,
  flaws: Flaw[],
): { resource: Resource; entries: FixtureEntry[] }[] {
  const { custom } = fixture
  if (custom === undefined) return []
  if (!isObject(custom)) refuse('$.custom', 'an object of lists', custom)
  const added: { resource: Resource; entries: FixtureEntry[] }[] = []
  for (const [plural, list] of Object.entries(custom)) {
    const path = `$.custom.${plural}`
    // The only lower-case name that every object has.
    if (!/^(?!constructors?$)[a-z][a-z0-9_]*$/.test(plural))
      refuse(path, 'a plural name in lower case, such as projects', plural)
    // A reply contains these besides the records, so they cannot be plurals.
    const isPart = plural === 'metadata' || singularOf(plural) === 'error'
    if (isPart || builtIn.some((resource) => resource.plural === plural))
      refuse(path, 'a name that the specification does not use', plural)
    const entries = toEntries(list, path, flaws)
    const key = fixture.custom_keys?.[plural] === 'uuid' || isKeyedByUuid(entries) ? 'uuid' : 'id'
    added.push({ resource: defineCustomResource(plural, key), entries })
  }
  return added
}

function isKeyedByUuid(entries: readonly FixtureEntry[]): boolean {
  return (
    entries.length > 0 &&
    entries.every(({ values }) => typeof values.uuid === 'string' && values.id === undefined)
  )
}
