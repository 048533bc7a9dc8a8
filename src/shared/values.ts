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
 * Returns the text of an unchecked value; empty if it is neither text nor number. `String` would call the member
 * `toString` of an object, which JSON may set to any value.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Reports whether two JSON values are equal. The order of members matters. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

/** Returns the text of a value in filters: a text does not change, any other value becomes JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the keys of an object that has only those of its type, such as a constant table. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[] // TypeScript types the keys as any texts.
}

/** Freezes a record deeply, because a change creates a new record. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const key in value) if (typeof value[key] === 'object') freeze(value[key])
  return Object.freeze(value)
}

export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

const least = 16
/** Maximum number of members of an object whose names are not counted. */
const mostShared = 64
/** Size of a name in a large object without its characters, in bytes. */
const bytesOfName = 64
const minCachedSize = 4_000
/** Cache of the sizes of large objects. Records and their values are never modified. */
const known = new WeakMap<object, number>()

/** Estimates the memory of a JSON value in bytes; rather too high than too low. */
export function estimateSize<Value>(value: Value): number {
  if (typeof value === 'string') return least + value.length * 2
  if (typeof value !== 'object' || value === null) return least
  let size = known.get(value)
  if (size === undefined) {
    size = least
    let count = 0
    for (const name in value) {
      size += least + estimateSize(value[name])
      count++
      // Objects with few members share their names, as records do; a large one stores its own.
      if (count > mostShared && !Array.isArray(value)) size += bytesOfName + name.length
    }
    // Estimating a small object is faster than looking it up.
    if (size > minCachedSize) known.set(value, size)
  }
  return size
}

/**
 * Returns a value that must not be `undefined`.
 *
 * @throws where it is `undefined` or `null`.
 * @example
 * const resource = required(byPlural.get(plural), `the resource ${plural}`)
 */
export function required<Value>(value: Value, name: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`Expected ${name}; found ${value}.`)
  return value
}
