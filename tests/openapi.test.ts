import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { oas31 } from 'openapi3-ts'
import { expect, it as itInParts } from 'vitest'
import { parse } from 'yaml'
import { adminDocument } from '../src/admin/admin-document.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { createUnderstudy, type Fixture, type UnderstudyReply } from '../src/index.ts'
import { buildDocument, openapiJson, openapiYaml } from '../src/openapi/index.ts'
import { profiles } from '../src/profiles/index.ts'
import { resources as builtIn } from '../src/resources/index.ts'
import { apiKeyLocations, type CredentialLocation, tokenLocations } from '../src/shared/credentials.ts'
import { company } from './support/company.ts'
import { firstOf, thoroughly, wholly } from './support/depth.ts'
import { play, scenes } from './support/parity-script.ts'
import { runCommand } from './support/run-command.ts'
import { makeFolder } from './support/temporary.ts'

const it = wholly(itInParts)

const root = join(import.meta.dirname, '..')
const versions = ['3.1', '3.0'] as const
type Version = (typeof versions)[number]
type ObjectSchema = oas31.SchemaObject & { properties: Record<string, oas31.SchemaObject> }

const document = buildDocument()
const schemas = document.components!.schemas as Record<string, ObjectSchema>
const at = (path: string, method: 'get' | 'post' | 'put' | 'delete') => document.paths![path]![method]!
const routes = Object.entries(document.paths!).flatMap(([path, item]) =>
  Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
    path,
    method,
    operation,
    parameters: (operation.parameters ?? []) as oas31.ParameterObject[],
  })),
)

// Compiles each schema once and in place: most validate few values.
const once = { inlineRefs: false, code: { optimize: false } }

/** Compiles the schemas of a document, as somebody else reads them. */
function checker(described: object, version: Version) {
  const ajv =
    version === '3.1'
      ? new Ajv2020({ allowUnionTypes: true, keywords: Object.keys(described), ...once })
      : new Ajv({ strict: false, ...once })
  ajv.addSchema(described, 'document', false, false)
  const made = new Map<string, ValidateFunction>()
  return (pointer: string) => {
    const known = made.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    made.set(pointer, known)
    return known
  }
}

const check = checker(document, '3.1')
const escapePointer = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
const replyPointer = (name: string) => `/components/responses/${name}/content/application~1json/schema`
const pascalCase = (id: string) => `${id[0]!.toUpperCase()}${id.slice(1)}`

itInParts.each(firstOf(1, versions))(
  'is an OpenAPI document of version %s to a validator with the official schema',
  async (version) => {
    const validator = new Validator()

    expect(await validator.validate(JSON.parse(openapiJson(version)))).toEqual({ valid: true })
    expect(validator.version).toBe(version)
  },
)

thoroughly(itInParts)('is valid for the routes of a profile, and for the admin API', async () => {
  const { endpoints } = createUnderstudy({ profile: profiles['mage-ai-0.9.79']! })
  const documents = [
    buildDocument({ resources: [...new Set(endpoints.map(({ resource }) => resource))] }),
    adminDocument(adminRoutes),
  ]

  for (const described of documents)
    expect(await new Validator().validate(structuredClone(described) as never)).toEqual({ valid: true })
})

it('has examples that fit their schemas', () => {
  const wrong: string[] = []
  let count = 0
  const hold = (pointer: string, value: unknown) => {
    count += 1
    if (!check(pointer)(value)) wrong.push(pointer)
  }
  for (const { path, method, parameters } of routes) {
    for (const [index, { example }] of parameters.entries()) {
      hold(`/paths/${escapePointer(path)}/${method}/parameters/${index}/schema`, example)
    }
  }
  for (const kind of ['requestBodies', 'responses'] as const) {
    for (const [name, { content }] of Object.entries(
      document.components![kind] as Record<string, oas31.ResponseObject>,
    )) {
      for (const { value } of Object.values(
        content!['application/json']!.examples as Record<string, { value: unknown }>,
      )) {
        hold(`/components/${kind}/${name}/content/application~1json/schema`, value)
      }
    }
  }

  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(130)
})

/** Holds every record that the examples name. */
const named: Fixture = {
  users: [{ id: 1, username: 'mira', email: 'mira@example.com', password: 'lantern' }],
  pipelines: [
    {
      name: 'daily-sales',
      blocks: [
        { name: 'load orders', type: 'data_loader' },
        { name: 'sum up', type: 'transformer', upstream_blocks: ['load_orders'] },
      ],
    },
  ],
  pipeline_schedules: [{ id: 3, pipeline_uuid: 'daily_sales', name: 'every night', token: 'night-token' }],
  backfills: [{ id: 7, pipeline_uuid: 'daily_sales', name: 'january' }],
  pipeline_runs: [{ id: 5, pipeline_schedule_id: 3, pipeline_uuid: 'daily_sales' }],
}

