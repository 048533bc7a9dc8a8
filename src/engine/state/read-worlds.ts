import { readSwitches } from '../../assumptions/switches.ts'
import { toFixture } from '../../factories/export.ts'
import type { LoadedFixture } from '../../factories/fixture.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import type { Store } from '../../factories/store.ts'
import type { WireRecord } from '../../resources/resource.ts'
import * as limits from '../../shared/limits.ts'
import type { Slices } from '../../shared/slices.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { Fault } from '../faults/fault.ts'
import { createWorldStart, loadRecords, type WorldSettings, type WorldStart } from '../worlds/world-start.ts'
import type { KeptWorld, Snapshot } from '../worlds/world-state.ts'
import { mainWorld, refuseName } from '../worlds/worlds.ts'
import { type StateDocument, StateError, type TableEntry, type WorldEntry } from './state-format.ts'

/** What a state holds. */
export interface KeptWorlds {
  readonly laterStart: WorldStart
  /** `main` first, then the least recently used. */
  readonly worlds: readonly KeptWorld[]
  /** The worlds that are more than there may be. */
  readonly tooMany: readonly string[]
}

/**
 * Reads the worlds of a state, each record held against its resource as those of a fixture are.
 *
 * @throws StateError
 */
export function* readWorlds(
  document: StateDocument,
  settings: WorldSettings,
  options: ReadOptions,
): Slices<KeptWorlds> {
  try {
    return yield* new WorldsReader(document, settings, options).read()
  } catch (error) {
    // What is refused is wrong with the state; anything else is a defect of ours.
    if (error instanceof StateError || !(error instanceof UnderstudyError)) throw error
    throw new StateError('invalid', error.detail)
  }
}

interface ReadOptions {
  /** How many worlds there may be beside `main`. */
  readonly most: number
  /** How many ids may have been given in a table since the state was written. */
  readonly lostIds: number
}

class WorldsReader {
  readonly #document: StateDocument
  readonly #settings: WorldSettings
  readonly #options: ReadOptions
  readonly #pieces: ReadonlyMap<number, readonly WireRecord[]>
  readonly #tables: ReadonlyMap<number, TableEntry>
  readonly #starts = new Map<number, WorldStart>()
  /** What tables have been loaded together, and each table by itself: worlds that had it in common have it again. */
  readonly #loaded = new Map<string, LoadedFixture>()
  readonly #stores = new Map<string, Store>()
  /** The records as they are kept, by what was read: what stands in several tables is one record again. */
  readonly #records = new WeakMap<WireRecord, WireRecord>()

  constructor(document: StateDocument, settings: WorldSettings, options: ReadOptions) {
    this.#document = document
    this.#settings = settings
    this.#options = options
    this.#pieces = toMap(document.records, 'records', ({ id, records }) => [id, records])
    this.#tables = toMap(document.tables, 'tables', (table) => [table.id, table])
  }

