// Generates the parts of docs/reference that come from schemas: the admin API and fixtures.
import { readFileSync } from 'node:fs'
import { createUnderstudy } from '../../dist/index.js'
import { serve } from '../../dist/server/index.js'
import { code, list, table } from './markdown.mjs'

/** Every route, with its description, its input and its reply. */
export async function adminTables() {
  const { paths } = await readAdminDocument()
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, route]) => ({ path, method: method.toUpperCase(), route })),
  )
  const isOfWorld = ({ path }) => path.startsWith('/worlds/{world}/')
  const head = ['request', 'what it does', 'what it takes', 'what it answers']
  const rowOf = ({ path, method, route }) => [
    code(`${method} ${path.replace('/worlds/{world}/', '/').replaceAll(/\{(\w+)\}/g, ':$1')}`),
    [sentence(route.summary), route.description].filter(Boolean).join(' '),
    [...(route.parameters?.map(toParameter).filter(Boolean) ?? []), ...bodyOf(route)].join(' '),
    answerOf(route),
  ]
  return {
    service: table(head, routes.filter((route) => !isOfWorld(route)).map(rowOf)),
    world: table(head, routes.filter(isOfWorld).map(rowOf)),
  }
}

async function readAdminDocument() {
  const serving = await serve(createUnderstudy(), { port: 0 })
  const reply = await fetch(`${serving.url}/__understudy__/api/openapi.json`)
  const document = await reply.json()
  await serving.close()
  return document
}

const sentence = (text) => (text.endsWith('.') ? text : `${text}.`)

/** Describes a query parameter; the route itself describes parameters of any name. */
function toParameter({ in: place, name, schema }) {
  if (place !== 'query' || schema.type === 'object') return ''
  return toItem(`?${name}`, schema)
}

function toItem(name, { description, enum: values, const: only, properties = {} }, isNeeded = false) {
  const allowed = values ?? (only === undefined ? undefined : [only])
  const inside = Object.keys(properties)
  const text = [
    description,
    allowed && `${list(allowed)}.`,
    inside.length > 0 && `{ ${inside.map(code).join(' or ')} }`,
  ]
    .filter(Boolean)
    .join(' ')
  const needed = isNeeded ? ' (needed)' : ''
  return text === '' ? `${code(name)}${needed}.` : `${code(name)}${needed}: ${sentence(text)}`
}

function bodyOf({ requestBody }) {
  const schema = requestBody?.content['application/json'].schema
  if (schema === undefined) return []
  const properties = Object.entries(schema.properties ?? {})
  const items = properties.map(([name, property]) => toItem(name, property, schema.required?.includes(name)))
  return [schema.description && sentence(schema.description), ...items].filter(Boolean)
}

function answerOf({ responses }) {
  const [status, reply] = Object.entries(responses).find(([status]) => status !== 'default')
  const schema = reply.content?.['application/json']?.schema
  const names = Object.keys(schema?.properties ?? {})
  return [
    `${status}: ${sentence(reply.description)}`,
    ...(names.length > 0 ? [`${code(`{ ${names.join(', ')} }`)}`] : []),
  ].join(' ')
}

/** The settings of a fixture, and the attributes of its records. */
export function fixtureTables() {
  const { properties } = JSON.parse(readFileSync('fixtures/fixture.schema.json', 'utf8'))
  const isRecords = ([, { items }]) => items?.properties !== undefined
  const entries = Object.entries(properties)
  const settings = entries.filter((entry) => !isRecords(entry) && entry[0] !== '$schema')
  const sections = entries.filter(isRecords).map(([plural, { items }]) => {
    const rows = Object.entries(items.properties).map(([name, schema]) => [
      `${code(name)}${items.required?.includes(name) ? ' (needed)' : ''}`,
      typeOf(schema),
      schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      schema.description,
    ])
    return `## ${code(plural)}\n\n${table(['attribute', 'type', 'default', 'what it is'], rows)}`
  })
  const rows = settings.map(([name, schema]) => [code(name), typeOf(schema), schema.description])
  return { settings: table(['name', 'type', 'what it is'], rows), records: sections.join('\n\n') }
}

/** Describes the type of a schema. */
function typeOf(schema) {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.enum !== undefined) return list(schema.enum)
  if (schema.description?.startsWith('A datetime such as')) return 'timestamp'
  if (schema.type === 'array') {
    const inside = typeOf(schema.items ?? {})
    return inside === 'anything' ? 'list' : `list of ${inside}`
  }
  return schema.type ?? 'anything'
}
