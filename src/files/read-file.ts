// Importing `node:fs/promises` loads it at startup; `serve` with a built-in fixture never needs it.
import { promises } from 'node:fs'
import { isError, messageOf } from '../shared/built-ins.ts'
import { parseJson, TooDeepError } from '../shared/json.ts'

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

/** Describes why a file could not be read. */
export function reasonNotRead(error: unknown): string {
  const code = isError(error) && 'code' in error ? String(error.code) : ''
  return unreadable[code] ?? messageOf(error)
}

/**
 * Reads a JSON file.
 *
 * @param what names the file in errors, such as `the fixture demo`.
 * @param hint follows the error if the file is unreadable.
 */
export async function readJsonFile(path: string, what: string, hint = ''): Promise<unknown> {
  const text = await readTextFile(path).catch((error: unknown) => {
    throw new Error(`Cannot read ${what}: ${reasonNotRead(error)}.${hint}`)
  })
  return parseFile(text, what)
}

/** Parses the text of a JSON file; `what` names the file in errors. */
export function parseFile(text: string, what: string): unknown {
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
