import * as z from 'zod/mini'
import { microsecondsPattern, parseDatetime, parseDuration } from '../shared/timestamps.ts'

/** The schemas of timestamps, so that fixtures and presenters recognize them. */
const timestampSchemas = new WeakSet<z.core.$ZodType>()

/** A stored timestamp: `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
export const timestamp = markTimestamp(
  matching(microsecondsPattern, 'a timestamp such as 2026-01-31 12:00:00.000000+00:00'),
)

/** A time in a request: `YYYY-MM-DD HH:MM:SS`, or a timestamp in the form of replies. */
export const datetime = markTimestamp(
  z
    .string()
    .check(z.refine((text) => parseDatetime(text) !== undefined, 'a datetime such as 2026-01-31 12:00:00')),
)

/**
 * Creates the schema of a text that matches a pattern, which its JSON Schema contains. A page would load `z.regex` and
 * all its known formats for a few such texts.
 */
export function matching(pattern: RegExp, expected: string): z.ZodMiniString<string> {
  const check = z.refine<string>(pattern.test.bind(pattern), expected)
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag.patterns = new Set([pattern])
  })
  return z.string().check(check)
}

function markTimestamp<Schema extends z.ZodMiniString<string>>(schema: Schema): Schema {
  timestampSchemas.add(schema)
  return schema
}

/** A JSON object whose keys the specification does not show; it is not changed. */
export const anyObject = z.looseObject({})

/** Schema of a duration: milliseconds, or a text such as `20s`. */
export const duration = z
  .union([z.string(), z.number()])
  .check(z.refine((value) => parseDuration(value) !== undefined, 'milliseconds, or a duration such as 5s'))

/** A text that is not empty. */
export const nonEmptyText = z.string().check(z.minLength(1))

/** Schema of a number that is 0 or more. */
export const count = z.int().check(z.minimum(0))

/** Schema of a number that is 1 or more. */
export const positiveInteger = z.int().check(z.minimum(1))

/** A positive number that identifies a record. */
export const id = z.int().check(z.minimum(1))

/** An attribute with a default value. */
export const withDefault = z._default

/** An attribute that may be null, and is null by default. */
export function nullByDefault<Schema extends z.ZodMiniType>(schema: Schema) {
  return z._default(z.nullable(schema), null)
}

/** Returns the attributes of a schema that contain timestamps. */
export function timesIn(attributes: z.ZodMiniObject): readonly string[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = attributes.shape
  return Object.entries(shape).flatMap(([name, schema]) => (holdsTimestamp(schema) ? [name] : []))
}

/** Reports whether an attribute's schema, or the one that it wraps, is that of a timestamp. */
function holdsTimestamp(schema: z.core.$ZodType): boolean {
  const { def }: { def: z.core.$ZodTypeDef & { innerType?: z.core.$ZodType } } = schema._zod
  return timestampSchemas.has(schema) || (def.innerType !== undefined && holdsTimestamp(def.innerType))
}
