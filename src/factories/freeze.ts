/** Freezes a record all the way down: to change one is to make another. */
export function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const key in value) freeze(value[key])
    Object.freeze(value)
  }
  return value
}
