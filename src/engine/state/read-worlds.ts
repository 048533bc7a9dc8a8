import { readSwitches } from '../../assumptions/switches.ts'
import { toFixture } from '../../factories/export.ts'
import type { LoadedFixture } from '../../factories/fixture.ts'
import type { ModelState } from '../../factories/model.ts'
import type { Store } from '../../factories/store.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { limits } from '../../wire/limits.ts'
import { doAtOnce } from '../../wire/slices.ts'
import { UnderstudyError } from '../../wire/understudy-error.ts'
import type { Fault } from '../faults/fault.ts'
import { createWorldStart, loadRecords, type WorldSettings, type WorldStart } from '../worlds/world-start.ts'
import type { KeptWorld } from '../worlds/world-state.ts'
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
  most: number,
): Generator<undefined, KeptWorlds, undefined> {
  try {
    return yield* new WorldsReader(document, settings).read(most)
  } catch (error) {
    // What is refused is wrong with the state; anything else is a defect of ours.
    if (error instanceof StateError || !(error instanceof UnderstudyError)) throw error
    throw new StateError('invalid', error.detail)
  }
}

type Loaded = LoadedFixture

class WorldsReader {
  readonly #document: StateDocument
  readonly #settings: WorldSettings
  readonly #pieces: ReadonlyMap<number, readonly WireRecord[]>
  readonly #tables: ReadonlyMap<number, TableEntry>
  readonly #starts = new Map<number, WorldStart>()
  /** What tables have been loaded together, and each table by itself: worlds that had it in common have it again. */
  readonly #loaded = new Map<string, Loaded>()
  readonly #stores = new Map<number, Store>()

  constructor(document: StateDocument, settings: WorldSettings) {
    this.#document = document
    this.#settings = settings
    this.#pieces = toMap(document.records, 'records', ({ id, records }) => [id, records])
    this.#tables = toMap(document.tables, 'tables', (table) => [table.id, table])
  }

  *read(most: number): Generator<undefined, KeptWorlds, undefined> {
    const { starts, worlds, uses, laterStart } = this.#document
    for (const start of starts) {
      const loaded = this.#load(start.tables, start.apiKeys, 0)
      this.#starts.set(start.id, createWorldStart(loaded, start.clock ?? undefined))
      yield
    }
    const entries = toMap(worlds, 'worlds', (world) => [world.name, world])
    const [first, ...others] = uses
    if (first?.name !== mainWorld || uses.length !== worlds.length)
      broken('uses', 'main, then all other worlds')
    const tooMany = others.slice(0, Math.max(0, others.length - most))
    const kept: KeptWorld[] = []
    for (const { name, requests } of [first!, ...others.slice(tooMany.length)]) {
      kept.push({ name, requests, state: this.#readWorld(name, entries.get(name)) })
      yield
    }
    return {
      laterStart: this.#startOf(laterStart),
      worlds: kept,
      tooMany: tooMany.map(({ name }) => name),
    }
  }

  #readWorld(name: string, entry: WorldEntry | undefined): KeptWorld['state'] {
    if (entry === undefined) broken(`worlds.${name}`, 'a world of that name')
    if (refuseName(name) !== undefined) broken('worlds', 'names of worlds')
    const start = this.#startOf(entry.start)
    const { now } = entry.clock
    const load = (origin: WorldStart, tables: readonly number[]) =>
      this.#load(tables, origin.apiKeys, now).state
    const origin = this.#startOf(entry.origin)
    if (entry.snapshots.length > limits.snapshots) {
      broken(`worlds.${name}.snapshots`, `at most ${limits.snapshots} snapshots`)
    }
    return {
      start,
      origin,
      state: load(origin, entry.tables),
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
      snapshots: toMap(
        entry.snapshots,
        `worlds.${name}.snapshots`,
        ({ name, frozenAt, tables, ...snapshot }) => {
          const origin = this.#startOf(snapshot.origin)
          return [name, { origin, state: load(origin, tables), frozenAt: frozenAt ?? undefined }]
        },
      ),
    }
  }

  #startOf(id: number): WorldStart {
    return this.#starts.get(id) ?? broken('starts', `a start ${id}`)
  }

  /** Loads tables that belong together, as a fixture is loaded. */
  #load(ids: readonly number[], apiKeys: readonly string[], now: number): Loaded {
    const name = JSON.stringify([ids, apiKeys])
    const before = this.#loaded.get(name)
    if (before !== undefined) return before
    const entries = ids.map((id) => this.#tables.get(id) ?? broken('tables', `a table ${id}`))
    if (new Set(entries.map(({ resource }) => resource)).size < ids.length)
      broken('tables', 'one table of a kind')
    const tables = entries.map((entry) => ({ ...entry, records: this.#recordsOf(entry) }))
    const loaded = doAtOnce(loadRecords(toFixture(tables, apiKeys), this.#settings, { now: () => now }))
    const shared = { ...loaded, state: { ...loaded.state, stores: this.#share(entries, loaded.state) } }
    this.#loaded.set(name, shared)
    return shared
  }

  #recordsOf({ id, pieces }: TableEntry): WireRecord[] {
    // A few bytes that name the same piece again and again would become any number of records.
    if (new Set(pieces).size < pieces.length) broken(`tables.${id}`, 'each piece once')
    return pieces.flatMap((piece) => this.#pieces.get(piece) ?? broken(`tables.${id}`, `a piece ${piece}`))
  }

  #share(entries: readonly TableEntry[], { stores }: ModelState): ModelState['stores'] {
    const shared = new Map(stores)
    for (const { id, resource } of entries) {
      const store = this.#stores.get(id) ?? stores.get(resource)!
      this.#stores.set(id, store)
      shared.set(resource, store)
    }
    return shared
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
