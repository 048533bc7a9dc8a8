import { isNested } from './values.ts'

/** What any value costs at least, in bytes. */
const least = 16
/** From which weight on it is remembered. */
const remembered = 4_000
/** What heavy objects weigh: records and what they hold are never changed. */
const known = new WeakMap<object, number>()

/** About how much memory a JSON value takes, in bytes; more rather than less. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return least + value.length * 2
  if (!isNested(value)) return least
  let weight = known.get(value)
  if (weight === undefined) {
    weight = least
    // A record's attributes are the same texts in each: their names cost nothing.
    for (const key in value) weight += least + weigh(value[key])
    // What is small is weighed again sooner than looked up.
    if (weight > remembered) known.set(value, weight)
  }
  return weight
}
