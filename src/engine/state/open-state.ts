import type { Fixture } from '../../factories/fixture-type.ts'
import { messageOf } from '../../shared/built-ins.ts'
import { crc32 } from '../../shared/crc32.ts'
import * as limits from '../../shared/limits.ts'
import { nameOfTime } from '../clock.ts'
import type { FaultError } from '../faults/fault.ts'
import { doInSlices } from '../worlds/turns.ts'
import type { KeptWorld } from '../worlds/world-state.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import { type KeptWorlds, readWorlds } from './read-worlds.ts'
import { type StateDocument, StateError } from './state-format.ts'
import { StateKeeper } from './state-keeper.ts'
import type { StatePlace } from './state-place.ts'
import { readStateDocument, toBytes } from './state-reader.ts'
import type { StateHost, StorageEvent, StorageListener } from './state-storage.ts'
import { StateWriter } from './state-writer.ts'

/** Says problems on the console, and nothing else. */
const warn: StorageListener = ({ kind, text }) => {
  if (!quietKinds.includes(kind)) console.warn(`[understudy] ${text}`)
}
const quietKinds: readonly StorageEvent['kind'][] = ['loaded', 'begun', 'recovered']

/** What is kept, where, and who is told. */
interface StateOptions extends StateHost {
  readonly place: StatePlace
  readonly told: StorageListener
}

/**
 * Takes the state up that a place keeps, and keeps it there from then on.
 *
 * @throws where the place is in use, or what it keeps is not to be touched.
 */
export async function openState(place: StatePlace, host: StateHost): Promise<StateKeeper> {
  const { told = warn } = host
  const options = { ...host, place, told }
  const opened = await place.open?.((text) => told({ kind: 'waiting', text }))
  if (opened?.linked !== undefined) told({ kind: 'linked', text: opened.linked })
  try {
    const kept = await place.read()
    const bytes = kept === undefined ? undefined : toBytes(kept)
    // A file that was made for the state beforehand is empty, as one has to be that is mounted.
    if (bytes !== undefined && bytes.length > 0)
      return await takeUp(options, bytes, opened?.wasKilled ? limits.lostIds : 0)
  } catch (error) {
    if (error instanceof StateError && error.code === 'STATE_BROKEN') return await begin(options, error)
    await place.close?.()
    if (!(error instanceof StateError)) throw error
    throw new StateError(error.flaw, `${place.name}: ${error.detail} It is left as it is.`, error.code)
  }
  told({ kind: 'begun', text: `There is no state in ${place.name} yet; it begins with the fixture.` })
  return begin(options)
}

async function takeUp(options: StateOptions, bytes: Uint8Array, lostIds: number): Promise<StateKeeper> {
  const { place, worlds, settings, fixture, told } = options
  const document = await doInSlices(readStateDocument(bytes))
  const found = await doInSlices(readWorlds(document, settings, { most: worlds.most, lostIds }))
  const clock = nameOfTime(settings.time)
  const hasSameFixture = document.fixture === nameOf(fixture)
  const clockBefore = document.clock ?? clock
  const hasSameClock = clockBefore === clock
  // Records are of the moment at which they were read: those of another clock would have all that lies between due at once.
  if (hasSameFixture && hasSameClock) worlds.startLaterWith(found.laterStart)
  const leftOut = adopt(options, document, found)
  for (const seed of document.seeds) settings.tokens.alsoRead(seed)
  const count = worlds.size
  const many = count === 1 ? '1 world' : `${count} worlds`
  const moment = document.savedAt.slice(0, 19).replace('T', ' ')
  const text = `State of ${moment} UTC, ${many}, from ${place.name}.`
  told({ kind: 'loaded', text, savedAt: document.savedAt, worlds: count })
  if (Date.parse(document.savedAt) > Date.now()) told({ kind: 'earlier', text: earlier })
  if (!hasSameFixture) told({ kind: 'another fixture', text: otherFixture })
  if (!hasSameClock) told({ kind: 'another clock', text: otherClock(clockBefore, clock) })
  for (const text of leftOut) told({ kind: 'left out', text })
  const seeds = [...new Set([settings.seed, ...document.seeds])]
  const writer = createWriter(options, seeds)
  const keeper = new StateKeeper({
    ...options,
    changes: settings.changes,
    writer,
    isKept: lostIds === 0,
  })
  // Before anybody gets an id: one more kill must not give it again.
  if (lostIds > 0) await keeper.keepNow()
  return keeper
}

