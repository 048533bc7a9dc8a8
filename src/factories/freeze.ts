/** Freezes a record all the way down: to change one is to make another. */
export function freeze<Value>(value: Value): Value {
  if (!isObject(value) || Object.isFrozen(value)) return value
  for (const key in value) if (isObject(value[key])) freeze(value[key])
  return Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
