import { createStore, del, get, set, type UseStore } from 'idb-keyval'
import type { StateStorage } from '../engine/state/state-storage.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { createStorage, type StatePlace } from './index.ts'

const databaseName = 'pipeline-understudy'
/** Milliseconds that a page waits for the previous page, which may be reloading. */
const patience = 2_000

/**
 * Stores the state of a mock in a page's IndexedDB, under a name. If another page uses the state, `ready`
 * rejects with `STATE_IN_USE`.
 *
 * @example
 * const understudy = createUnderstudy({ fixture: demo, storage: indexedDbStorage('my-app') })
 * await understudy.ready
 */
export function indexedDbStorage(name: string): StateStorage {
  if (typeof name !== 'string' || name === '') {
    throw new UnderstudyError('ARGUMENT_INVALID', 'The name of a state: expected a text that is not empty.')
  }
  return createStorage(new IndexedDbPlace(name))
}

class IndexedDbPlace implements StatePlace {
  readonly name: string
  /** Shorter than the default, because a page may reload at any time. */
  readonly pause = 200
  readonly #key: string
  #unlock: () => void = () => undefined
  #openedStore: UseStore | undefined

  constructor(name: string) {
    this.#key = name
    this.name = `IndexedDB (${name})`
  }

  async open(): Promise<void> {
    if (globalThis.indexedDB === undefined) {
      throw new StorageError('STATE_REFUSED', 'There is no IndexedDB here; in Node.js, use fileStorage.')
    }
    await this.#lock()
  }

  get #store(): UseStore {
    this.#openedStore ??= createStore(databaseName, 'states')
    return this.#openedStore
  }

  async read(): Promise<string | undefined> {
    const stored: unknown = await get(this.#key, this.#store)
    return stored === undefined ? undefined : String(stored)
  }

  write(text: string): Promise<void> {
    return set(this.#key, text, this.#store)
  }

  async setAside(reason: string): Promise<string> {
    const key = `${this.#key}.${reason}-${new Date().toISOString()}`
    await set(key, await get(this.#key, this.#store), this.#store)
    await del(this.#key, this.#store)
    return key
  }

  async close(): Promise<void> {
    this.#unlock()
  }

  /** Reserves the name for this page: two pages would overwrite each other's state. */
  async #lock(): Promise<void> {
    // Pages have locks only on `https:` and `localhost`.
    const locks: LockManager | undefined = globalThis.navigator?.locks
    if (locks === undefined) return
    const signal = AbortSignal.timeout(patience)
    await new Promise<void>((resolve, reject) => {
      const hold = () =>
        new Promise<void>((release) => {
          this.#unlock = release
          resolve()
        })
      locks.request(`${databaseName}/${this.#key}`, { signal }, hold).catch(() => {
        reject(
          new StorageError(
            'STATE_IN_USE',
            `${this.name} is used by another page. Close that page, or choose another name for the state.`,
          ),
        )
      })
    })
  }
}
