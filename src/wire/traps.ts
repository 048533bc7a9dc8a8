/**
 * The path to a key that a copy would lose or take for its prototype, such as `.steps[0].__proto__`; nothing where
 * there is none.
 */
export function trapIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const [key, inner] of Object.entries(value)) {
    const at = isList ? `[${key}]` : `.${key}`
    if (key === '__proto__') return at
    const rest = trapIn(inner)
    if (rest !== undefined) return at + rest
  }
  return undefined
}