const titled = routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const)

it.each(titled)('has a valid example of %s', async (_, route) => {
  const { path, method, operation, parameters } = route
  const understudy = createUnderstudy({ fixture: named })
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, example }) => [name, String([example].flat()[0])]),
  )
  const body = operation.requestBody && (resolve(operation.requestBody) as oas31.RequestBodyObject)
  const [written] = Object.values(
    (body?.content['application/json']?.examples ?? {}) as Record<string, { value: unknown }>,
  )
  const reply = await understudy.dispatch({
    method: method.toUpperCase(),
    url: `${filled}?${query}`,
    ...(written && { body: JSON.stringify(written.value) }),
  })

  expect(JSON.parse(reply!.body)).not.toHaveProperty('error')
  expect(check(replyPointer(pascalCase(reply!.operation!.id)))(JSON.parse(reply!.body))).toBe(true)
  expect(operation.operationId).toMatch(new RegExp(`^${reply!.operation!.id}`))
})

function resolve(reference: object): unknown {
  const [, , kind, name] = (reference as oas31.ReferenceObject).$ref.split('/')
  return (document.components as Record<string, Record<string, unknown>>)[kind!]![name!]
}

type ResourceList = typeof builtIn

/** Every reply to the request script, with the table it comes from. */
async function readReplies(
  profile?: string,
): Promise<{ replies: UnderstudyReply[]; resources: ResourceList }> {
  const replies: UnderstudyReply[] = []
  let resources: ResourceList = []
  for (const scene of scenes.filter((candidate) => candidate.profile === profile)) {
    const options = profile === undefined ? {} : { profile: profiles[profile]! }
    const understudy = createUnderstudy({ fixture: company, auth: scene.auth, ...options })
    resources = [...new Set(understudy.endpoints.map(({ resource }) => resource))]
    await play(scene, {
      name: 'memory',
      advance: (duration) => understudy.clock.advance(duration),
      async send({ method, path, headers, body }) {
        const text = body && new TextDecoder().decode(body)
        const reply = await understudy.dispatch({ method, url: path, headers, body: text })
        if (reply === undefined) return { status: 200, headers: [], body: '' }
        if (reply.body !== '') replies.push(reply)
        return { status: reply.status, headers: Object.entries(reply.headers), body: reply.body }
      },
    })
  }
  return { replies, resources }
}

itInParts.each(firstOf(1, versions))(
  'describes every reply of the request script in version %s, as a success or an error',
  async (version) => {
    const { replies, resources } = await readReplies()
    const checkReply = checker(buildDocument({ version, resources }), version)
    const wrong: string[] = []
    for (const { operation, code, body } of replies) {
      const isError = checkReply('/components/schemas/ErrorEnvelope')(JSON.parse(body))
      const fits = operation ? checkReply(replyPointer(pascalCase(operation.id)))(JSON.parse(body)) : isError
      if (!fits || isError !== (code !== 200)) wrong.push(`${operation?.id}: ${body}`)
    }

    expect(wrong).toEqual([])
    expect(replies.length).toBeGreaterThan(150)
  },
)

it('describes the records of a profile if it is built from the table of the profile', async () => {
  const { replies, resources } = await readReplies('mage-ai-0.9.79')
  const described = buildDocument({ resources })
  const checkReply = checker(described, '3.1')
  const records = replies.filter(({ operation, code }) => operation && code === 200)
  const wrong = records.filter(
    ({ operation, body }) => !checkReply(replyPointer(pascalCase(operation!.id)))(JSON.parse(body)),
  )

  expect(wrong.map(({ operation, body }) => `${operation!.id}: ${body}`)).toEqual([])
  expect(records.length).toBeGreaterThan(5)
  expect(described.paths).toHaveProperty([
    '/api/pipeline_schedules/{pipeline_schedule_id}/api_trigger',
    'post',
  ])
})

it('regards a reply with the key as an error, one without it as a success, and others as neither', () => {
  const error = { code: 404, message: 'No.', type: 'record_not_found' }
  const success = { oauth_access_tokens: [], metadata: { count: 0, next: false } }
  const fits = (body: object) => [
    check('/components/schemas/ListOauthAccessTokensEnvelope')(body),
    check('/components/schemas/ErrorEnvelope')(body),
    check(replyPointer('ListOauthAccessTokens'))(body),
  ]

  expect(fits(success)).toEqual([true, false, true])
  expect(fits({ error, status: 200 })).toEqual([false, true, true])
  expect(fits({ ...success, error, status: 200 })).toEqual([false, true, true])
  expect(fits({ ...success, error: null })).toEqual([false, false, false])
  expect(fits({ error, status: 404 })).toEqual([false, false, false])
  expect(fits({ error })).toEqual([false, false, false])
  expect(fits({ metadata: success.metadata })).toEqual([false, false, false])
  expect(fits({ oauth_access_tokens: [] })).toEqual([false, false, false])
  expect(fits({})).toEqual([false, false, false])
})

