import * as limits from './limits.ts'

/** Value that JSON cannot represent, with its path, such as `.steps[0].__proto__`. */
interface NonJson {
  readonly path: string
  readonly expected: string
  readonly found: string
}

/**
 * Returns the first part of a value that JSON cannot represent or that readers would lose: a key that changes
 * a prototype, a BigInt, code, a circular reference, or excessive nesting. Returns `undefined` if there is
 * none.
 */
export function findNonJson(value: unknown, level = 0): NonJson | undefined {
  if (typeof value !== 'object' || value === null) return nonJsonPrimitive(value)
  // A circular reference has no end.
  if (level >= limits.bodyDepth)
    return { path: '', expected: `at most ${limits.bodyDepth} levels`, found: 'more' }
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value)) {
    const at = isList ? `[${key}]` : `.${key}`
    if (key === '__proto__') return { path: at, expected: 'no such key', found: 'one' }
    const nonJson = findNonJson(inner, level + 1)
    if (nonJson !== undefined) return { ...nonJson, path: (at + nonJson.path).slice(0, 200) }
  }
  return undefined
}

function nonJsonPrimitive(value: unknown): NonJson | undefined {
  const type = typeof value
  if (type !== 'bigint' && type !== 'function' && type !== 'symbol') return undefined
  return { path: '', expected: 'data alone, as JSON has it', found: `a ${type}` }
}
