import * as z from 'zod/mini'

type Members = Readonly<Record<string, unknown>>

const context = { async: false } as const

/**
 * Reads the members of an object by the schemas of their names; `undefined` if one is missing, invalid or unknown. Then
 * `schema.safeParse` reports the issues. That creates objects for each member of the schema, given or not: a write would
 * take a quarter more processor time (`bench -- --only throughput`).
 *
 * @param before valid members, which the given ones replace. Default: the defaults of the schema.
 */
export function readMembers(
  schema: z.ZodMiniObject,
  given: Members,
  before: Members = blankOf(schema).members,
): Record<string, unknown> | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  // Not by spreading: V8 gives each generation of copies a hidden class of its own.
  const read: Record<string, unknown> = Object.assign({}, before)
  for (const name of blankOf(schema).required)
    if (given[name] === undefined && read[name] === undefined) return undefined
  for (const name in given) {
    const value = given[name]
    if (value === before[name] && value !== undefined) continue
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined
    const payload = member?._zod.run({ value, issues: [] }, context)
    if (payload === undefined || !('issues' in payload) || payload.issues.length > 0) return undefined
    read[name] = payload.value
  }
  return read
}

interface Blank {
  /** Members with a default or a value to come, in the order of the schema. */
  readonly members: Members
  /** Members that have no default and are not optional. */
  readonly required: readonly string[]
}
const blanks = new WeakMap<z.ZodMiniObject, Blank>()

/** Returns the members of an empty object. */
function blankOf(schema: z.ZodMiniObject): Blank {
  let known = blanks.get(schema)
  if (known === undefined) {
    const members: Record<string, unknown> = {}
    const required: string[] = []
    for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape)) {
      const { success, data } = z.safeParse(member, undefined)
      if (!success) required.push(name)
      if (!success || data !== undefined) members[name] = data
    }
    known = { members, required }
    blanks.set(schema, known)
  }
  return known
}
