import { readSwitches } from '../../assumptions/switches.ts'
import { viewAsFixture } from '../../factories/export.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { Model } from '../../factories/model.ts'
import type { Profile } from '../../profiles/define-profile.ts'
import type { Slices } from '../../shared/slices.ts'
import type { Understudy } from '../create-understudy.ts'
import { doInSlices, type TurnTaking, Work } from './turns.ts'
import type { WorldInstance } from './world-instance.ts'
import { readWorldStart, type WorldSettings, type WorldStart } from './world-start.ts'
import { WorldMap } from './worlds.ts'

/** How often worlds that are written to meanwhile are read again, before they wait for the rest. */
const rounds = 3

/** One profile is taken after the other: two that hold worlds would wait for each other. */
const lastTaken = new WeakMap<WorldMap, Promise<void>>()

/** What a world holds, read as the server has it, and at which moment of the world. */
interface WorldReading {
  readonly revision: number
  /** `undefined` where it holds what it began with. */
  readonly present: WorldStart | undefined
}

/**
 * Takes the ways of a real server, or those of the document, in every world: what worlds begin with and what they hold is
 * read again as the server has it, in slices, and then taken by all at once. Nobody is at work in any of them then: what is
 * asked meanwhile waits. Where a record is none by it, nothing has changed.
 */
export function takeProfile(understudy: Understudy, profile: Profile | undefined): Promise<void> {
  const worlds = worldMapOf(understudy)
  const before = lastTaken.get(worlds) ?? Promise.resolve()
  const taking = before.then(() => takeInTurn(worlds, profile))
  lastTaken.set(
    worlds,
    taking.catch(() => undefined),
  )
  return taking
}

async function takeInTurn(worlds: WorldMap, profile: Profile | undefined): Promise<void> {
  const change = new ProfileChange(worlds, profile)
  for (let round = 0; round < rounds; round++) {
    // Whoever is at work in a world is not hurried.
    for (const { turns } of change.unread()) if (turns.isTaken) await turns.after(() => undefined)
    await doInSlices(change.reading())
  }
  // Again where a world was born meanwhile, and somebody is at work in it.
  while (!(await applyInAll(worlds, change)));
}

/** Applies the change when it is nobody's turn in any world; false where that is not so. */
async function applyInAll(worlds: WorldMap, change: ProfileChange): Promise<boolean> {
  let isOver = false
  // Whoever asks in slices waits, and who cannot wait finds nothing half done.
  const hold: TurnTaking<void> = { result: undefined, goOn: () => isOver, complete: () => undefined }
  const held = new Set<WorldInstance>()
  const take = (world: WorldInstance) => {
    held.add(world)
    void world.turns.give(hold)
  }
  try {
    for (;;) {
      const others = [...worlds.all()].filter((world) => !held.has(world))
      if (others.length === 0) break
      await Promise.all(others.map((world) => world.turns.after(() => take(world))))
    }
    const work = new Work(change.applying(held))
    const waiting = [...held].map(({ turns }) => turns.give(work))
    const [isTaken] = await Promise.all([doInSlices(goingOn(work)), ...waiting])
    return isTaken
  } finally {
    isOver = true
  }
}

/** Does work that others may do as well. */
function* goingOn<Result>(work: Work<Result>): Slices<Result> {
  while (!work.goOn()) yield
  return work.result
}

function worldMapOf({ worlds }: Understudy): WorldMap {
  if (worlds instanceof WorldMap) return worlds
  throw new Error('These are not the worlds of an understudy.')
}

/** A change to the ways of a profile: what has been read for it, until all of it is applied at once. */
class ProfileChange {
  readonly #worlds: WorldMap
  readonly #next: WorldSettings
  /** What worlds begin with: most begin with the same. */
  readonly #starts = new Map<WorldStart, WorldStart>()
  readonly #readings = new Map<WorldInstance, WorldReading>()

