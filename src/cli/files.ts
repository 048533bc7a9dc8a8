// Importing `node:fs/promises` loads it at startup; `serve` with a built-in fixture never needs it.
import { promises } from 'node:fs'
import { messageOf } from '../shared/built-ins.ts'

/** Reads a text file in UTF-8 or UTF-16 (Windows PowerShell's `>` writes UTF-16), without its byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await promises.readFile(path)
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  // The decoder removes the byte order mark.
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'its parent is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

/**
 * Reads a JSON file.
 *
 * @param what names the file in errors, such as `the fixture demo`.
 * @param hint is appended to the error when the file cannot be read.
 */
export async function readJsonFile(path: string, what: string, hint = ''): Promise<unknown> {
  const text = await readTextFile(path).catch(({ code = '', message }: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read ${what}: ${unreadable[code] ?? message}.${hint}`)
  })
  return parseJson(text, what)
}

/** Parses the text of a JSON file; `what` names the file in errors. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Cannot read ${what}: it is not valid JSON: ${messageOf(error)}.`)
  }
}

const unwritable: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists; choose another name',
  ENOENT: 'its folder does not exist; create it first',
  ENOTDIR: 'its parent is not a folder',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/**
 * Writes a text file; with `isNew`, refuses to overwrite one.
 *
 * @throws if the file cannot be written; the message gives the reason.
 */
export async function writeTextFile(path: string, text: string, isNew = false): Promise<void> {
  await promises.writeFile(path, text, { flag: isNew ? 'wx' : 'w' }).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(path, error)
  })
}

/** Creates the error for a path that cannot be written. */
export function cannotWrite(path: string, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(`Cannot write ${path}: ${unwritable[code ?? ''] ?? message}.`)
}
