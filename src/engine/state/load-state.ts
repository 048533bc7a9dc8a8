import { readSwitches } from '../../assumptions/switches.ts'
import { toFixture } from '../../factories/export.ts'
import type { LoadedFixture } from '../../factories/fixture.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import type { ModelState } from '../../factories/model.ts'
import { countBytes, type Store } from '../../factories/store.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { settingsOf, type WorldSettings } from '../worlds/world-settings.ts'
import { createWorldStart, loadRecords, type WorldStart } from '../worlds/world-start.ts'
import type { StoredWorld } from '../worlds/world-state.ts'
import { type StateDocument, UnusableState, type WorldEntry } from './state-document.ts'

export interface LoadedState extends Pick<StateDocument, 'savedAt' | 'seeds' | 'faults'> {
  readonly laterStart: WorldStart | undefined
  /** `main` first, then the least recently used. */
  readonly worlds: readonly StoredWorld[]
  /** Reasons for omitted worlds: their profile or faulty variant is missing now. */
  readonly leftOut: readonly string[]
}

/**
 * Loads the worlds of a state. Checks each record like a record of a fixture.
 *
 * @throws UnusableState where a record, a switch or an index is invalid.
 */
export function loadState(document: StateDocument, settings: WorldSettings): LoadedState {
  try {
    return loadWorlds(document, settings)
  } catch (error) {
    // Any other error is a defect of this package, and not of the state.
    if (error instanceof UnderstudyError) throw new UnusableState('damaged', error.detail)
    throw error
  }
}

function loadWorlds(document: StateDocument, settings: WorldSettings): LoadedState {
  const loaded = new Map<string, LoadedFixture>()
  const stores = new Map<number, Store>()
  const counted = new Set<Store>()

  function countNew({ stores }: ModelState): number {
    const added = [...stores.values()].filter((store) => !counted.has(store))
    for (const store of added) counted.add(store)
    return added.reduce((sum, store) => sum + countBytes(store), 0)
  }

  function load(
    tables: readonly number[],
    apiKeys: readonly string[],
    now: number,
    settings: WorldSettings,
  ): LoadedFixture {
    const key = JSON.stringify([tables, apiKeys, settings.profile?.name])
    const known = loaded.get(key)
    if (known !== undefined) return known
    const entries = tables.map((index) => entryAt(document.tables, index))
    const fixture = toFixture(entries, apiKeys)
    giveFixture(fixture)
    const read = loadRecords(fixture, settings, { now: () => now })
    // Worlds that shared a table share it again.
    const shared = tables.map((index): [string, Store] => {
      const { resource } = entryAt(document.tables, index)
      const store = stores.get(index) ?? read.state.stores.get(resource)
      if (store === undefined) throw new UnusableState('damaged', `It has an unknown resource: ${resource}.`)
      stores.set(index, store)
      return [resource, store]
    })
    const state: ModelState = { ...read.state, stores: new Map([...read.state.stores, ...shared]) }
    const result = { ...read, state }
    loaded.set(key, result)
    return result
  }

  // Worlds with the same start have the same profile.
  const starts = new Map<number, WorldStart>()
  function startAt(index: number, settings: WorldSettings): WorldStart {
    const { tables, apiKeys, clock } = entryAt(document.starts, index)
    const start = starts.get(index) ?? createWorldStart(load(tables, apiKeys, 0, settings), clock)
    starts.set(index, start)
    return start
  }

  function loadWorld(entry: WorldEntry, settings: WorldSettings): StoredWorld {
    const loadTables = (tables: readonly number[], origin: WorldStart) =>
      load(tables, origin.apiKeys, entry.clock.now, settings).state
    const origin = startAt(entry.origin, settings)
    const records = loadTables(entry.tables, origin)
    const snapshots = entry.snapshots.map(({ name, origin: index, frozenAt, tables }) => {
      const origin = startAt(index, settings)
      return [name, { origin, frozenAt, state: loadTables(tables, origin) }] as const
    })
    return {
      name: entry.name,
      requests: entry.requests,
      settings,
      state: {
        start: startAt(entry.start, settings),
        origin,
        // Worlds that share a table count it once.
        records: { ...records, size: countNew(records) },
        clock: entry.clock,
        switches: readSwitches({ ...settings.switches, ...entry.switches }),
        faults: entry.faults,
        snapshots: new Map(snapshots),
      },
    }
  }

  const { savedAt, seeds, faults, laterStart } = document
  const worlds: StoredWorld[] = []
  const leftOut: string[] = []
  for (const entry of document.worlds) {
    const own = findSettings(entry, settings)
    if (typeof own === 'string') leftOut.push(own)
    else worlds.push(loadWorld(entry, own))
  }
  return {
    savedAt,
    seeds,
    faults,
    laterStart: laterStart === undefined ? undefined : startAt(laterStart, settings),
    worlds,
    leftOut,
  }
}

function findSettings(entry: WorldEntry, settings: WorldSettings): WorldSettings | string {
  try {
    return settingsOf(entry, settings)
  } catch (error) {
    if (error instanceof UnderstudyError) return `The world ${entry.name} is left out. ${error.detail}`
    throw error
  }
}

function entryAt<Entry>(entries: readonly Entry[], index: number): Entry {
  const entry = entries[index]
  if (entry === undefined)
    throw new UnusableState('damaged', `It refers to entry ${index}, which is missing.`)
  return entry
}
