/**
 * Returns a value that must be there.
 *
 * @throws where it is `undefined` or `null`.
 * @example
 * const resource = required(byPlural.get(plural), `the resource ${plural}`)
 */
export function required<Value>(value: Value, name: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`Expected ${name}; found ${value}.`)
  return value
}
