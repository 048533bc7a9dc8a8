import { isNested } from './values.ts'

/** Parses a JSON text; returns `undefined` if it is invalid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reports whether objects and arrays in a value are nested more deeply than a number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (!isNested(value)) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