it('accepts fields that are not described, and requires each one that is', () => {
  const examples = (document.components!.responses!.DeleteBackfill as oas31.ResponseObject).content![
    'application/json'
  ]!.examples as Record<string, { value: { backfill: Record<string, unknown> } }>
  const { backfill } = examples.success!.value
  const isReply = check(replyPointer('DeleteBackfill'))
  const without = (name: string) =>
    Object.fromEntries(Object.entries(backfill).filter(([key]) => key !== name))

  expect(isReply({ backfill: { ...backfill, colour: 'red' }, metadata: null })).toBe(true)
  expect(Object.keys(backfill).sort()).toEqual(
    [...(builtIn.find(({ plural }) => plural === 'backfills')?.presents ?? [])].sort(),
  )
  for (const name of Object.keys(backfill)) expect(isReply({ backfill: without(name) }), name).toBe(false)
  expect(isReply({ backfill: { ...backfill, created_at: '2026-02-01 08:30:00.000000+00:00' } })).toBe(false)
  expect(check(replyPointer('ReadBackfill'))({ backfill })).toBe(false)
})

it('describes every route with a unique id', () => {
  const inTable = builtIn.flatMap(({ operations }) => operations.flatMap((operation) => operation.routes))
  const ids = routes.map(({ operation }) => operation.operationId)

  expect(routes).toHaveLength(inTable.length)
  expect(new Set(ids).size).toBe(inTable.length)
})

it('describes every parameter and attribute', () => {
  const silent: string[] = []
  const visit = (schema: oas31.SchemaObject, path: string) => {
    for (const [name, property] of Object.entries(
      (schema.properties ?? {}) as Record<string, oas31.SchemaObject>,
    )) {
      const isEnvelope = /(?:Envelope|Body)$/.test(path)
      if (property && !isEnvelope && property.description === undefined) silent.push(`${path}.${name}`)
      visit(property, `${path}.${name}`)
    }
    if (schema.items) visit(schema.items as oas31.SchemaObject, `${path}[]`)
  }
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name)
  const undescribed = routes.flatMap(({ parameters }) => parameters.filter(({ description }) => !description))

  expect(silent).toEqual([])
  expect(undescribed).toEqual([])
})

it('has a scheme for every place but the body where a credential is read', () => {
  const places = [apiKeyLocations, tokenLocations].flatMap((places): CredentialLocation[] =>
    Object.values(places),
  )
  const shown = places
    .filter((place) => place.in !== 'body')
    .map(({ in: part, name, scheme }) =>
      scheme === undefined ? { in: part, name } : { scheme: scheme.toLowerCase() },
    )
  const schemes = Object.values(document.components!.securitySchemes!)

  expect(schemes).toHaveLength(shown.length)
  expect(schemes).toEqual(expect.arrayContaining(shown.map((place) => expect.objectContaining(place))))
})

it('lists the credentials of an operation', () => {
  const key = [{ apiKeyInQuery: [] }, { apiKeyInHeader: [] }]

  expect(document.security).toHaveLength(8)
  expect(document.security).toEqual(expect.arrayContaining([{ apiKeyInHeader: [], bearer: [] }, ...key]))
  expect(at('/api/sessions', 'post').security).toEqual(key)
  expect(at('/api/pipeline_schedules/{pipeline_schedule_id}/pipeline_runs/{token}', 'post').security).toEqual(
    [],
  )
  expect(routes.filter(({ operation }) => operation.security !== undefined)).toHaveLength(2)
})

it('has a committed copy that is not stale', () => {
  expect(readFileSync(join(root, 'openapi.json'), 'utf8'), 'run `npm run docs`').toBe(openapiJson())
})

thoroughly(itInParts).each(versions)('is the same document in JSON and YAML in version %s', (version) => {
  expect(parse(openapiYaml(version))).toEqual(JSON.parse(openapiJson(version)))
})

it('returns a document that its reader may change', () => {
  const own = buildDocument()
  ;(own.components!.schemas!.Pipeline as ObjectSchema).properties.uuid!.type = 'integer'
  own.tags!.length = 0

  expect(JSON.stringify(buildDocument())).toBe(JSON.stringify(document))
})

it('is printed or written by the command in the requested version and format', async () => {
  const path = join(makeFolder(), 'api.yaml')
  const printed = await runCommand(['openapi', '--version', '3.0'])
  await runCommand(['openapi', '--out', path])

  expect(printed).toEqual({ code: 0, out: openapiJson('3.0'), err: '' })
  expect(readFileSync(path, 'utf8')).toMatch(/^openapi: 3\.1/)
})