  constructor(worlds: WorldMap, profile: Profile | undefined) {
    this.#worlds = worlds
    const { settings } = worlds.main
    const switches = readSwitches({ ...profile?.switches, ...settings.assumptions })
    this.#next = { ...settings, profile, switches }
  }

  /** The worlds that have not been read as they are now. What is due by itself is no change: it comes by the new ways. */
  unread(): WorldInstance[] {
    return [...this.#worlds.all()].filter((world) => this.#readings.get(world)?.revision !== world.revision)
  }

  /** Reads every world that has not been read as it is now. */
  *reading(): Slices {
    for (const world of this.unread()) yield* this.#readWorld(world)
  }

  /** Reads what a world holds and begins with. */
  *#readWorld(world: WorldInstance): Slices {
    const { start } = world.look()
    const fixture = isAsItBegan(world) ? undefined : given(world.viewAsFixture())
    const { revision } = world
    yield* this.#readStart(start)
    yield
    const present = fixture && (yield* readWorldStart(fixture, this.#next, world.clock))
    this.#readings.set(world, { revision, present })
  }

  *#readStart(start: WorldStart): Slices {
    if (this.#starts.has(start)) return
    const { main } = this.#worlds
    this.#starts.set(start, yield* readWorldStart(given(asFixture(start, main)), this.#next))
  }

  /**
   * Reads what has not been read, and takes all of it: at once in worlds that were born meanwhile. False, and nothing is
   * taken, where somebody is at work in one of these.
   */
  *applying(held: ReadonlySet<WorldInstance>): Slices<boolean> {
    for (;;) {
      const [world] = this.unread()
      const { laterStart } = this.#worlds
      if (world !== undefined) yield* this.#readWorld(world)
      else if (!this.#starts.has(laterStart)) yield* this.#readStart(laterStart)
      else break
    }
    const worlds = [...this.#worlds.all()]
    const born = worlds.filter((world) => !held.has(world))
    if (born.some(({ turns }) => turns.isTaken)) return false
    const { profile, switches } = this.#next
    const settings: { -readonly [Name in keyof WorldSettings]: WorldSettings[Name] } =
      this.#worlds.main.settings
    Object.assign(settings, { profile, switches })
    // Worlds that are born from here on begin in the new ways.
    this.#worlds.startLaterWith(this.#starts.get(this.#worlds.laterStart)!)
    for (const world of born) this.#applyTo(world)
    for (const world of worlds) {
      if (!held.has(world)) continue
      this.#applyTo(world)
      yield
    }
    return true
  }

  #applyTo(world: WorldInstance): void {
    const { start } = world.look()
    // `applying` reads every world before it applies anything.
    const { present } = this.#readings.get(world)!
    // And what each begins with.
    const next = this.#starts.get(start)!
    const now = world.clock.startsFrozen ? world.clock.now() : undefined
    world.choose(this.#next.switches)
    world.take(next, true)
    if (present !== undefined) world.take(present, false)
    world.clock.putBack(now)
    // What was before has the tables of before.
    world.replacements.forget()
  }
}

/** A view of records, which nobody changes: those who read it need no copy. */
function given(fixture: Fixture): Fixture {
  giveFixture(fixture)
  return fixture
}

/** Whether nothing has been written in a world since it began: it shares what it holds with what it began with. */
function isAsItBegan(world: WorldInstance): boolean {
  const { start, origin, stores } = world.look()
  return origin === start && [...stores].every(([plural, store]) => store === start.state.stores.get(plural))
}

/** What worlds begin with, as a fixture. */
function asFixture(start: WorldStart, { settings, clock }: WorldInstance): Fixture {
  const { seed, switches, tokens } = settings
  const model = new Model({
    resources: start.resources,
    seed,
    switches,
    signToken: tokens.sign,
    now: () => start.clock ?? clock.now(),
  })
  model.restore(start.state)
  const { clock: _, ...records } = viewAsFixture(model, start.apiKeys)
  return start.clock === undefined ? records : { ...records, clock: new Date(start.clock).toISOString() }
}
