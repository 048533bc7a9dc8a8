// `node:fs/promises` would be loaded at once; `serve` of a fixture that ships never needs it.
import { promises } from 'node:fs'
import { messageOf } from '../shared/built-ins.ts'

/** Reads a text as editors and shells write it: in UTF-8, or in UTF-16 as Windows PowerShell does with `>`; without its mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await promises.readFile(path)
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  // A decoder takes the mark away.
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'what stands before its last / is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
}

/**
 * Reads a JSON file.
 *
 * @param what the file is called in an error, such as `the fixture demo`.
 * @param hint follows an error of a file that cannot be read.
 */
export async function readJsonFile(path: string, what: string, hint = ''): Promise<unknown> {
  const text = await readTextFile(path).catch(({ code = '', message }: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read ${what}: ${unreadable[code] ?? message}.${hint}`)
  })
  return parseJson(text, what)
}

/** Parses the text of a JSON file, which `what` names. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Cannot read ${what}: it is not JSON: ${messageOf(error)}.`)
  }
}

const unwritable: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already; choose another name',
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'what stands before its last / is no folder',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what is there can only be read',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/**
 * Writes a text into a file; with `isNew`, never over another.
 *
 * @throws where it cannot be written; the message gives the reason in words.
 */
export async function writeTextFile(path: string, text: string, isNew = false): Promise<void> {
  await promises.writeFile(path, text, { flag: isNew ? 'wx' : 'w' }).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(path, error)
  })
}

/** The error for a path that cannot be written. */
export function cannotWrite(path: string, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(`Cannot write ${path}: ${unwritable[code ?? ''] ?? message}.`)
}