  *read(): Slices<KeptWorlds> {
    const { most } = this.#options
    const { starts, worlds, uses, laterStart } = this.#document
    for (const start of starts) {
      const loaded = yield* this.#load(start.tables, start.apiKeys, { now: 0, lostIds: 0 })
      this.#starts.set(start.id, createWorldStart(loaded, start.clock ?? undefined))
      yield
    }
    const entries = toMap(worlds, 'worlds', (world) => [world.name, world])
    const [first, ...others] = uses
    if (first?.name !== mainWorld || uses.length !== worlds.length)
      broken('uses', 'main, then all other worlds')
    const tooMany = others.slice(0, Math.max(0, others.length - most))
    const kept: KeptWorld[] = []
    for (const { name, requests } of [first, ...others.slice(tooMany.length)]) {
      kept.push({ name, requests, state: yield* this.#readWorld(name, entries.get(name)) })
    }
    return {
      laterStart: this.#startOf(laterStart),
      worlds: kept,
      tooMany: tooMany.map(({ name }) => name),
    }
  }

  *#readWorld(name: string, entry: WorldEntry | undefined): Slices<KeptWorld['state']> {
    if (entry === undefined) broken(`worlds.${name}`, 'a world of that name')
    if (refuseName(name) !== undefined) broken('worlds', 'names of worlds')
    const start = this.#startOf(entry.start)
    const { now } = entry.clock
    const { lostIds } = this.#options
    const origin = this.#startOf(entry.origin)
    if (entry.snapshots.length > limits.snapshots) {
      broken(`worlds.${name}.snapshots`, `at most ${limits.snapshots} snapshots`)
    }
    const snapshots: [name: string, snapshot: Snapshot][] = []
    for (const { name, frozenAt, tables, ...snapshot } of entry.snapshots) {
      const origin = this.#startOf(snapshot.origin)
      const { state } = yield* this.#load(tables, origin.apiKeys, { now, lostIds })
      snapshots.push([name, { origin, state, frozenAt: frozenAt ?? undefined }])
    }
    const { state } = yield* this.#load(entry.tables, origin.apiKeys, { now, lostIds })
    return {
      start,
      origin,
      state,
      clock: {
        ...entry.clock,
        start: entry.clock.start ?? undefined,
        frozenAt: entry.clock.frozenAt ?? undefined,
      },
      switches: readSwitches({ ...this.#settings.switches, ...entry.switches }),
      faults: {
        added: entry.faults.added,
        // What a fault may be is checked where it is added.
        active: entry.faults.active.map(({ fault, ...state }) => ({ ...state, fault: fault as Fault })),
      },
      snapshots: toMap(snapshots, `worlds.${name}.snapshots`, (pair) => pair),
    }
  }

  #startOf(id: number): WorldStart {
    return this.#starts.get(id) ?? broken('starts', `a start ${id}`)
  }

  /** Loads tables that belong together, as a fixture is loaded. */
  *#load(
    ids: readonly number[],
    apiKeys: readonly string[],
    { now, lostIds }: { readonly now: number; readonly lostIds: number },
  ): Slices<LoadedFixture> {
    const name = JSON.stringify([ids, apiKeys, lostIds])
    const before = this.#loaded.get(name)
    if (before !== undefined) return before
    const entries = ids.map((id) => this.#tables.get(id) ?? broken('tables', `a table ${id}`))
    if (new Set(entries.map(({ resource }) => resource)).size < ids.length)
      broken('tables', 'one table of a kind')
    const tables = entries.map((entry) => ({
      ...entry,
      nextId: lostIds === 0 ? entry.nextId : Math.min(entry.nextId + lostIds, limits.nextId),
      records: this.#recordsOf(entry),
    }))
    const fixture = toFixture(tables, apiKeys)
    giveFixture(fixture)
    const loaded = yield* loadRecords(fixture, this.#settings, { now: () => now })
    const stores = new Map(loaded.state.stores)
    for (const { id, resource, records } of tables) {
      const table = `${id}+${lostIds}`
      // What was loaded has a store of each table that is written.
      const read = stores.get(resource) ?? broken(`tables.${id}.resource`, 'the name of a resource')
      const store = this.#stores.get(table) ?? (yield* this.#share(read, records))
      this.#stores.set(table, store)
      stores.set(resource, store)
    }
    const shared = { ...loaded, state: { ...loaded.state, stores } }
    this.#loaded.set(name, shared)
    return shared
  }

  /** Puts records that another table has, too, in the place of those that were made of the same. */
  *#share(store: Store, read: readonly WireRecord[]): Slices<Store> {
    for (const record of read) {
      yield
      const row = store.rowOf(record)
      if (row === undefined) continue
      const known = this.#records.get(record)
      if (known === undefined) this.#records.set(record, row.record)
      else row.record = known
    }
    return store
  }

  #recordsOf({ id, pieces }: TableEntry): WireRecord[] {
    // A few bytes that name the same piece again and again would become any number of records.
    if (new Set(pieces).size < pieces.length) broken(`tables.${id}`, 'each piece once')
    return pieces.flatMap((piece) => this.#pieces.get(piece) ?? broken(`tables.${id}`, `a piece ${piece}`))
  }
}

function toMap<Entry, Key, Value>(
  entries: readonly Entry[],
  where: string,
  toPair: (entry: Entry) => [Key, Value],
): Map<Key, Value> {
  const map = new Map(entries.map(toPair))
  return map.size === entries.length ? map : broken(where, 'each once')
}

function broken(where: string, expected: string): never {
  throw new StateError('invalid', `It is broken at $.${where}: expected ${expected}; found something else.`)
}
