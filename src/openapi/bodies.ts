import type { oas31 } from 'openapi3-ts'
import { notesOn } from '../resources/notes.ts'
import type { Operation, Resource } from '../resources/resource.ts'
import { errorCodes } from '../shared/errors.ts'
import { pascalCase } from '../shared/words.ts'
import { errorExample, replyExample, requestExample } from './examples.ts'
import { nothing, type Schema } from './json-schema.ts'
import { type RecordSchemas, referTo, writableSchema } from './record-schemas.ts'

type NamedSchemas = Record<string, Schema>

/** The schemas that replies of every resource share. */
export const sharedSchemas: Readonly<NamedSchemas> = {
  ErrorEnvelope: {
    type: 'object',
    description:
      'What every operation replies with where something is wrong; the HTTP status is 200 all the same.',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'integer', description: 'Error code, for example 404.' },
          message: { type: 'string', description: 'Human readable message.' },
          type: { type: 'string', description: `Error type: ${listErrorTypes()}, or another.` },
        },
        required: ['code', 'message', 'type'],
      },
      status: { const: 200, type: 'integer', description: 'Always 200.' },
    },
    required: ['error', 'status'],
  },
  ListMetadata: {
    type: 'object',
    properties: {
      count: { type: 'integer', description: 'Informational.' },
      next: { type: 'boolean', description: '`false` when there is no further page.' },
    },
    required: ['count', 'next'],
  },
  EmptyMetadata: { type: 'object', description: 'Carries nothing.' },
}

function listErrorTypes(): string {
  return Object.entries(errorCodes)
    .map(([type, code]) => `\`${type}\` (${code})`)
    .join(', ')
}

/** Returns the body of a request; `undefined` if there is none. */
export function requestBody(
  resource: Resource,
  operation: Operation,
  schemas: NamedSchemas,
): oas31.RequestBodyObject | undefined {
  const { body, writes, credentials } = operation
  if (body !== 'free-form' && writes === undefined) return undefined
  const { singular } = resource
  const name = `${pascalCase(operation.id)}Body`
  const apiKey = credentials !== 'none' && {
    api_key: {
      type: 'string' as const,
      description: 'The API key, where it is sent neither in the query nor as a header.',
    },
  }
  schemas[name] =
    writes === undefined
      ? { type: 'object', description: 'Free-form variables.', additionalProperties: true }
      : {
          type: 'object',
          properties: { [singular]: writableSchema(resource, writes), ...apiKey },
          required: [singular],
        }
  const example = requestExample(resource, operation)
  return {
    required: writes !== undefined,
    content: {
      'application/json': { schema: referTo(name), examples: { [operation.id]: { value: example } } },
    },
  }
}

/** Builds the schema of the one response of an operation: success or error, distinguished by the key `error`. */
export function reply(
  resource: Resource,
  operation: Operation,
  records: RecordSchemas,
  schemas: NamedSchemas,
): oas31.ResponseObject {
  const record = records.nameOf(resource, operation)
  const isList = operation.action === 'list'
  const name = `${isList ? pascalCase(operation.id) : record}Envelope`
  schemas[name] ??= isList
    ? listEnvelope(resource, operation, record)
    : successEnvelope({ [resource.singular]: referTo(record) })
  const { title } = notesOn(resource)
  return {
    description: `${title}: ${isList ? 'a page of records' : 'the record'}, or an error.`,
    content: {
      'application/json': {
        schema: { oneOf: [referTo(name), referTo('ErrorEnvelope')] },
        examples: {
          success: { value: replyExample(resource, operation) },
          error: { value: errorExample(records.resources, resource, operation) },
        },
      },
    },
  }
}

function listEnvelope(resource: Resource, operation: Operation, record: string): Schema {
  return successEnvelope({
    [resource.plural]: { type: 'array', items: referTo(record) },
    metadata: referTo(operation.metadata === 'empty' ? 'EmptyMetadata' : 'ListMetadata'),
  })
}

function successEnvelope(properties: NamedSchemas): Schema {
  return {
    type: 'object',
    properties: { ...properties, error: nothing },
    required: Object.keys(properties),
  }
}