const earlier =
  "The state is from a moment that this machine's clock has yet to reach: worlds whose clock is that of the machine go back with it, and " +
  'what was due since happens when it is there again; those that run at a speed of their own go on from where they stood.'

const otherFixture =
  'The state was made from another fixture: its worlds stay as they are, and go back to what they began with; worlds ' +
  'that are born from now on begin with the present fixture.'

const otherClock = (kept: string, present: string) =>
  `The state was made with another clock (${kept}): its worlds keep theirs; worlds that are born from now on have the ` +
  `present one (${present}), and begin with the fixture read at it. To have it in all, delete the state.`

/** Puts what was kept in place of what there is, all at once. Says what could not be taken over. */
function adopt({ worlds, settings }: StateOptions, document: StateDocument, kept: KeptWorlds): string[] {
  const hasSameFaults = JSON.stringify(document.faults) === JSON.stringify(settings.faults)
  const errors = takeUpWorlds(worlds, kept.worlds, hasSameFaults)
  return [
    ...errors.map(({ world, error }) => `A fault of the world ${world} is left out. ${error.detail}`),
    ...kept.tooMany.map((world) => `The world ${world} is left out: there were too many.`),
  ]
}

/** Begins with the present state: there is none, or it is broken. */
async function begin(options: StateOptions, broken?: StateError): Promise<StateKeeper> {
  const { place, settings, told } = options
  const writer = createWriter(options, [settings.seed])
  const common = { ...options, changes: settings.changes, writer, isKept: false }
  if (broken === undefined) return new StateKeeper(common)
  const makeRoom = () => setAside(place, broken, told)
  try {
    await makeRoom()
    return new StateKeeper(common)
  } catch (error) {
    const text = `The state in ${place.name} cannot be used: ${broken.detail} Nor can it be set aside: ${messageOf(error)} The fixture is used, and nothing is kept until the state is out of the way.`
    told({ kind: 'failed', text })
    return new StateKeeper({ ...common, makeRoom })
  }
}

async function setAside(place: StatePlace, broken: StateError, told: StorageListener): Promise<void> {
  if (place.setAside === undefined) throw new StateError(broken.flaw, 'The place cannot set it aside.')
  const name = await place.setAside(broken.flaw)
  const text = `The state in ${place.name} cannot be used: ${broken.detail} It is set aside as ${name}, and the fixture is used instead.`
  told({ kind: 'set aside', text })
}

/** Says what later worlds begin with, too: the present fixture and clock, or the same ones that were kept. */
function createWriter({ worlds, settings, fixture }: StateOptions, seeds: number[]): StateWriter {
  return new StateWriter(worlds, {
    seeds,
    fixture: nameOf(fixture),
    clock: nameOfTime(settings.time),
    profile: settings.profile?.name ?? null,
    faults: settings.faults.map((fault) => ({ ...fault })),
  })
}

/** A name for a fixture: the same for the same. */
function nameOf(fixture: Fixture): string {
  return crc32(new TextEncoder().encode(JSON.stringify(fixture)))
    .toString(16)
    .padStart(8, '0')
}

/**
 * Puts worlds that were kept in the place of those there are: `main` first, then the least recently used. Returns the
 * faults that no longer can be, which are left out.
 */
function takeUpWorlds(
  worlds: WorldMap,
  kept: readonly KeptWorld[],
  hasSameInitialFaults: boolean,
): { readonly world: string; readonly error: FaultError }[] {
  for (const { name } of worlds.uses()) if (name !== worlds.main.name) worlds.delete(name)
  return kept.flatMap(({ name, requests, state }) => {
    const conceived = name === worlds.main.name ? undefined : worlds.conceive(name)
    const world = worlds.use(name, conceived, requests)
    return world.takeUp(state, hasSameInitialFaults).map((error) => ({ world: name, error }))
  })
}
