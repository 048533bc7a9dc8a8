import type { oas31 } from 'openapi3-ts'
import * as z from 'zod/mini'
import { type TimestampFormat, timestampPatterns } from '../shared/timestamps.ts'
import { isObject } from '../shared/values.ts'

export type Schema = oas31.SchemaObject

/** The schema that no value matches: `openapi3-ts` has no type for a boolean schema. */
export const nothing = false as never

/** Converts a zod schema to a JSON Schema, without the keywords that only zod needs. */
export function toSchema(schema: z.core.$ZodType): Schema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  return Object.fromEntries(Object.entries(plain))
}

function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  for (const [key, value] of Object.entries(schema)) {
    const isBoundOfIntegers = Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
    if (key === 'default' || key === 'propertyNames' || isBoundOfIntegers) delete schema[key]
  }
  const { anyOf = [], additionalProperties } = schema
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null')
  if (only?.type !== undefined && others.length === 0) {
    const { type, enum: values, ...rest } = only
    delete schema.anyOf
    Object.assign(schema, { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest })
  }
  if (isObject(additionalProperties) && Object.keys(additionalProperties).length === 0)
    schema.additionalProperties = true
}

/** Returns the same schema, extended by null. */
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
