import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isError, messageOf } from '../shared/built-ins.ts'
import { parseJson, TooDeepError } from '../shared/json.ts'
import * as limits from '../shared/limits.ts'

/**
 * Opens a file of the user for reading, and returns its descriptor.
 *
 * @throws Error if it is a folder, or a pipe, a socket or a device, whose content may not end.
 */
export function openUserFile(path: string): number {
  // Otherwise, the open of a pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const stats = fstatSync(file)
  if (stats.isFile()) return file
  closeSync(file)
  throw new Error(stats.isDirectory() ? 'it is a folder' : notRegular)
}

/**
 * Reads a file of the user, of bounded size.
 *
 * @param what names the file in errors, such as `the fixture demo`.
 * @param hint follows the error.
 */
export function readUserFile(path: string, what = path, hint = ''): Buffer {
  let file: number | undefined
  try {
    file = openUserFile(path)
    const { size } = fstatSync(file)
    if (size > limits.file) throw new Error(`it has ${size} bytes, and at most ${limits.file} are read`)
    return readFileSync(file)
  } catch (error) {
    throw new Error(`Cannot read ${what}: ${reasonNotRead(error)}.${hint}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const notRegular = 'it is a pipe, a socket or a device, not a regular file'

/** Reads a text file in UTF-8 or UTF-16 (Windows PowerShell's `>` writes UTF-16), without its byte order mark. */
export function readTextFile(path: string, what = path, hint = ''): string {
  const bytes = readUserFile(path, what, hint)
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
  // The open of a socket.
  ENXIO: notRegular,
}

/** Describes why reading a file failed. */
export function reasonNotRead(error: unknown): string {
  const code = isError(error) && 'code' in error ? String(error.code) : ''
  return unreadable[code] ?? messageOf(error)
}

/** Reads a JSON file; `what` names it in errors, and `hint` follows them if it is unreadable. */
export function readJsonFile(path: string, what: string, hint = ''): unknown {
  const text = readTextFile(path, what, hint)
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof TooDeepError) throw new Error(`Cannot read ${what}: ${error.message}.`)
    throw new Error(`Cannot read ${what}: it is not valid JSON: ${withLine(messageOf(error), text)}.`)
  }
}

/** Adds the line and column to a message of `JSON.parse`, as later versions of Node do. */
function withLine(message: string, text: string): string {
  const position = /at position (\d+)$/.exec(message)?.[1]
  if (position === undefined) return message
  const lines = text.slice(0, Number(position)).split('\n')
  return `${message} (line ${lines.length} column ${(lines.at(-1) ?? '').length + 1})`
}
