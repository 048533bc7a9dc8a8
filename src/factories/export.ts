import { resources as builtIn } from '../resources/index.ts'
import type { Resource, WireRecord } from '../resources/resource.ts'
import { toMilliseconds } from '../shared/timestamps.ts'
import type { Fixture } from './fixture-type.ts'
import type { Model } from './model.ts'

/** Content of a table. */
export interface TableContent {
  readonly resource: string
  /** Key attribute, if a fixture has added the resource. */
  readonly customKey?: 'id' | 'uuid' | undefined
  readonly nextId: number
  readonly records: readonly WireRecord[]
}

/**
 * Returns the key attribute of a custom resource. It compares names, because a profile has its own resources.
 */
export function customKeyOf({ plural, key }: Pick<Resource, 'plural' | 'key'>): 'id' | 'uuid' | undefined {
  if (builtIn.some((resource) => resource.plural === plural)) return undefined
  return key === 'uuid' ? 'uuid' : 'id'
}

/** Exports a model as a fixture. Loading that fixture gives an equal model, with the same next ids. */
export function exportFixture(model: Model, apiKeys: readonly string[]): Fixture {
  return structuredClone(viewAsFixture(model, apiKeys))
}

/** Returns the same with the records themselves instead of copies. Callers must not change them. */
export function viewAsFixture(model: Model, apiKeys: readonly string[]): Fixture {
  const stored = model.resources.filter((resource) => resource.stored !== false)
  const tables = stored.map((resource): TableContent => {
    const { plural } = resource
    const table = model.table(plural)
    const records = table.records()
    return { resource: plural, customKey: customKeyOf(resource), nextId: table.nextId, records }
  })
  return { clock: new Date(toMilliseconds(model.now())).toISOString(), ...toFixture(tables, apiKeys) }
}

/** Makes a fixture from the contents of tables. */
export function toFixture(tables: readonly TableContent[], apiKeys: readonly string[]): Fixture {
  const fixture: Record<string, unknown> = { api_keys: [...apiKeys] }
  const custom: Record<string, readonly WireRecord[]> = {}
  const customKeys: Record<string, 'uuid'> = {}
  const nextIds: Record<string, number> = {}
  for (const { resource, customKey, nextId, records } of tables) {
    nextIds[resource] = nextId
    if (customKey === undefined) fixture[resource] = records
    else custom[resource] = records
    if (customKey === 'uuid') customKeys[resource] = customKey
  }
  return { ...fixture, custom, custom_keys: customKeys, next_ids: nextIds } as Fixture
}
