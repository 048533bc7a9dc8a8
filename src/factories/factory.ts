import * as z from 'zod/mini'
import type { Resource, Trait, WireRecord } from '../resources/resource.ts'
import { traitsOf } from '../resources/traits.ts'
import { suggest } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { required, textOf } from '../shared/values.ts'
import type { Model } from './model.ts'
import { refuseUnknown } from './validate.ts'

/**
 * Creates records of one resource. It fills in omitted attributes and parents. A record exists when the promise resolves,
 * and an unknown trait or attribute rejects it.
 */
export interface Factory<Values, Created, TraitName extends string> {
  /**
   * Creates one record. Without a parent, it belongs to the last parent that has room; the reference in the returned
   * record names it: `pipeline_uuid`. If there is no parent, the factory creates one.
   *
   * @throws UnderstudyError if a trait or an attribute is unknown, a value is invalid, or a reference has no record.
   * @example
   * await understudy.factories.backfill.create({ status: 'running' })
   */
  create(values?: Values): Promise<Created>
  /** Creates several records, or none if one is invalid. Values may depend on the position, from 0. */
  createMany(count: number, values?: Values | ((index: number) => Values)): Promise<Created[]>
  /**
   * Returns the same factory with named traits.
   *
   * @example
   * await understudy.factories.pipeline.with('withBlocks', 'withRuns').create()
   */
  with(...names: TraitName[]): Factory<Values, Created, TraitName>
}

/** A factory for records with any attributes. */
export type AnyFactory = Factory<WireRecord, WireRecord, string>

/** Creates a record with traits. */
export function makeRecord(
  model: Model,
  resource: Resource,
  names: readonly string[],
  values: WireRecord,
): WireRecord {
  refuseUnknown(resource, values, 'create')
  const chosen = names.map((name) => findTrait(resource, name))
  const given: WireRecord = Object.assign({}, ...chosen.map((trait) => trait.values), structuredClone(values))
  const table = model.table(resource.plural)
  const record = table.insert({ ...fill(model, resource, given), ...given })
  for (const trait of chosen) trait.after?.(record, model)
  return table.get(table.keyOf(record)) ?? record
}

/** Creates several records with traits, or none if one is invalid. */
export function makeRecords(
  model: Model,
  resource: Resource,
  names: readonly string[],
  count: number,
  values: WireRecord | ((index: number) => WireRecord),
): WireRecord[] {
  const before = model.state()
  try {
    return Array.from({ length: count }, (_, index) =>
      makeRecord(model, resource, names, typeof values === 'function' ? values(index) : values),
    )
  } catch (error) {
    model.restore(before)
    throw error
  }
}

function findTrait(resource: Resource, name: string): Trait {
  const traits = traitsOf(resource)
  const trait = Object.hasOwn(traits, name) ? traits[name] : undefined
  if (trait !== undefined) return trait
  const known = Object.keys(traits)
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    `A ${resource.singular} has no trait ${JSON.stringify(name)}; it has ${known.join(', ') || 'none'}.${suggest(name, known)}`,
  )
}

/** Returns the omitted values that the schema has no default for: a name, parents, and the factory defaults. */
function fill(model: Model, resource: Resource, given: WireRecord): WireRecord {
  const { singular, plural, key, displayName, references = {}, factoryDefaults } = resource
  const number = model.table(plural).nextId
  const filled: Record<string, unknown> = {}
  // The name of a record is its key, if that is a text.
  if (displayName !== undefined && (key === 'id' || given[key] === undefined)) {
    filled[displayName] = `${singular} ${number}`
  }
  Object.assign(filled, factoryDefaults?.(given, model, number))
  for (const attribute of Object.keys(references)) {
    if (given[attribute] !== undefined || !isRequired(resource, attribute)) continue
    filled[attribute] =
      sharedValue(model, resource, attribute, given) ??
      parentKey(model, resource, attribute, { ...filled, ...given })
  }
  return filled
}

/** Reports whether a record must have an attribute. */
function isRequired({ attributes }: Resource, attribute: string): boolean {
  return !z.safeParse(required(attributes.shape[attribute], `the attribute ${attribute}`), null).success
}

/** Returns the value that a record shares with a given parent. */
function sharedValue(model: Model, resource: Resource, attribute: string, given: WireRecord): unknown {
  if (attribute !== resource.sharesWithParents) return undefined
  for (const [reference, { plural }] of Object.entries(resource.references ?? {})) {
    const parent =
      given[reference] === undefined ? undefined : model.table(plural).get(textOf(given[reference]))
    if (parent?.[attribute] !== undefined) return parent[attribute]
  }
  return undefined
}

/** Returns the key of the last parent that has room, or of a new one. */
function parentKey(model: Model, child: Resource, attribute: string, values: WireRecord) {
  const { references, sharesWithParents: shares } = child
  const table = model.table(required(references?.[attribute], `the reference ${attribute}`).plural)
  const { resource } = table
  const isShared = shares !== undefined && Object.hasOwn(resource.attributes.shape, shares)
  const shared: WireRecord = isShared ? { [shares]: values[shares] } : {}
  const existing = isShared
    ? table.last(shares, values[shares])
    : table.records().findLast((each) => !model.isFull(child, attribute, each[resource.key]))
  const record = existing ?? table.insert({ ...fill(model, resource, shared), ...shared })
  return record[resource.key]
}
