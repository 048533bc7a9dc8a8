import { customKeyOf } from '../../factories/export.ts'
import type { Store } from '../../factories/store.ts'
import type { Resource } from '../../resources/resource.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import type { WorldStart } from '../worlds/world-start.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import {
  type StartEntry,
  type StateDocument,
  stateFormat,
  stateVersion,
  type TableEntry,
  type WorldEntry,
} from './state-document.ts'

/**
 * Writes the present state of all worlds.
 *
 * @param fixtureStart start of later worlds without an import: the fixture, which a load reads again.
 */
export function writeState(worlds: WorldMap, fixtureStart: WorldStart): StateDocument {
  const tables = new SharedEntries<Store, TableEntry>()
  const starts = new SharedEntries<WorldStart, StartEntry>()

  const indexTables = (stores: ReadonlyMap<string, Store>, resources: readonly Resource[]) =>
    [...stores].map(([plural, store]) => tables.indexOf(store, () => writeTable(plural, store, resources)))

  const indexStart = (start: WorldStart) =>
    starts.indexOf(start, () => ({
      clock: start.clock,
      apiKeys: [...start.apiKeys],
      tables: indexTables(start.state.stores, start.resources),
    }))

  function writeWorld(world: WorldInstance, requests: number): WorldEntry {
    const { start, origin, clock, switches, faults, stores, snapshots } = world.state()
    const initialSwitches: Readonly<Record<string, unknown>> = world.settings.switches
    return {
      name: world.name,
      requests,
      ...world.settings.own,
      start: indexStart(start),
      origin: indexStart(origin),
      clock,
      // The initial switches are options, which may differ at the next start.
      switches: Object.fromEntries(
        Object.entries(switches).filter(([id, value]) => value !== initialSwitches[id]),
      ),
      faults: { added: faults.added, active: [...faults.active] },
      tables: indexTables(stores, origin.resources),
      snapshots: [...snapshots].map(([name, { origin, state, frozenAt }]) => ({
        name,
        origin: indexStart(origin),
        frozenAt,
        tables: indexTables(state.stores, origin.resources),
      })),
    }
  }

  const { laterStart, settings } = worlds
  return {
    format: stateFormat,
    version: stateVersion,
    savedAt: new Date().toISOString(),
    seeds: [...settings.tokens.seeds],
    faults: [...settings.faults],
    laterStart: laterStart === fixtureStart ? undefined : indexStart(laterStart),
    worlds: Array.from(worlds.uses(), ({ world, requests }) => writeWorld(world, requests)),
    tables: tables.entries,
    starts: starts.entries,
  }
}

function writeTable(plural: string, store: Store, resources: readonly Resource[]): TableEntry {
  const resource = resources.find((candidate) => candidate.plural === plural)
  return {
    resource: plural,
    customKey: resource && customKeyOf(resource),
    nextId: store.nextId,
    records: store.rows.items.map(({ record }) => record),
  }
}

/** Lists the entries that others refer to by index: each source has one entry. */
class SharedEntries<Source extends object, Entry> {
  readonly entries: Entry[] = []
  readonly #indexes = new Map<Source, number>()

  indexOf(source: Source, write: () => Entry): number {
    const known = this.#indexes.get(source)
    if (known !== undefined) return known
    const index = this.entries.push(write()) - 1
    this.#indexes.set(source, index)
    return index
  }
}
