/** Reports whether a value is an object or an array, not `null`. */
export function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Reports whether a value is a JSON object, not an array or `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns an own property of a record. Names that every object inherits, such as `constructor`, are not
 * found.
 */
export function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * The text of a value that nobody has checked; empty for what is neither text nor number. `String` would call what an
 * object has under `toString`, which in JSON may be anything.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A value as filters write it: a text as it is, everything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The keys of an object that has no others than its type says, such as a table in our own code. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[] // TypeScript types the keys as any texts.
}

/** Freezes a record all the way down: to change one is to make another. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const key in value) if (typeof value[key] === 'object') freeze(value[key])
  return Object.freeze(value)
}

/** Minimum size of any value, in bytes. */
const least = 16
/** From which weight on it is remembered. */
const remembered = 4_000
/** Cache of the sizes of large objects. Records and their values are never modified. */
const known = new WeakMap<object, number>()

/** About how much memory a JSON value takes, in bytes; more rather than less. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return least + value.length * 2
  if (typeof value !== 'object' || value === null) return least
  let weight = known.get(value)
  if (weight === undefined) {
    weight = least
    // A record's attributes are the same texts in each: their names cost nothing.
    for (const member of Object.values(value)) weight += least + weigh(member)
    // What is small is weighed again sooner than looked up.
    if (weight > remembered) known.set(value, weight)
  }
  return weight
}

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
