import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { StateHost, StateSession, StateStorage } from './state-storage.ts'

/** Connects an understudy to its storage: everything but requests is refused until the state is loaded. */
export class StoredState {
  /** Resolves when the state is loaded; rejects where it cannot be. */
  readonly ready: Promise<void>
  readonly #connecting: Promise<StateSession>
  #session: StateSession | undefined

  constructor(storage: StateStorage, host: StateHost) {
    this.#connecting = storage.connect(host)
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
