import {
  type FileHandle,
  link,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { foldRecords } from '../engine/fold-records.ts'
import type { StateStorage } from '../engine/state/state-storage.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import { messageOf } from '../shared/built-ins.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { codeOf, FileLock, withoutWaiting } from './file-lock.ts'
import { createStorage, type StatePlace } from './index.ts'

// A server may have written it, which folds.
foldRecords()

/**
 * Keeps the state of an understudy in a file. It is written whole to another file beside it (`….tmp`), which then takes
 * its place; `….lock` says which process uses it, and what is broken is set aside under a name with its reason and time.
 *
 * @param path a file in a folder that there is; it need not be there yet.
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
  return createStorage(new FilePlace(path))
}

/** What a disk or folder that takes nothing fails with: it may take something later. */
const passing: ReadonlySet<string | undefined> = new Set([
  ...['EACCES', 'EROFS', 'EPERM', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE'],
])

/** How many pieces are handed to the system at once: it takes no more. */
const mostTogether = 512

class FilePlace implements StatePlace {
  readonly name: string
  #path: string
  #lock: FileLock
  /** How what was read or written last ends, which nobody else's does. */
  #ending: FileEnding | undefined

  constructor(path: string) {
    this.name = path
    this.#path = resolve(path)
    this.#lock = new FileLock(this.#path, path)
  }

  async open(
    waits?: (text: string) => void,
  ): Promise<{ readonly wasKilled: boolean; readonly linked: string | undefined }> {
    const linked = await this.#checkPath()
    this.#lock = new FileLock(this.#path, this.name)
    try {
      return { wasKilled: await this.#lock.take(waits), linked }
    } catch (error) {
      // Whatever it is that cannot be written now is said when it is to be, and tried again.
      if (passing.has(codeOf(error))) return { wasKilled: false, linked }
      if (error instanceof UnderstudyError) throw error
      throw refused(`${this.#path}.lock cannot be used: ${messageOf(error)}. Take it away.`, error)
    }
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readFile(this.#path)
      this.#ending = { length: bytes.length, tail: Buffer.from(bytes.subarray(-endingLength)) }
      return bytes
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw refused(`${this.name} cannot be read: ${messageOf(error)}`, error)
    }
  }

  async write(pieces: readonly Uint8Array[]): Promise<string | undefined> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length > limits.stateBytes)
      throw new Error(`It has become ${length} bytes long, more than ${limits.stateBytes}.`)
    await this.#lock.take()
    const draft = `${this.#path}.tmp`
    const handle = await create(draft)
    let note: string | undefined
    try {
      await writeAll(handle, pieces)
      await handle.sync()
      await handle.close()
      if (await this.#isOfAnother()) {
        const aside = await this.setAside('replaced')
        note = `Somebody else has changed or replaced ${this.name}: what they put there is set aside as ${aside}, and the state of this process is kept.`
      }
      await rename(draft, this.#path)
    } catch (error) {
      await handle.close().catch(() => undefined)
      await unlink(draft).catch(() => undefined)
      throw error
    }
    this.#ending = { length, tail: tailOf(pieces) }
    await this.#syncFolder()
    return note
  }

  /** Whether the file is not what was read or written last. */
  async #isOfAnother(): Promise<boolean> {
    const found = await endingOf(this.#path)
    if (found === undefined) return false
    return found.length !== this.#ending?.length || !found.tail.equals(this.#ending.tail)
  }

  async setAside(reason: string): Promise<string> {
    await this.#lock.take()
    const moment = new Date().toISOString().replaceAll(':', '-')
    const free = join(dirname(this.#path), `${basename(this.#path)}.${reason}-${moment}`)
    try {
      // Unlike renaming, this never replaces anything.
      await link(this.#path, free)
      await unlink(this.#path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw error
      await rename(this.#path, free)
    }
    await this.#syncFolder()
    return `${this.name}.${reason}-${moment}`
  }

  async close(): Promise<void> {
    await this.#lock.release()
  }

  /** Finds the file, behind whatever links lead to it, and refuses what never can be one. Says where it has other names. */
  async #checkPath(): Promise<string | undefined> {
    const found = await stat(this.#path).catch((error) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw refused(`${this.name} cannot be used for the state: ${messageOf(error)}`, error)
    })
    if (found === undefined) {
      this.#path = await behindLinks(this.#path)
      const folder = dirname(this.#path)
      const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory()
      if (isFolder !== true)
        throw refused(`There is no folder ${folder} for the state ${this.name}. Make it first.`)
      return undefined
    }
    if (found.isDirectory()) {
      throw refused(
        `${this.name} is a folder. Name a file in it for the state: ${join(this.name, 'state.json')}.`,
      )
    }
    if (!found.isFile()) throw refused(`${this.name} is no file that a state can be kept in.`)
    if (found.size > limits.stateBytes) {
      throw refused(
        `${this.name} is larger than a state can be: ${found.size} bytes, more than ${limits.stateBytes}.`,
      )
    }
    this.#path = await realpath(this.#path)
    if (found.nlink === 1) return undefined
    return `${this.name} has ${found.nlink} names (hard links): what is written stands under this one alone, and who uses another has a state of their own.`
  }

  /** Has the folder's entry on the disk, too, where the system can do that. */
  async #syncFolder(): Promise<void> {
    const folder = await open(dirname(this.#path), 'r').catch(() => undefined)
    await folder?.sync().catch(() => undefined)
    await folder?.close()
  }
}

/** How long a file is, and how it ends: with the checksum of all of it. */
interface FileEnding {
  readonly length: number
  readonly tail: Buffer
}

const endingLength = 64

async function endingOf(path: string): Promise<FileEnding | undefined> {
  const handle = await open(path, withoutWaiting).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(Math.min(size, endingLength))
    await handle.read(tail, 0, tail.length, size - tail.length)
    return { length: size, tail }
  } finally {
    await handle.close()
  }
}

function tailOf(pieces: readonly Uint8Array[]): Buffer {
  let tail = Buffer.alloc(0)
  for (let index = pieces.length - 1; index >= 0 && tail.length < endingLength; index--)
    tail = Buffer.concat([pieces[index]!, tail])
  return tail.subarray(-endingLength)
}

/** Where links lead, also to a file that is not there yet. */
async function behindLinks(path: string): Promise<string> {
  const target = await readlink(path).catch(() => undefined)
  if (target === undefined) return path
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  return behindLinks(resolve(folder, target))
}

/** Creates a file that nobody else may read; one that somebody was killed over is taken away first. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    await unlink(path)
    return open(path, 'wx', 0o600)
  }
}

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let begin = 0; begin < pieces.length; begin += mostTogether) {
    let rest = pieces.slice(begin, begin + mostTogether)
    while (rest.length > 0) {
      const { bytesWritten } = await handle.writev(rest)
      rest = without(rest, bytesWritten)
    }
  }
}

/** What is left of pieces of which the first bytes are written. */
function without(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  let written = count
  const index = pieces.findIndex(({ length }) => {
    if (written < length) return true
    written -= length
    return false
  })
  return index < 0 ? [] : [pieces[index]!.subarray(written), ...pieces.slice(index + 1)]
}

function refused(detail: string, cause?: unknown): StorageError {
  return new StorageError('STATE_REFUSED', detail, cause)
}
