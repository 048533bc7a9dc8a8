import { readBody } from '../engine/body.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import type { UnderstudyRequest } from '../engine/messages.ts'
import type { World } from '../engine/worlds/world.ts'
import { instanceOf } from '../engine/worlds/world-handle.ts'
import { adminPath } from '../shared/addresses.ts'
import { quote } from '../shared/errors.ts'
import { readParameters } from '../shared/http.ts'
import { parseBy, toFlaw } from '../shared/issues.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { required } from '../shared/values.ts'
import { nameFromKey } from '../shared/world-name.ts'
import type { AdminRoute, AdminStream } from './define-route.ts'
import { createRouteFinder } from './find-route.ts'
import { inputProblem, Problem, toProblem } from './problem.ts'
import { adminRoutes } from './routes/index.ts'
import { type AdminAccess, refuseVisitor, type Visitor } from './security.ts'

/** A request to the admin API, independent of any transport. */
export interface AdminRequest extends Visitor {
  readonly method: string
  /** The path and query as the client sent them, not decoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** The body, or a function that reads it. Bodies of rejected visitors are not read. */
  readonly body: UnderstudyRequest['body'] | ((maximumBytes: number) => Promise<UnderstudyRequest['body']>)
  /** True if the server cannot open another stream. */
  readonly isFull?: boolean
}

export interface AdminReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AdminStream
}

export interface Admin {
  answer(request: AdminRequest): Promise<AdminReply>
}

const noStore = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const tooManyStreams = `${limits.streams} clients follow streams already. Close those that you no longer need.`

/**
 * Creates the admin API of a mock server, independent of any transport.
 *
 * @example
 * const { status, body } = await createAdmin(understudy).answer(request)
 */
export function createAdmin(understudy: Understudy, access: AdminAccess = {}): Admin {
  if (access.token === '') throw new UnderstudyError('OPTION_INVALID', 'The admin token is empty.')
  return {
    async answer(request) {
      const refused = refuseVisitor(access, request)
      if (refused) return problemReply(refused)
      let root: string | undefined
      try {
        const { route, parameters } = findRoute(request.method, request.path.slice(adminPath.length))
        root = route.root
        const input = {
          parameters,
          query: readQuery(route, request.query),
          body: await readInput(route, request),
          lastEventId: readLastEventId(request),
        }
        // Only now: the world may have been deleted while the body arrived.
        const world = worldOf(understudy, route, parameters.world)
        if (parameters.world !== undefined) instanceOf(world).model.applyDueEvents()
        if (request.isFull && route.reply.type === 'text/event-stream') throw new Problem(503, tooManyStreams)
        const value = await route.handle(understudy, world, input)
        return toReply(route, value)
      } catch (error) {
        return problemReply(toProblem(error, root))
      }
    },
  }
}

const findRoute = createRouteFinder(adminRoutes)

function toReply({ reply: { status, type } }: AdminRoute, value: unknown): AdminReply {
  if (status === 204) return { status, headers: noStore, body: '' }
  const body = type === undefined ? `${JSON.stringify(value)}\n` : (value as AdminStream)
  return { status, headers: { ...noStore, 'content-type': type ?? 'application/json' }, body }
}

function problemReply(problem: Problem): AdminReply {
  return {
    status: problem.status,
    headers: { ...noStore, 'content-type': 'application/problem+json', ...problem.headers },
    body: `${JSON.stringify(problem)}\n`,
  }
}

/** Returns the world that a path names; a write creates it. */
function worldOf(understudy: Understudy, route: AdminRoute, name: string | undefined): World {
  if (name === undefined) return understudy
  const isWrite = route.method !== 'GET' && route.method !== 'DELETE'
  if (isWrite || isThere(understudy, name)) return understudy.world(name)
  throw new Problem(404, `There is no world ${quote(name)}. POST ${adminPath}/worlds creates it.`)
}

function isThere({ worlds }: Understudy, name: string | undefined): boolean {
  if (name === undefined) return true
  // Reveals the name of a world that only API keys have named.
  const names = [name, nameFromKey(name)]
  return worlds.list().some((world) => names.includes(world.name))
}

function readQuery(route: AdminRoute, given: URLSearchParams): Record<string, unknown> {
  const query = readParameters(given)
  // Zod would silently drop the key that reaches a prototype.
  const names = Object.keys(query).filter((name) => route.query === undefined || name === '__proto__')
  if (names.length > 0) {
    const [name = ''] = names
    throw inputProblem(400, 'query', [
      { path: `?${name}`, expected: 'no such parameter', found: quote(query[name]) },
    ])
  }
  if (route.query === undefined) return query
  const parsed = parseBy(route.query, query)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => {
    const { path, ...flaw } = toFlaw(issue, query, '')
    return { path: `?${path}`, ...flaw }
  })
  throw inputProblem(400, 'query', errors)
}

async function readInput(route: AdminRoute, request: AdminRequest): Promise<unknown> {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined
  const type = request.headers['content-type']
  const isTyped = /^application\/json *(?:;|$)/i.test(String(type))
  const maximum = route.isLarge
    ? { bytes: limits.importedState, values: Number.POSITIVE_INFINITY }
    : { bytes: limits.body, values: limits.bodyValues }
  const body = typeof request.body === 'function' ? await request.body(maximum.bytes) : request.body
  // A page of another origin cannot send JSON without permission. A write without a body has no type.
  const isEmpty = body === undefined || body === ''
  if (!(isEmpty && type === undefined) && !isTyped) {
    throw new Problem(
      415,
      `Content-Type: expected application/json; found ${type === undefined ? 'nothing' : quote(type)}.`,
    )
  }
  return parseInput(route, readBody({ body }, { 'content-type': 'ignored' }, maximum))
}

function parseInput(route: AdminRoute, value: unknown): unknown {
  const schema = required(route.body, `a body of ${route.id}`)
  const parsed = parseBy(schema, value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => toFlaw(issue, value, '$'))
  throw inputProblem(422, 'body', errors)
}

function readLastEventId({ headers }: AdminRequest): number | undefined {
  const given = headers['last-event-id']
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : undefined
}
