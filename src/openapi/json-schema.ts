import type { oas31 } from 'openapi3-ts'
import * as z from 'zod/mini'
import { type TimestampFormat, timestampPatterns } from '../shared/timestamps.ts'
import { isObject } from '../shared/values.ts'

export type Schema = oas31.SchemaObject

/** The schema that no value fits: `openapi3-ts` has no type for a boolean schema. */
export const nothing = false as never

/** Turns a zod schema into a JSON Schema, without what only zod cares for. */
export function toSchema(schema: z.core.$ZodType): Schema {
  return simplify(z.toJSONSchema(schema, { io: 'input' }))
}

/** Keys that the output of zod has in addition. */
const dropped = new Set(['$schema', 'default', 'propertyNames'])

function simplify(schema: Readonly<Record<string, unknown>>): Schema {
  const parts = Object.entries(schema)
    .filter(([key, value]) => !dropped.has(key) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
    .map(([key, value]) => [key, simplifyPart(key, value)])
  return withNull(Object.fromEntries(parts))
}

function simplifyPart(key: string, value: unknown): unknown {
  if (key === 'anyOf' && Array.isArray(value)) return value.map(simplify)
  if (!isObject(value)) return value
  if (key === 'properties') {
    const properties = Object.entries(value).map(([name, property]) => [
      name,
      simplifyPart('items', property),
    ])
    return Object.fromEntries(properties)
  }
  if (key === 'additionalProperties' && Object.keys(value).length === 0) return true
  return key === 'items' || key === 'additionalProperties' ? simplify(value) : value
}

/** Writes "this or null" as one schema whose type is a list. */
function withNull(schema: Schema): Schema {
  const { anyOf = [], ...others } = schema
  const [first, second] = anyOf
  const isNullable = anyOf.length === 2 && isTyped(first) && isTyped(second) && second.type === 'null'
  return isNullable ? orNull({ ...others, ...first }) : schema
}

function isTyped(schema: Schema | oas31.ReferenceObject | undefined): schema is Schema {
  return schema !== undefined && 'type' in schema
}

/** The same schema, but for that it takes null too. */
export function orNull(schema: Schema): Schema {
  const { type = [], enum: values, ...others } = schema
  return {
    type: [type, 'null' as const].flat(),
    ...(values && { enum: [...values, null] }),
    ...others,
  }
}

export function takesNull({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null')
}

const formatNames: Readonly<Record<TimestampFormat, string>> = {
  seconds: 'YYYY-MM-DD HH:MM:SS',
  microseconds: 'YYYY-MM-DD HH:MM:SS.ffffff+00:00',
  iso: 'YYYY-MM-DDTHH:MM:SS.ffffff+00:00',
  'without-offset': 'YYYY-MM-DD HH:MM:SS.ffffff',
  shortest: 'YYYY-MM-DD HH:MM:SS[.ffffff]',
}

/** Returns the schema of a time in a reply, with a description of its format. */
export function timestampSchema(format: TimestampFormat): Schema {
  return {
    type: 'string',
    pattern: timestampPatterns[format].source,
    description: `Formatted \`${formatNames[format]}\`.`,
  }
}

/** The schema of a time in a request: either documented form (`datetime-input`). */
export const writtenTimestamp: Schema = {
  type: 'string',
  pattern: `${timestampPatterns.seconds.source}|${timestampPatterns.microseconds.source}`,
  description: `Formatted \`${formatNames.seconds}\`; \`${formatNames.microseconds}\` is taken too. A day of the calendar.`,
}
