import type { Switches } from '../assumptions.ts'
import type { Model } from '../factories/model.ts'
import type { ActionContext, ActionResult, WireRecord } from '../resources/define-resource.ts'
import { errorEnvelope, type ListMetadata, listEnvelope, recordEnvelope } from '../wire/envelope.ts'
import { ApiError, quote, recordInvalid, recordNotFound } from '../wire/errors.ts'
import { describeIssues } from '../wire/issues.ts'
import { parseDatetime, type Timestamp } from '../wire/timestamps.ts'
import { type Parent, runGenericAction, selectionOf } from './actions.ts'
import { authorize, type Gate } from './authorize.ts'
import { readBody } from './body.ts'
import { preflightHeaders, replyHeaders, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'
import { presentRecord, presentRow, viewOf } from './present.ts'
import { type Query, readQuery, splitUrl } from './query.ts'
import type { Endpoint, Router } from './router.ts'

/** What one world answers from. */
export interface World extends Gate {
  readonly router: Router
}

/**
 * Answers a request; `undefined` where its path is not under `/api`.
 *
 * Never throws: what a client did wrong is an error envelope with HTTP 200 (the document, "Errors"); what we did wrong
 * is HTTP 500 with a problem that names this package.
 */
export function dispatch(
  world: World,
  request: UnderstudyRequest,
): UnderstudyReply | Promise<UnderstudyReply> | undefined {
  const { path, search } = splitUrl(request.url)
  if (!(path.startsWith('/api/') || path === '/api')) return undefined
  if (request.method === 'OPTIONS') {
    return {
      status: 204,
      headers: preflightHeaders(request, world.switches),
      body: '',
      code: 200,
      operation: undefined,
      route: undefined,
    }
  }
  let endpoint: Endpoint | undefined
  try {
    world.model.settle()
    const match = findEndpoint(world, request, path)
    endpoint = match.endpoint
    const answered = answer(world, request, search, match.endpoint, match.parameters)
    if (!(answered instanceof Promise)) return toReply(world, request, 200, answered, match.endpoint)
    return answered.then(
      (body) => toReply(world, request, 200, body, match.endpoint),
      (error: unknown) => toErrorReply(world, request, error, match.endpoint),
    )
  } catch (error) {
    return toErrorReply(world, request, error, endpoint)
  }
}

function findEndpoint({ router }: World, { method }: UnderstudyRequest, path: string) {
  const match = router.match(method, path)
  if (match.kind === 'endpoint') return match
  if (match.kind === 'other-methods') {
    throw new ApiError(
      'method_not_allowed',
      `${method} is not allowed on ${quote(path)}; use ${match.methods.join(' or ')}.`,
    )
  }
  if (match.kind === 'bad-encoding')
    throw recordInvalid(`The path ${quote(path)} has a bad percent-encoding.`)
  throw new ApiError('record_not_found', `Nothing is at ${quote(path)}.${hint(router, path)}`)
}

/** Names the path that was probably meant: another letter case, a trailing or a double slash. */
function hint(router: Router, path: string): string {
  const meant = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
  const candidates = [meant, meant.toLowerCase()]
  const found = candidates.find(
    (candidate) => candidate !== path && router.match('GET', candidate).kind !== 'nothing',
  )
  return found === undefined ? '' : ` Did you mean ${quote(found)}?`
}

function answer(
  world: World,
  request: UnderstudyRequest,
  search: string,
  endpoint: Endpoint,
  parameters: Record<string, string>,
): string | Promise<string> {
  const body = once(() => readBody(request, world.switches))
  const user = authorize(world, endpoint.operation, request, search, body)
  const proceed = (user: WireRecord | undefined) => act(world, endpoint, parameters, search, body, user)
  return user instanceof Promise ? user.then(proceed) : proceed(user)
}

function act(
  world: World,
  endpoint: Endpoint,
  parameters: Record<string, string>,
  search: string,
  body: () => unknown,
  user: WireRecord | undefined,
): string | Promise<string> {
  const { model } = world
  const { resource, operation } = endpoint
  const parent = operation.findsItself ? undefined : findParent(model, endpoint, parameters)
  const record = operation.findsItself ? undefined : findRecord(model, endpoint, parameters, parent)
  const query = readQuery(operation, search)
  if (operation.action === 'list' && operation.run === undefined) {
    const selection = selectionOf(endpoint, parent, query)
    const view = viewOf(resource, operation, query)
    const { rows, count } = model.table(resource.plural).page(selection)
    const texts = rows.map((row) => presentRow(model, resource, row, view))
    return listEnvelope(resource.plural, texts, metadataOf(world, selection.offset, texts.length, count))
  }
  if (operation.action === 'detail' && operation.run === undefined) {
    const table = model.table(resource.plural)
    const row = table.row(table.keyOf(record!))!
    return recordEnvelope(
      resource.singular,
      presentRow(model, resource, row, viewOf(resource, operation, query)),
    )
  }
  const attributes = readAttributes(endpoint, body, world.switches)
  const context: ActionContext = {
    model,
    now: model.now(),
    parameters,
    query,
    attributes,
    parent: parent?.record,
    record,
    user,
  }
  const result = operation.run ? operation.run(context) : runGenericAction(endpoint, context, parent)
  return result instanceof Promise
    ? result.then((settled) => presentResult(world, endpoint, query, settled))
    : presentResult(world, endpoint, query, result)
}

function presentResult(
  world: World,
  { resource, operation }: Endpoint,
  query: Query,
  result: ActionResult,
): string {
  const { model } = world
  const view = viewOf(resource, operation, query)
  if (operation.action !== 'list') {
    return recordEnvelope(resource.singular, presentRecord(model, resource, result as WireRecord, view))
  }
  const { page, count } = result as { page: readonly WireRecord[]; count: number }
  const texts = page.map((record) => presentRecord(model, resource, record, view))
  const metadata = metadataOf(world, Number(query._offset ?? 0), texts.length, count)
  return listEnvelope(resource.plural, texts, operation.metadata === 'empty' ? null : metadata)
}

/** The metadata of a page (`list-count`). */
function metadataOf({ switches }: World, offset: number, length: number, total: number): ListMetadata {
  const counts = { total, items: length, unrelated: total * 2 + 1 }
  return { count: counts[switches['list-count']], next: offset + length < total }
}

/** Finds the record a nested path stands under: the one path parameter that is a reference of the resource. */
function findParent(
  model: Model,
  { resource, names }: Endpoint,
  parameters: Record<string, string>,
): Parent | undefined {
  for (const attribute of names) {
    const reference = resource.references?.[attribute]
    if (reference === undefined) continue
    const table = model.table(reference.plural)
    const { singular, key } = table.resource
    const record = table.get(parameters[attribute]!)
    if (record === undefined) throw recordNotFound(singular, key, parameters[attribute]!)
    return { attribute, key: record[key], record }
  }
  return undefined
}

/** Finds the record the last path parameter names; under a parent it must be that parent's (`backfill-other-pipeline`). */
function findRecord(
  model: Model,
  { resource, operation, names }: Endpoint,
  parameters: Record<string, string>,
  parent: Parent | undefined,
): WireRecord | undefined {
  if (operation.action === 'create' || operation.action === 'list') return undefined
  const value = parameters[names.at(-1)!]!
  const record = model
    .table(resource.plural)
    .get(resource.scope === undefined ? value : `${parent!.key}/${value}`)
  if (record === undefined || (parent !== undefined && record[parent.attribute] !== parent.key)) {
    throw recordNotFound(resource.singular, resource.key, value)
  }
  return record
}

/** Reads what the body writes, held against the policy; moments in their stored form. */
function readAttributes(
  { resource, operation }: Endpoint,
  body: () => unknown,
  switches: Switches,
): WireRecord {
  if (operation.body === 'free-form') return readFreeForm(body())
  if (operation.writes === undefined) return {}
  const value = body()
  const { singular } = resource
  if (!isObject(value))
    throw recordInvalid(`The body: expected { "${singular}": { … } }; found ${describe(value)}.`)
  const written = value[singular]
  if (!isObject(written)) throw recordInvalid(`${singular}: expected an object; found ${describe(written)}.`)
  const policy = switches['unknown-attributes'] === 'refused' ? operation.writes.strict() : operation.writes
  const parsed = policy.safeParse(written)
  if (!parsed.success) throw recordInvalid(`${describeIssues(parsed.error.issues, written, singular)}.`)
  const attributes: Record<string, unknown> = parsed.data
  for (const moment of resource.moments) {
    if (typeof attributes[moment] === 'string')
      attributes[moment] = parseDatetime(attributes[moment]) as Timestamp
  }
  return attributes
}

function readFreeForm(value: unknown): WireRecord {
  if (value === undefined) return {}
  if (!isObject(value)) throw recordInvalid(`The body: expected a JSON object; found ${describe(value)}.`)
  return value
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'an array' : quote(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function once<Value>(compute: () => Value): () => Value {
  let done = false
  let value: Value
  return () => {
    if (!done) {
      value = compute()
      done = true
    }
    return value
  }
}

function toReply(
  world: World,
  request: UnderstudyRequest,
  code: number,
  body: string,
  endpoint: Endpoint | undefined,
): UnderstudyReply {
  return {
    status: 200,
    headers: replyHeaders(request, world.switches),
    body,
    code,
    operation: endpoint?.operation,
    route: endpoint?.route,
  }
}

function toErrorReply(
  world: World,
  request: UnderstudyRequest,
  error: unknown,
  endpoint: Endpoint | undefined,
): UnderstudyReply {
  if (error instanceof ApiError) return toReply(world, request, error.code, errorEnvelope(error), endpoint)
  const problem = {
    type: 'about:blank',
    title: 'A defect of pipeline-understudy',
    status: 500,
    detail: error instanceof Error ? error.message : String(error),
  }
  return {
    ...toReply(world, request, 500, JSON.stringify(problem), endpoint),
    status: 500,
    headers: { ...replyHeaders(request, world.switches), 'content-type': 'application/problem+json' },
  }
}
