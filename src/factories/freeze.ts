import { isNested } from '../shared/values.ts'

/** Freezes a record all the way down: to change one is to make another. */
export function freeze<Value>(value: Value): Value {
  if (!isNested(value) || Object.isFrozen(value)) return value
  for (const key in value) if (isNested(value[key])) freeze(value[key])
  return Object.freeze(value)
}
