import type { oas30, oas31 } from 'openapi3-ts'
import { type AssumptionId, assumptions } from '../assumptions/index.ts'
import { resources as builtIn } from '../resources/index.ts'
import { notesOn, sectionOf, titleOf } from '../resources/notes.ts'
import type { Operation, OperationBasis, Resource, Route } from '../resources/resource.ts'
import { defaultUrl } from '../shared/addresses.ts'
import { toTemplate } from '../shared/path-templates.ts'
import { version } from '../shared/version.ts'
import { lowerCase, pascalCase } from '../shared/words.ts'
import { reply, requestBody, sharedSchemas } from './bodies.ts'
import type { Schema } from './json-schema.ts'
import { operationIdAt } from './names.ts'
import { pathParameters, queryParameter } from './parameters.ts'
import { RecordSchemas } from './record-schemas.ts'
import { ownSecurity, security, securitySchemes } from './security.ts'
import { toOpenapi30 } from './to-openapi-30.ts'

/** The supported versions of OpenAPI. */
export type OpenapiVersion = '3.0' | '3.1'

export interface DocumentOptions {
  /** The version of OpenAPI. Default `3.1`. */
  readonly version?: OpenapiVersion
  /** The described resources. Default: those of the specification. */
  readonly resources?: readonly Resource[]
  /** Base URLs of the API. Default: any base URL. */
  readonly servers?: oas31.ServerObject[]
}

/**
 * Builds the OpenAPI document of the API from the table of resources.
 *
 * @example
 * const document = buildDocument({ version: '3.0' })
 */
export function buildDocument(options: DocumentOptions & { readonly version: '3.0' }): oas30.OpenAPIObject
export function buildDocument(options?: DocumentOptions & { readonly version?: '3.1' }): oas31.OpenAPIObject
export function buildDocument(options?: DocumentOptions): oas30.OpenAPIObject | oas31.OpenAPIObject
export function buildDocument(options: DocumentOptions = {}): oas30.OpenAPIObject | oas31.OpenAPIObject {
  // Later documents share parts of it, and callers may modify the result.
  const document = structuredClone(createDocument(options))
  return options.version === '3.0' ? toOpenapi30(document) : document
}

const description = `A service that orchestrates data pipelines through a JSON HTTP API.

Every reply has the HTTP status 200. Errors are in the body, under \`error\`; clients read \`error.code\`. Replies may have more
fields than described here.

Most operations need an API key. If users must sign in, they also need an OAuth token.

\`x-basis\` is \`documented\`, or \`convention\` if the operation only follows from the conventions. \`x-section\` is the section of the
specification, and \`x-assumptions\` lists the assumptions about unspecified behavior.`

const anyServer: oas31.ServerObject = {
  url: '{base_url}',
  description: 'The base URL of the service, without `/api`.',
  // No description of the variable: the JSON Schema of OpenAPI 3.1 that swagger-parser has rejects it.
  variables: { base_url: { default: defaultUrl } },
}

/** Builds the description in version 3.1. Descriptions share parts. */
function createDocument(options: Omit<DocumentOptions, 'version'>): oas31.OpenAPIObject {
  const { resources = builtIn, servers = [anyServer] } = options
  const described = resources.filter(({ operations }) => operations.length > 0)
  const records = new RecordSchemas(resources)
  const envelopes: Record<string, Schema> = {}
  const bodies: Record<string, Schema> = {}
  const requestBodies: Record<string, oas31.RequestBodyObject> = {}
  const responses: Record<string, oas31.ResponseObject> = {}
  const paths: Record<string, oas31.PathItemObject> = {}
  for (const resource of described) {
    for (const operation of resource.operations) {
      const name = pascalCase(operation.id)
      responses[name] = reply(resource, operation, records, envelopes)
      const body = requestBody(resource, operation, bodies)
      if (body) requestBodies[name] = body
      for (const route of operation.routes) {
        const path = toTemplate(route.path)
        paths[path] ??= {}
        paths[path][lowerCase(route.method)] = describeRoute(resources, resource, operation, route, body)
      }
    }
  }
  const tags = described
    .map(notesOn)
    .map(({ title, description }) => ({ name: title, description }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const schemas = { ...records.schemas, ...bodies, ...envelopes, ...sharedSchemas }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pipeline orchestration service',
      version,
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers,
    security,
    tags,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, inOrder(item)])),
    components: {
      schemas,
      requestBodies,
      responses,
      securitySchemes: { ...securitySchemes },
    },
  }
}

/** The operations of a path in the usual order of their methods. */
function inOrder({ get, post, put, delete: remove }: oas31.PathItemObject): oas31.PathItemObject {
  return {
    ...(get && { get }),
    ...(post && { post }),
    ...(put && { put }),
    ...(remove && { delete: remove }),
  }
}

function describeRoute(
  resources: readonly Resource[],
  resource: Resource,
  operation: Operation,
  route: Route,
  body: oas31.RequestBodyObject | undefined,
): oas31.OperationObject {
  const name = pascalCase(operation.id)
  const parameters = [
    ...pathParameters(resources, route),
    ...(operation.parameters ?? []).map((parameter) => queryParameter(resource, parameter)),
  ]
  const credentials = ownSecurity(operation)
  const { title, assumptions: rests, routes } = notesOn(resource)
  const ids = rests?.[operation.id] ?? []
  const note = routes?.[operation.id]?.[route.method] ?? route.note
  return {
    operationId: operationIdAt(resources, resource, operation, route),
    tags: [title],
    summary: titleOf(resource, operation),
    description: describeOperation(operation, route.basis, ids, note),
    'x-basis': route.basis,
    'x-section': sectionOf(operation),
    'x-assumptions': [...ids],
    ...(credentials && { security: credentials }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { $ref: `#/components/requestBodies/${name}` } }),
    responses: { '200': { $ref: `#/components/responses/${name}` } },
  }
}

const basisTexts = {
  documented: 'Documented',
  convention: 'Not documented by itself; it follows from the conventions',
  custom: 'Added by a fixture; it follows from the conventions',
} as const

function describeOperation(
  operation: Operation,
  basis: OperationBasis,
  ids: readonly AssumptionId[],
  note: string | undefined,
): string {
  const silent = ids.map((id) => `- \`${id}\`: ${assumptions[id].choice}`)
  const parts = [
    `${basisTexts[basis]} (section "${sectionOf(operation)}").`,
    note,
    silent.length > 0 ? `Where the description is silent:\n\n${silent.join('\n')}` : undefined,
  ]
  return parts.filter((part) => part !== undefined).join('\n\n')
}
