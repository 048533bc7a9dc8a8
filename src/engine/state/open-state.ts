import { messageOf } from '../../shared/built-ins.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { WorldSettings } from '../worlds/world-settings.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import { type LoadedState, loadState } from './load-state.ts'
import { SavingSession } from './saving-session.ts'
import { readStateDocument, UnusableState } from './state-document.ts'
import type { StatePlace } from './state-place.ts'
import { routineKinds, type StateSession, type StorageListener } from './state-storage.ts'
import { StorageError } from './storage-error.ts'

const warn: StorageListener = ({ kind, text }) => {
  if (!routineKinds.includes(kind)) console.warn(`[understudy] ${text}`)
}

/**
 * Loads the state of a place into the worlds, and saves their changes there.
 *
 * @throws StorageError if the place is in use or unreadable.
 */
export async function openState(
  place: StatePlace,
  worlds: WorldMap,
  report: StorageListener = warn,
): Promise<StateSession> {
  const fixtureStart = worlds.laterStart
  await place.open?.((text) => report({ kind: 'waiting', text }))
  try {
    const text = await readText(place)
    const state = text === '' ? undefined : await loadOrSetAside(place, text, worlds.settings, report)
    if (text === '') report({ kind: 'created', text: `There is no state in ${place.name} yet.` })
    if (state !== undefined) applyState(state, worlds, place.name, report)
    const session = new SavingSession(place, worlds, fixtureStart, report)
    if (state === undefined) session.noteChange()
    return session
  } catch (error) {
    await place.close?.()
    throw error
  }
}

/** Returns an empty text if there is no state; containers mount an empty file. */
async function readText(place: StatePlace): Promise<string> {
  try {
    return (await place.read()) ?? ''
  } catch (error) {
    if (error instanceof UnderstudyError) throw error
    throw new StorageError('STATE_REFUSED', `${place.name} cannot be read: ${messageOf(error)}`, error)
  }
}

async function loadOrSetAside(
  place: StatePlace,
  text: string,
  settings: WorldSettings,
  report: StorageListener,
): Promise<LoadedState | undefined> {
  try {
    return loadState(readStateDocument(text, place.name), settings)
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error
    const aside = await setAside(place, error)
    report({
      kind: 'set aside',
      text: `The state in ${place.name} cannot be used. ${error.message} It was renamed to ${aside}, and the fixture is used.`,
    })
    return undefined
  }
}

async function setAside(place: StatePlace, { reason, message }: UnusableState): Promise<string> {
  try {
    if (place.setAside === undefined) throw new Error('This storage has no setAside.')
    return await place.setAside(reason)
  } catch (error) {
    throw new StorageError(
      'STATE_REFUSED',
      `The state in ${place.name} cannot be used. ${message} It cannot be set aside either: ${messageOf(error)}`,
      error,
    )
  }
}

function applyState(state: LoadedState, worlds: WorldMap, place: string, report: StorageListener): void {
  const { tokens, faults } = worlds.settings
  if (state.laterStart !== undefined) worlds.startLaterWith(state.laterStart)
  tokens.alsoRead(state.seeds)
  const hasSameFaults = JSON.stringify(state.faults) === JSON.stringify(faults)
  const leftOut = state.worlds.flatMap(({ name, requests, settings: own, state: worldState }) => {
    const created = name === worlds.main.name ? undefined : worlds.createTentative(name, own)
    const errors = worlds.use(name, created, requests).load(worldState, hasSameFaults)
    return errors.map(({ detail }) => `A fault of the world ${name} is left out. ${detail}`)
  })
  const { savedAt } = state
  const time = savedAt.slice(0, 19).replace('T', ' ')
  const count = worlds.size === 1 ? '1 world' : `${worlds.size} worlds`
  report({
    kind: 'loaded',
    text: `State of ${time} UTC, ${count}, from ${place}.`,
    savedAt,
    worlds: worlds.size,
  })
  for (const text of [...state.leftOut, ...leftOut]) report({ kind: 'left out', text })
}
