import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { StateHost, StateKeeping, StateStorage } from './state-storage.ts'

/** The state that a storage keeps for an understudy, from its reading to its end. */
export class KeptState {
  /** Resolves when what was kept is there; rejects where it can never be. */
  readonly ready: Promise<void>
  readonly #opening: Promise<StateKeeping>
  #keeper: StateKeeping | undefined
  #closing: Promise<void> | undefined

  constructor(storage: StateStorage, host: StateHost) {
    this.#opening = storage.keep(host)
    this.ready = this.#opening.then((keeper) => {
      this.#keeper = keeper
    })
    // Whoever asks for something hears of it.
    this.ready.catch(() => undefined)
  }

  /** Whether what was kept is not there yet. */
  get isLoading(): boolean {
    return this.#keeper === undefined
  }

  /** @throws UnderstudyError where it is not there yet. */
  checkReady(): void {
    if (!this.isLoading) return
    throw new UnderstudyError(
      'NOT_READY',
      'The state has not been read from its storage yet: first `await understudy.ready`.',
    )
  }

  /** Keeps the last changes, as they are now, and lets the storage go. */
  close(): Promise<void> {
    this.#closing ??=
      this.#keeper === undefined
        ? this.#opening.then(
            (keeper) => keeper.leave(),
            () => undefined,
          )
        : this.#keeper.close()
    return this.#closing
  }
}
