import { isPromise } from '../../shared/built-ins.ts'
import type { Slices } from '../../shared/slices.ts'
import { version } from '../../shared/version.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import type { WorldStart } from '../worlds/world-start.ts'
import type { Snapshot } from '../worlds/world-state.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import type { SnapshotEntry, StartEntry, StateDocument, WorldEntry } from './state-format.ts'
import { stateFormat, stateVersion } from './state-format.ts'
import { joinLines, type StateLine, toLine } from './state-lines.ts'
import { type KeptTable, TableWriter } from './table-writer.ts'

/** What is written of an understudy beside its worlds. */
export type StateOrigin = Pick<StateDocument, 'seeds' | 'fixture' | 'clock' | 'profile' | 'faults'>

/** Something that has been written, the tables it names, and its line. */
interface WrittenPart {
  readonly line: StateLine
  readonly tables: readonly KeptTable[]
}

interface WrittenWorld extends WrittenPart {
  readonly world: WorldInstance
  readonly revision: number
  readonly starts: readonly WrittenStart[]
}

interface WrittenStart extends WrittenPart {
  readonly id: number
}

/** What worlds were at a moment: records are immutable, so it is lists of references. */
export interface StateMoment {
  readonly members: Omit<StateDocument, 'records' | 'tables' | 'starts' | 'worlds' | 'checksum'>
  readonly starts: readonly WrittenStart[]
  readonly worlds: readonly WrittenWorld[]
}

/** Writes the state of an understudy again and again: what has not changed meanwhile is written as it was before. */
export class StateWriter {
  readonly #worlds: WorldMap
  readonly #origin: StateOrigin
  readonly #tables = new TableWriter()
  readonly #startsWritten = new WeakMap<WorldStart, WrittenStart>()
  readonly #worldsWritten = new WeakMap<WorldInstance, WrittenWorld>()
  #nextStart = 0

  constructor(worlds: WorldMap, origin: StateOrigin) {
    this.#worlds = worlds
    this.#origin = origin
  }

  /** How many bytes of records have been made into text so far, since they had changed. */
  get made(): number {
    return this.#tables.made
  }

  /** Looks at all worlds at once: work that is under way in one is done first. */
  look(): StateMoment {
    const savedAt = new Date().toISOString()
    return this.#toMoment(
      savedAt,
      this.#stored().map((world) => this.#lookAt(world)),
    )
  }

  /** Looks at each world when it is at rest, which may be later than the moment that the state is said to be of. */
  async lookInTurn(): Promise<StateMoment> {
    const savedAt = new Date().toISOString()
    const looks = this.#stored().map((world) => world.turns.after(() => this.#lookAt(world)))
    // `some` narrows nothing: where it finds no promise, there is none.
    const worlds = looks.some(isPromise) ? await Promise.all(looks) : (looks as WrittenWorld[])
    const present = new Set(this.#worlds.all())
    return this.#toMoment(
      savedAt,
      worlds.filter(({ world }) => present.has(world)),
    )
  }

  /** Worlds with a profile or a faulty variant of their own are not stored yet. */
  #stored(): WorldInstance[] {
    return [...this.#worlds.all()].filter(({ settings }) => settings === this.#worlds.main.settings)
  }

  #toMoment(savedAt: string, worlds: readonly WrittenWorld[]): StateMoment {
    const names = new Set(worlds.map(({ world }) => world.name))
    const later = this.#startOf(this.#worlds.laterStart)
    const starts = new Set([later, ...worlds.flatMap((world) => world.starts)])
    return {
      members: {
        format: stateFormat,
        version: stateVersion,
        savedAt,
        savedBy: version,
        ...this.#origin,
        laterStart: later.id,
        uses: this.#worlds.uses().filter(({ name }) => names.has(name)),
      },
      starts: [...starts],
      worlds,
    }
  }

  /** Writes what was looked at, in pieces that follow one another. */
  *write({ members, starts, worlds }: StateMoment): Slices<Uint8Array<ArrayBuffer>[]> {
    const tables = new Set([...starts, ...worlds].flatMap((written) => written.tables))
    const pieces = new Set<StateLine>()
    const lines: StateLine[] = []
    for (const table of tables) {
      const written = yield* this.#tables.write(table)
      for (const piece of written.pieces) pieces.add(piece)
      lines.push(written.line)
    }
    this.#tables.keepOnly(pieces)
    return joinLines(members, {
      records: [...pieces],
      tables: lines,
      starts: starts.map(({ line }) => line),
      worlds: worlds.map(({ line }) => line),
    })
  }

  #lookAt(world: WorldInstance): WrittenWorld {
    const before = this.#worldsWritten.get(world)
    const { revision } = world
    if (before?.revision === revision) return before
    const { start, origin, clock, switches, faults, stores, snapshots } = world.look()
    const present = this.#tables.lookAt(stores, origin.resources)
    const kept = [...snapshots].map(([name, snapshot]) => this.#lookAtSnapshot(name, snapshot))
    const initial: Readonly<Record<string, unknown>> = world.settings.switches
    const entry: WorldEntry = {
      name: world.name,
      start: this.#startOf(start).id,
      origin: this.#startOf(origin).id,
      clock: { ...clock, start: clock.start ?? null, frozenAt: clock.frozenAt ?? null },
      // What a world begins with is an option, and may be another next time.
      switches: Object.fromEntries(Object.entries(switches).filter(([id, value]) => value !== initial[id])),
      faults: {
        added: faults.added,
        active: faults.active.map(({ fault, ...state }) => ({ ...state, fault: { ...fault } })),
      },
      tables: present.map(({ id }) => id),
      snapshots: kept.map(({ entry: snapshot }) => snapshot),
    }
    const written = {
      world,
      revision,
      starts: [...new Set([start, origin, ...kept.map((snapshot) => snapshot.origin)])].map((each) =>
        this.#startOf(each),
      ),
      tables: [...present, ...kept.flatMap(({ tables }) => tables)],
      line: toLine(JSON.stringify(entry)),
    }
    this.#worldsWritten.set(world, written)
    return written
  }

  #lookAtSnapshot(name: string, { origin, state, frozenAt }: Snapshot) {
    const tables = this.#tables.lookAt(state.stores, origin.resources)
    const entry: SnapshotEntry = {
      name,
      origin: this.#startOf(origin).id,
      frozenAt: frozenAt ?? null,
      tables: tables.map(({ id }) => id),
    }
    return { entry, origin, tables }
  }

  #startOf(start: WorldStart): WrittenStart {
    const before = this.#startsWritten.get(start)
    if (before !== undefined) return before
    const tables = this.#tables.lookAt(start.state.stores, start.resources)
    const entry: StartEntry = {
      id: this.#nextStart++,
      clock: start.clock ?? null,
      apiKeys: [...start.apiKeys],
      tables: tables.map(({ id }) => id),
    }
    const written = { id: entry.id, tables, line: toLine(JSON.stringify(entry)) }
    this.#startsWritten.set(start, written)
    return written
  }
}
