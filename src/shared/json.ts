import * as limits from './limits.ts'

/** Thrown for JSON too deep for recursive code. */
export class TooDeepError extends SyntaxError {
  constructor() {
    super(`it is nested more than ${limits.bodyDepth} levels deep`)
  }
}

/**
 * Parses a JSON text from a file, a request or a reply. Some editors write a byte order mark before it.
 *
 * @throws SyntaxError if the text is not JSON, and TooDeepError if it is too deep.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  // Short texts cannot be that deep.
  if (text.length > 2 * limits.bodyDepth && isDeeperThan(limits.bodyDepth, value)) throw new TooDeepError()
  return value
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Parses a JSON text; returns `undefined` if it is invalid. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
