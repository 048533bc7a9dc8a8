/** Tells what holds others, an object or a list, from `null` and everything else. */
export function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Tells a JSON object from an array, `null` and everything else. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return isNested(value) && !Array.isArray(value)
}
