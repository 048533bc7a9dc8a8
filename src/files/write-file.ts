import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isatty } from 'node:tty'
import { isError, messageOf } from '../shared/built-ins.ts'

export interface WriteOptions {
  readonly isNew?: boolean
  /** Lets only its owner read a new file. */
  readonly isPrivate?: boolean
}

/**
 * Writes a file of the user as a whole: a temporary file beside it, synced to the disk, then renamed. A full
 * disk or a crash never leaves half of it. A symbolic link stays a link. Writes a pipe or a device in place.
 *
 * @throws an error with the reason if writing fails.
 */
export function writeUserFile(path: string, text: string, options: WriteOptions = {}): void {
  const { isNew = false, isPrivate = false } = options
  try {
    if (isNew) createFile(path, text, isPrivate ? 0o600 : 0o666)
    else replaceFile(path, text)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

function createFile(path: string, text: string, mode: number): void {
  // Reserves the name. Another process may have created the file since it was last checked.
  closeSync(openSync(path, 'wx', mode))
  try {
    replaceFile(path, text)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function replaceFile(path: string, text: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) writeBeside(path, text, undefined)
  else if (!found.isFile()) writeInPlace(path, text)
  else {
    const target = realpathSync(path)
    accessSync(target, constants.W_OK)
    try {
      writeBeside(target, text, found)
    } catch (error) {
      // The folder rejects new files, or the file is a mount point.
      if (!/^(?:EACCES|EPERM|EBUSY|EXDEV)$/.test(codeOf(error))) throw error
      writeFileSync(target, text)
    }
  }
}

/** Writes a pipe or a device. A pipe that nobody reads would block the process, whatever signal it gets. */
function writeInPlace(path: string, text: string): void {
  const attempt = openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))
  try {
    writeFileSync(path, text)
  } finally {
    closeSync(attempt)
  }
}

/** Writes a file beside its target, then renames it. Permissions and owner of the replaced file stay, if possible. */
function writeBeside(target: string, text: string, replaced: Stats | undefined): void {
  // Loaded at the first write: a server starts sooner without it (`bench -- --only start`).
  const { randomUUID } = process.getBuiltinModule('node:crypto')
  const draft = `${target}.${randomUUID().slice(0, 8)}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx', flush: true })
    if (replaced !== undefined) {
      chmodSync(draft, replaced.mode)
      chownSync(draft, replaced.uid, replaced.gid)
    }
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Returns whether a descriptor is that of a file or of a device other than a terminal. */
export function isOpenFile(fd: number): boolean {
  const stats = fstatSync(fd)
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd))
}

/**
 * Writes a text to an open file as a whole. A disk that is almost full takes a part of it only, which a stream of
 * Node does not report.
 */
export function writeOpenFile(fd: number, text: string): void {
  writeFileSync(fd, text)
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists; choose another name',
  ENOENT: 'its folder does not exist; create it first',
  ENOTDIR: 'its parent is not a folder',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file is too large',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  ENXIO: 'it is a pipe that no program reads; start the reader first, or name a file',
  ESPIPE: 'it is a pipe; name a file',
}

export function reasonNotWritten(error: unknown): string {
  return reasons[codeOf(error)] ?? messageOf(error)
}

export function cannotWrite(path: string, error: unknown): Error {
  return new Error(`Cannot write ${path}: ${reasonNotWritten(error)}.`, { cause: error })
}

function codeOf(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : ''
}
