import type { oas31 } from 'openapi3-ts'
import * as z from 'zod/mini'
import { type TimestampFormat, timestampPatterns } from '../shared/timestamps.ts'

/** A schema as OpenAPI 3.1 writes it. */
export type Schema = oas31.SchemaObject

/** A schema that nothing fits. */
export const nothing = false as unknown as Schema

/** Turns a zod object into its properties and the names of those that must be given. */
export function toProperties(object: z.ZodMiniObject): {
  properties: Record<string, Schema>
  required: string[]
} {
  const { properties = {}, required = [] } = toSchema(object)
  return { properties: properties as Record<string, Schema>, required }
}

const made = new WeakMap<z.ZodMiniType, Schema>()

/** Turns a zod schema into a JSON Schema, without what only zod cares for. */
export function toSchema(schema: z.ZodMiniType): Schema {
  let simple = made.get(schema)
  if (simple === undefined) {
    simple = simplify(z.toJSONSchema(schema, { io: 'input' }) as Schema)
    made.set(schema, simple)
  }
  return simple
}

/** The parts of zod's output that say nothing here. */
const dropped = new Set(['$schema', 'default', 'propertyNames'])

function simplify(schema: Schema): Schema {
  const simple: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema) as [string, unknown][]) {
    if (dropped.has(key) || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) continue
    simple[key] = simplifyPart(key, value)
  }
  return withNull(simple as Schema)
}

function simplifyPart(key: string, value: unknown): unknown {
  if (key === 'properties') {
    const entries = Object.entries(value as Record<string, Schema>)
    return Object.fromEntries(entries.map(([name, property]) => [name, simplify(property)]))
  }
  if (key === 'items') return simplify(value as Schema)
  if (key === 'anyOf') return (value as Schema[]).map(simplify)
  if (key !== 'additionalProperties' || typeof value !== 'object') return value
  return Object.keys(value as Schema).length === 0 ? true : simplify(value as Schema)
}

/** Writes "this or null" as one schema whose type is a list. */
function withNull(schema: Schema): Schema {
  const { anyOf, ...others } = schema
  const [first, second] = (anyOf ?? []) as Schema[]
  if (anyOf?.length !== 2 || second?.type !== 'null' || first?.type === undefined) return schema
  return orNull({ ...others, ...first })
}

/** The same schema, but for that it takes null too. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...others } = schema
  return {
    type: [type].flat().concat('null') as ['null'],
    ...(values && { enum: [...values, null] }),
    ...others,
  }
}

/** Tells whether a schema takes null. */
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

/** The schema of a moment in a reply, and what to say of its form. */
export function momentSchema(format: TimestampFormat): Schema {
  return {
    type: 'string',
    pattern: timestampPatterns[format].source,
    description: `Formatted \`${formatNames[format]}\`.`,
  }
}

/** The schema of a moment in a request: either documented form (`datetime-input`). */
export const writtenMoment: Schema = {
  type: 'string',
  pattern: `${timestampPatterns.seconds.source}|${timestampPatterns.microseconds.source}`,
  description: `Formatted \`${formatNames.seconds}\`; \`${formatNames.microseconds}\` is taken too. A day of the calendar.`,
}
