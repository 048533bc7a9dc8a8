import type { oas30, oas31 } from 'openapi3-ts'
import { isObject } from '../shared/values.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Converts an OpenAPI 3.1 document to OpenAPI 3.0. */
export function toOpenapi30(document: oas31.OpenAPIObject): oas30.OpenAPIObject {
  const { paths = {}, components = {} } = document
  const { schemas = {}, requestBodies = {}, responses = {} } = components
  const converted: object = {
    ...document,
    openapi: '3.0.3',
    paths: mapValues(paths, (item) => mapValues(item, withParameters)),
    components: {
      ...components,
      schemas: mapValues(schemas, toSchema30),
      requestBodies: mapValues(requestBodies, withContent),
      responses: mapValues(responses, withContent),
    },
  }
  return converted as oas30.OpenAPIObject
}

function withParameters(operation: unknown): JsonObject {
  const { parameters, ...others } = asObject(operation)
  const converted = asList(parameters)
    .map(asObject)
    .map(({ schema, ...rest }) => ({ ...rest, schema: toSchema30(schema) }))
  return { ...others, ...(converted.length > 0 && { parameters: converted }) }
}

function withContent(holder: unknown): JsonObject {
  const { content, ...others } = asObject(holder)
  const converted = mapValues(content, (media) => ({
    ...asObject(media),
    schema: toSchema30(asObject(media).schema),
  }))
  return { ...others, content: converted }
}

/** Converts a schema of 3.1 to 3.0, which has no boolean schema, no list of types and no `const`. */
function toSchema30(schema: unknown): JsonObject {
  if (schema === false) return { not: {} }
  const converted: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(asObject(schema))) {
    if (key === 'const') converted.enum = [value]
    else if (key === 'type' && Array.isArray(value)) Object.assign(converted, toType30(value.map(String)))
    else converted[key] = toPart30(key, value)
  }
  return converted
}

function toType30(types: readonly string[]): JsonObject {
  const [type, ...others] = types.filter((name) => name !== 'null')
  if (type === undefined || others.length > 0)
    throw new Error(`OpenAPI 3.0 has no type ${types.join(' or ')}.`)
  return { type, ...(types.includes('null') && { nullable: true }) }
}

function toPart30(key: string, value: unknown): unknown {
  if (key === 'properties') return mapValues(value, toSchema30)
  if (key === 'items' || key === 'not') return toSchema30(value)
  if (key === 'oneOf' || key === 'anyOf' || key === 'allOf') return asList(value).map(toSchema30)
  return key === 'additionalProperties' && typeof value === 'object' ? toSchema30(value) : value
}

function mapValues<Value>(object: unknown, map: (value: unknown) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(asObject(object)).map(([key, value]) => [key, map(value)]))
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
