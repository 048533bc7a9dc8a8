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
  before: Members = defaultsOf(schema),
): Record<string, unknown> | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  // Not by spreading: V8 gives each generation of copies a hidden class of its own.
  const read: Record<string, unknown> = Object.assign({}, before)
  for (const name in given) {
    const value = given[name]
    if (value === before[name] && value !== undefined) continue
    const member = Object.hasOwn(shape, name) ? shape[name] : undefined
    const payload = member?._zod.run({ value, issues: [] }, context)
    if (payload === undefined || !('issues' in payload) || payload.issues.length > 0) return undefined
    read[name] = payload.value
  }
  const isMissing = (name: string) => read[name] === undefined && shape[name]?._zod.optin === undefined
  return Object.keys(shape).some(isMissing) ? undefined : read
}

const defaults = new WeakMap<z.ZodMiniObject, Members>()

/** Returns the members of an empty object, in the order of the schema; those that it must have are `undefined`. */
function defaultsOf(schema: z.ZodMiniObject): Members {
  let members = defaults.get(schema)
  if (members === undefined) {
    const parsed = Object.entries<z.core.$ZodType>(schema.shape).map(
      ([name, member]) => [name, z.safeParse(member, undefined)] as const,
    )
    const listed = parsed.filter(([, { success, data }]) => !success || data !== undefined)
    members = Object.fromEntries(listed.map(([name, { data }]) => [name, data]))
    defaults.set(schema, members)
  }
  return members
}
