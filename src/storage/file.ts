import { readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type LockOptions, lock } from 'proper-lockfile'
import type { StateStorage } from '../engine/state/state-storage.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { isError, messageOf } from '../shared/built-ins.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { createStorage, type StatePlace } from './index.ts'

// proper-lockfile would end the process on this signal, which reports that a file has reached `ulimit -f`.
// With a listener, the write fails instead, and the mock retries it.
process.on('SIGXFSZ', () => undefined)

/** Milliseconds after which the lock of a killed process expires. */
const stale = 5_000

/**
 * Stores the state of a mock in a file. Each write replaces the file as a whole; `….lock` excludes other
 * processes. Renames an unusable state.
 *
 * @param path a file in an existing folder; the file need not exist yet.
 * @example
 * const understudy = createUnderstudy({ fixture: demo, storage: fileStorage('state.json') })
 * await understudy.ready
 * // …
 * await understudy.close()
 */
export function fileStorage(path: string): StateStorage {
  if (typeof path !== 'string' || path === '') {
    throw new UnderstudyError('ARGUMENT_INVALID', 'The file of a state: expected a path that is not empty.')
  }
  return createStorage(new StateFile(path))
}

class StateFile implements StatePlace {
  readonly name: string
  #path: string
  #unlock: (() => Promise<void>) | undefined
  /** Set after the lock was removed, or another process has taken it. */
  #lostLock: Error | undefined
  /** Identity of the file after the latest read or write. */
  #version: string | undefined

  constructor(path: string) {
    this.name = path
    this.#path = resolve(path)
  }

  async open(waiting: (text: string) => void): Promise<void> {
    this.#path = await this.#resolveLink(this.#path)
    try {
      this.#unlock = await this.#lock()
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') {
        throw refused(`${this.name} cannot be locked: ${messageOf(error)}`, error)
      }
      waiting(`${this.name} may be in use; waiting ${stale / 1_000} seconds for the process that used it.`)
      this.#unlock = await this.#lockWithRetries()
    }
  }

  async read(): Promise<string | undefined> {
    try {
      this.#version = await this.#readVersion()
      return await readFile(this.#path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async write(text: string): Promise<void> {
    if (this.#lostLock !== undefined) await this.#recoverLock(this.#lostLock)
    const draft = `${this.#path}.tmp`
    // The file of a process that ended during a write.
    await rm(draft, { force: true })
    try {
      // Only its owner may read it, since it holds the credentials of the fixture.
      await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
      await rename(draft, this.#path)
      this.#version = await this.#readVersion()
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async setAside(reason: string): Promise<string> {
    const ending = `.${reason}-${new Date().toISOString().replaceAll(':', '-')}`
    await rename(this.#path, this.#path + ending)
    this.#version = undefined
    return this.name + ending
  }

  async close(): Promise<void> {
    if (this.#lostLock === undefined) await this.#unlock?.()
  }

  /** Locks the file again, unless another process uses it or has written it meanwhile. */
  async #recoverLock(reason: Error): Promise<void> {
    const unlock = await this.#lock().catch(() => Promise.reject(reason))
    if ((await this.#readVersion()) !== this.#version) {
      await unlock()
      throw reason
    }
    this.#unlock = unlock
    this.#lostLock = undefined
  }

  async #readVersion(): Promise<string | undefined> {
    const found = await stat(this.#path).catch(() => undefined)
    return found && `${found.ino} ${found.mtimeMs}`
  }

  /** Returns the path behind a symbolic link, which a rename would replace. */
  async #resolveLink(path: string): Promise<string> {
    let isMissing = false
    const found = await stat(path).catch((error) => {
      isMissing = codeOf(error) === 'ENOENT'
      return undefined
    })
    if (found === undefined) {
      // The first write creates the file behind a link. Links in a circle have another error.
      const target = isMissing ? await readlink(path).catch(() => undefined) : undefined
      if (target !== undefined) return this.#resolveLink(resolve(dirname(path), target))
      const folder = dirname(path)
      const parent = await stat(folder).catch(() => undefined)
      if (parent?.isDirectory()) return path
      throw refused(`There is no folder ${folder} for the state ${this.name}. Create it first.`)
    }
    if (found.isDirectory()) {
      throw refused(
        `${this.name} is a folder. Name a file in it for the state: ${join(this.name, 'state.json')}.`,
      )
    }
    if (!found.isFile()) throw refused(`${this.name} is not a regular file.`)
    return realpath(path)
  }

  #lock(retries: LockOptions['retries'] = 0): Promise<() => Promise<void>> {
    return lock(this.#path, {
      // The file need not exist yet.
      realpath: false,
      stale,
      update: 1_000,
      retries,
      onCompromised: (error) => {
        this.#lostLock = error
      },
    })
  }

  async #lockWithRetries(): Promise<() => Promise<void>> {
    try {
      return await this.#lock({ retries: 2 * (stale / 500), factor: 1, minTimeout: 500, maxTimeout: 500 })
    } catch (error) {
      throw new StorageError(
        'STATE_IN_USE',
        `${this.name} is used by another process. Stop it, or choose another file. (Its lock is ${this.#path}.lock.)`,
        error,
      )
    }
  }
}

function codeOf(error: unknown): unknown {
  return isError(error) && 'code' in error ? error.code : undefined
}

function refused(detail: string, cause?: unknown): StorageError {
  return new StorageError('STATE_REFUSED', detail, cause)
}
