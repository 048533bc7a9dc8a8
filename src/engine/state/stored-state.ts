import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { WorldMap } from '../worlds/worlds.ts'
import type { StateSession, StateStorage, StorageListener } from './state-storage.ts'

/** Connects a mock to its storage. Until the state has loaded, everything except requests throws. */
export class StoredState {
  /** Resolves after the state has loaded; rejects if loading fails. */
  readonly ready: Promise<void>
  readonly #connecting: Promise<StateSession>
  #session: StateSession | undefined

  constructor(storage: StateStorage, worlds: WorldMap, onStorage: StorageListener | undefined) {
    this.#connecting = storage.connect(worlds, onStorage)
    this.ready = this.#connecting.then((session) => {
      this.#session = session
    })
    // The first request or the first `await understudy.ready` reports the failure.
    this.ready.catch(() => undefined)
  }

  get isLoading(): boolean {
    return this.#session === undefined
  }

  /** @throws UnderstudyError where the state is not loaded yet. */
  checkReady(): void {
    if (!this.isLoading) return
    throw new UnderstudyError(
      'NOT_READY',
      'The state has not been read from its storage yet: first `await understudy.ready`.',
    )
  }

  /** Saves the present state and releases the storage. A state that is still loading is not saved. */
  async close(): Promise<void> {
    if (this.#session !== undefined) return this.#session.close()
    const session = await this.#connecting.catch(() => undefined)
    await session?.abandon()
  }
}
