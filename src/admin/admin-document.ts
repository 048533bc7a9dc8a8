import './without-code-of-text.ts'
import type { oas31 } from 'openapi3-ts'
import * as z from 'zod'
import { adminPath } from '../shared/addresses.ts'
import { parameterNames, toTemplate } from '../shared/path-templates.ts'
import { version } from '../shared/version.ts'
import { lowerCase } from '../shared/words.ts'
import type { AdminRoute } from './define-route.ts'

const description = [
  'Controls and reads a mock server from another process.',
  'Without a token it answers this machine only. With one (`--admin-token`), every request needs the token.',
  'Errors have the format of RFC 9457. For an unknown world, reads and deletions return 404; other writes create it.',
].join(' ')

const flaw = z.object({
  path: z.string().describe('A JSON path into the body, or `?name` for the query.'),
  expected: z.string(),
  found: z.string(),
})
const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string().optional().describe('The code of the error, as `UnderstudyError.code` of the library.'),
  errors: z.array(flaw).optional(),
})

export function adminDocument(routes: readonly AdminRoute[]): oas31.OpenAPIObject {
  const paths: Record<string, oas31.PathItemObject> = {}
  for (const route of routes) {
    const path = toTemplate(route.path)
    paths[path] ??= {}
    paths[path][lowerCase(route.method)] = describe(route)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'pipeline-understudy admin API',
      version: version,
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: adminPath }],
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      schemas: { Problem: toSchema(problem) },
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function describe(route: AdminRoute): oas31.OperationObject {
  const { id, summary, body, reply } = route
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  return {
    operationId: id,
    summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { 'application/json': { schema: toSchema(body) } },
      },
    }),
    responses: {
      [String(reply.status)]: {
        description: reply.description,
        ...(reply.schema && {
          content: { 'application/json': { schema: toSchema(reply.schema, 'output') } },
        }),
        ...(reply.type && { content: { [reply.type]: { schema: { type: 'string' } } } }),
      },
      default: {
        description: 'A problem (RFC 9457).',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function pathParameters({ path }: AdminRoute): oas31.ParameterObject[] {
  return parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: AdminRoute): oas31.ParameterObject[] {
  if (query === undefined) return []
  const shape: Readonly<Record<string, z.core.$ZodType>> = query.shape
  const names = Object.entries(shape)
  // A query with any names: a filter by attributes.
  if (names.length === 0) {
    return [
      {
        name: 'attributes',
        in: 'query',
        style: 'form',
        explode: true,
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ]
  }
  return names.map(([name, schema]) => ({ name, in: 'query', schema: toSchema(schema) }))
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output' = 'input'): oas31.SchemaObject {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io })
  return plain as oas31.SchemaObject
}
