// Generates the parts of docs/reference about the admin API, the matchers and the errors.
import { readFileSync } from 'node:fs'
import { ClientError } from '../../dist/admin/client/index.js'
import { createUnderstudy, UnderstudyError } from '../../dist/index.js'
import { ListenError, serve } from '../../dist/server/index.js'
import { StorageError } from '../../dist/storage/index.js'
import { membersOf, table } from './reference-pages.mjs'

const code = (value) => `\`${value}\``

// ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The errors of the API, then the error codes of the library. */
export function errorTables() {
  const types = entriesOf('src/shared/errors.ts', 'errorCodes').map(({ key, value, comment }) => [
    value,
    code(key),
    comment,
  ])
  const statuses = Object.fromEntries(
    entriesOf('src/admin/problem.ts', 'statusOf').map(({ key, value }) => [key, value]),
  )
  const refused = ['hints', 'RefusedElsewhere'].flatMap((name) =>
    entriesOf('src/shared/understudy-error.ts', name),
  )
  const codes = refused.map(({ key, comment }) => [code(key), comment, hintOf(key), statuses[key] ?? ''])
  return {
    types: table(['code', 'type', 'when'], types),
    codes: table(['code', 'when', 'what to do', 'by the admin API'], codes),
  }
}

/** Returns the hint of the class that uses the code. */
function hintOf(key) {
  const hint = [UnderstudyError, StorageError, ListenError, ClientError]
    .map((Thrown) => new Thrown(key, '').hint)
    .find((text) => text !== '')
  if (hint === undefined) throw new Error(`${key} has no hint.`)
  return hint
}

/** The entries of an object, or the members of an interface, that a source declares, each with the comment before it. */
function entriesOf(path, name) {
  const source = readFileSync(path, 'utf8')
  const [, body] =
    new RegExp(`(?:const|interface) ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? []
  if (body === undefined) throw new Error(`${path} declares no ${name}.`)
  const entries = /(?: {2}\/\*\* ((?:(?!\*\/)[\s\S])*?) \*\/\n)? {2}(\w+): ([^\n]+?),?(?:\n|$)/g
  return [...body.matchAll(entries)].map(([, comment, key, value]) => ({ comment, key, value }))
}

// ── The admin API ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Every route: what it does, what it takes, what it answers. */
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
  const said = [
    description,
    allowed && `${allowed.map(code).join(', ')}.`,
    inside.length > 0 && `{ ${inside.map(code).join(' or ')} }`,
  ]
    .filter(Boolean)
    .join(' ')
  const needed = isNeeded ? ' (needed)' : ''
  return said === '' ? `${code(name)}${needed}.` : `${code(name)}${needed}: ${sentence(said)}`
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

// ── Matchers ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The matchers with their descriptions, and the members of a pattern. */
export function matcherTables() {
  const path = 'src/integrations/matchers/types.ts'
  const source = readFileSync(path, 'utf8')
  const [, body] = /export interface UnderstudyMatchers[^{]*\{\n([\s\S]*?)\n\}/.exec(source)
  const methods = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(\w+)(?:<[^>\n]*>)?\(([^)]*)\): R\n/g
  const matchers = [...`${body}\n`.matchAll(methods)].map(([, comment, name, parameters]) => {
    const text = comment.replaceAll(/\s*\n\s*\* ?/g, '\n').trim()
    const [says, example] = text.split('\n@example\n')
    const names = [...parameters.matchAll(/(?:^|,)\s*(\w+\??):/g)].map(([, parameter]) => parameter)
    return [code(`${name}(${names.join(', ')})`), says.replaceAll('\n', ' '), code(example)]
  })
  const pattern = membersOf(path, 'RequestPattern').map(([name, , text]) => [code(name), text])
  return {
    matchers: table(['matcher', 'what it expects', 'such as'], matchers),
    pattern: table(['of a pattern', 'what it asks for'], pattern),
  }
}
