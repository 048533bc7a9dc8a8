import { isPromise } from '../shared/built-ins.ts'

/** A value that is there at once, or a promise of it: nearly every request needs no promise. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Does something with a value, at once where the value is there. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => Next,
): MaybePromise<Next> {
  return isPromise(value) ? value.then(next) : next(value)
}
