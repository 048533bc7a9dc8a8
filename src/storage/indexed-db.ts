import type { StateStorage } from '../engine/state/state-storage.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { messageOf } from '../shared/built-ins.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { createStorage, type StatePlace } from './index.ts'

const databaseName = 'pipeline-understudy'
const storeName = 'states'
/** How long a page that is being loaded again waits for the one before it, in milliseconds. */
const patience = 2_000

/**
 * Keeps the state of an understudy in a page's IndexedDB, under a name; what is broken is set aside beside it. One page at
 * a time: where another has the state open, `ready` rejects with `STATE_IN_USE`.
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
  /** A page may be loaded again at any moment. */
  readonly within = 250
  readonly #key: string
  #database: IDBDatabase | undefined
  #release: () => void = () => undefined

  constructor(name: string) {
    this.#key = name
    this.name = `IndexedDB (${name})`
  }

  async open(): Promise<void> {
    if (globalThis.indexedDB === undefined) {
      throw new StorageError('STATE_REFUSED', 'There is no IndexedDB here; in Node, use fileStorage.')
    }
    await this.#lock()
    try {
      await this.#connect()
    } catch (error) {
      this.#release()
      throw new StorageError('STATE_REFUSED', `${this.name} cannot be opened: ${messageOf(error)}`, error)
    }
  }

  async read(): Promise<Uint8Array | undefined> {
    const kept: unknown = await this.#run('readonly', (store) => store.get(this.#key))
    return kept === undefined ? undefined : (kept as Uint8Array)
  }

  async write(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
    const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
    let end = 0
    for (const piece of pieces) {
      whole.set(piece, end)
      end += piece.length
    }
    await this.#run('readwrite', (store) => store.put(whole, this.#key))
  }

  async setAside(reason: string): Promise<string> {
    const key = `${this.#key}.${reason}-${new Date().toISOString()}`
    await this.#run('readwrite', (store) => {
      const reading = store.get(this.#key)
      reading.onsuccess = () => {
        store.add(reading.result, key)
        store.delete(this.#key)
      }
      return reading
    })
    return key
  }

  async close(): Promise<void> {
    this.#database?.close()
    this.#database = undefined
    this.#release()
  }

  /** Takes the name for this page, where there are locks: two pages would each undo what the other keeps. */
  async #lock(): Promise<void> {
    // Pages have them on `https:` and `localhost` only.
    const locks = globalThis.navigator?.locks as LockManager | undefined
    if (locks === undefined) return
    const signal = AbortSignal.timeout(patience)
    await new Promise<void>((resolve, reject) => {
      const hold = () =>
        new Promise<void>((release) => {
          this.#release = release
          resolve()
        })
      locks.request(`${databaseName}/${this.#key}`, { signal }, hold).catch(() => {
        reject(
          new StorageError(
            'STATE_IN_USE',
            `${this.name} is used by another page. Close that, or choose another name for the state.`,
          ),
        )
      })
    })
  }

  async #connect(): Promise<IDBDatabase> {
    if (this.#database !== undefined) return this.#database
    const opening = indexedDB.open(databaseName, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName)
    const database = await settled(opening)
    // Another page may delete it, or the browser take it away: it is opened again at the next write.
    const forget = () => {
      database.close()
      this.#database = undefined
    }
    database.onversionchange = forget
    database.onclose = forget
    this.#database = database
    return database
  }

  /** Runs one request, and waits until what it did is on its way to the disk. */
  async #run<Result>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const database = await this.#connect()
    const transaction = database.transaction(storeName, mode, { durability: 'strict' })
    const request = ask(transaction.objectStore(storeName))
    await new Promise<void>((resolve, reject) => {
      const fail = () =>
        reject(transaction.error ?? request.error ?? new Error('The transaction was aborted.'))
      transaction.oncomplete = () => resolve()
      transaction.onabort = fail
      transaction.onerror = fail
    })
    return request.result
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
