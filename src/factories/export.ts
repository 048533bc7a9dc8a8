import { resources as builtIn } from '../resources/index.ts'
import type { WireRecord } from '../resources/resource.ts'
import { toMilliseconds } from '../wire/timestamps.ts'
import type { Fixture } from './fixture.ts'
import type { Model } from './model.ts'

/** Writes a model out as a fixture; reading that fixture gives the same model, next ids and all. */
export function exportFixture(model: Model, apiKeys: readonly string[]): Fixture {
  const fixture: Record<string, unknown> = {
    clock: new Date(toMilliseconds(model.now())).toISOString(),
    api_keys: [...apiKeys],
  }
  const custom: Record<string, readonly WireRecord[]> = {}
  const customKeys: Record<string, 'uuid'> = {}
  const nextIds: Record<string, number> = {}
  for (const resource of model.resources) {
    if (resource.stored === false) continue
    const table = model.table(resource.plural)
    nextIds[resource.plural] = table.nextId
    const copies = structuredClone(table.records())
    // By their names: a profile has resources of its own for those of the document.
    const isCustom = builtIn.every(({ plural }) => plural !== resource.plural)
    if (isCustom) custom[resource.plural] = copies
    else fixture[resource.plural] = copies
    if (isCustom && resource.key === 'uuid') customKeys[resource.plural] = 'uuid'
  }
  return { ...fixture, custom, custom_keys: customKeys, next_ids: nextIds } as Fixture
}
