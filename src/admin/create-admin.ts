import { readBody, refuseTraps } from '../engine/body.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import type { UnderstudyRequest } from '../engine/messages.ts'
import { inTurn } from '../engine/worlds/turns.ts'
import { insideOf, type World } from '../engine/worlds/world.ts'
import { isError } from '../shared/built-ins.ts'
import { quote } from '../shared/errors.ts'
import { toFlaw } from '../shared/issues.ts'
import { JsonObjectReader } from '../shared/json-object-reader.ts'
import * as limits from '../shared/limits.ts'
import { adminPath } from '../shared/own-paths.ts'
import { isSlices } from '../shared/slices.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type { AdminRoute, AdminStream } from './define-route.ts'
import { createRouteFinder } from './find-route.ts'
import { JsonText } from './json-text.ts'
import { Problem, toProblem } from './problem.ts'
import { adminRoutes } from './routes/index.ts'
import { type AdminAccess, refuseVisitor, type Visitor } from './security.ts'

/** A request to the admin API, free of any transport. */
export interface AdminRequest extends Visitor {
  readonly method: string
  /** As the client sent it, nothing decoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** The body, or how to read it: a visitor who is not let in is not read from. */
  readonly body: UnderstudyRequest['body'] | (() => Promise<UnderstudyRequest['body']>)
  /** The same in pieces, where there is a way to read it so. */
  readonly pieces?: (() => AsyncIterable<Uint8Array>) | undefined
}

/** A reply of the admin API: a text, or a stream of events to be started and stopped. */
export interface AdminReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AdminStream | JsonText
}

export interface Admin {
  answer(request: AdminRequest): Promise<AdminReply>
}

const noStore = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Creates the admin API of an understudy, free of any transport.
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
        const world = () => worldOf(understudy, route, parameters.world)
        // Looked for again when it is its turn: a world may go meanwhile, and no read gives birth to one.
        const answer = () => route.handle(understudy, world(), input)
        const isOfWorld = parameters.world !== undefined
        const value = await (isOfWorld ? answerInTurn(world(), answer) : answer())
        return toReply(route, value, () => isThere(understudy, parameters.world))
      } catch (error) {
        return problemReply(toProblem(error, root))
      }
    },
  }
}

const findRoute = createRouteFinder(adminRoutes)

/** Answers when it is this request's turn in the world, in which everything has happened by then that was due. */
async function answerInTurn(world: World, answer: () => unknown): Promise<unknown> {
  const there = insideOf(world).present()
  const { turns } = there
  // What it gives is wrapped: a promise is not waited for in the world's turn.
  const { value } = await turns.after(async () => {
    // The world may have begun anew meanwhile.
    const { model } = there
    if (model.isDue()) await turns.take(model.settling())
    const value = answer()
    return { value: isSlices(value) ? turns.take(value) : value }
  })
  return value
}

function toReply(
  { reply: { status, type } }: AdminRoute,
  value: unknown,
  isThere: () => boolean,
): AdminReply {
  if (status === 204) return { status, headers: noStore, body: '' }
  if (type !== undefined) {
    const stream = value as AdminStream
    // It is started later, and may find its world gone.
    const body: AdminStream = (listener) => (isThere() ? stream(listener) : endAtOnce(listener))
    return { status, headers: { ...noStore, 'content-type': type }, body }
  }
  return {
    status,
    headers: { ...noStore, 'content-type': 'application/json' },
    body: value instanceof JsonText ? value : `${JSON.stringify(value)}\n`,
  }
}

const endAtOnce: AdminStream = ({ end }) => {
  end()
  return () => undefined
}

function problemReply(problem: Problem): AdminReply {
  return {
    status: problem.status,
    headers: { ...noStore, 'content-type': 'application/problem+json', ...problem.headers },
    body: `${JSON.stringify(problem)}\n`,
  }
}

/** The world a path names; a write gives birth to it, as its first use would. */
function worldOf(understudy: Understudy, route: AdminRoute, name: string | undefined): World {
  if (name === undefined) return understudy
  const isWrite = route.method !== 'GET' && route.method !== 'DELETE'
  if (isWrite || isThere(understudy, name)) return understudy.world(name)
  throw new Problem(404, `There is no world ${quote(name)}.`)
}

function isThere({ worlds }: Understudy, name: string | undefined): boolean {
  return name === undefined || worlds.list().some((world) => world.name === name)
}

function readQuery(route: AdminRoute, given: URLSearchParams): never {
  const values: [string, string | string[]][] = [...new Set(given.keys())].map((name) => {
    const all = given.getAll(name)
    return [name, all.length === 1 ? all[0]! : all]
  })
  const query = Object.fromEntries(values)
  // Zod would drop the key that reaches a prototype without a word.
  const names = Object.keys(query).filter((name) => route.query === undefined || name === '__proto__')
  if (names.length > 0) {
    const [name = ''] = names
    throw new Problem(400, 'The query cannot be accepted.', {
      errors: [{ path: `?${name}`, expected: 'no such parameter', found: quote(query[name]) }],
    })
  }
  if (route.query === undefined) return query as never
  const parsed = route.query.safeParse(query)
  if (parsed.success) return parsed.data as never
  throw new Problem(400, 'The query cannot be accepted.', {
    errors: parsed.error.issues.map((issue) => {
      const { path, ...flaw } = toFlaw(issue, query, '')
      return { path: `?${path}`, ...flaw }
    }),
  })
}

async function readInput(route: AdminRoute, request: AdminRequest): Promise<unknown> {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined
  const type = request.headers['content-type']
  const isTyped = /^application\/json *(?:;|$)/i.test(String(type))
  const { streamedDepth } = route
  if (streamedDepth !== undefined && isTyped && request.pieces)
    return parseInput(route, await readPieces(request.pieces(), route))
  const body = typeof request.body === 'function' ? await request.body() : request.body
  // What a page of another origin can send without asking is never JSON. A write that says nothing has no type.
  const isEmpty = body === undefined || body === ''
  if (!(isEmpty && type === undefined) && !isTyped) {
    throw new Problem(
      415,
      `Content-Type: expected application/json; found ${type === undefined ? 'nothing' : quote(type)}.`,
    )
  }
  // What could have been read in pieces may hold any number.
  const most = streamedDepth === undefined ? undefined : Number.POSITIVE_INFINITY
  return parseInput(route, readBody({ body }, { 'content-type': 'ignored' }, most))
}

/** Reads an object in pieces. What is wrong with it is said when all of it has come: the client is still sending. */
async function readPieces(
  pieces: AsyncIterable<Uint8Array>,
  { streamedDepth: deepest, body }: AdminRoute,
): Promise<unknown> {
  const reader = new JsonObjectReader({ check: refuseTraps, deepest, mostValues: limits.recordValues })
  let isEmpty = true
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let failure: unknown
  const attempt = (run: () => void) => {
    if (failure !== undefined) return
    try {
      run()
    } catch (error) {
      failure = error
    }
  }
  // A socket gives as many pieces in one turn of the loop as have come.
  for await (const piece of inTurn(pieces)) {
    isEmpty = false
    attempt(() => reader.push(decoder.decode(piece, { stream: true })))
  }
  if (isEmpty && body!.safeParse(undefined).success) return undefined
  attempt(() => reader.push(decoder.decode()))
  let value: unknown
  attempt(() => {
    value = reader.end()
  })
  if (failure === undefined) return value
  if (isError(failure, 'SyntaxError')) throw new Problem(400, 'The body is not a JSON object.')
  if (isError(failure, 'TypeError')) throw new Problem(400, 'The body is not UTF-8.')
  if (isError(failure, 'RangeError'))
    throw new Problem(400, `An object in the body holds more than ${limits.recordValues} values.`)
  throw failure
}

function parseInput(route: AdminRoute, value: unknown): unknown {
  const parsed = route.body!.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map((issue) => toFlaw(issue, value, '$'))
  throw new Problem(422, 'The body cannot be accepted.', { errors })
}

function readLastEventId({ headers }: AdminRequest): number | undefined {
  const given = headers['last-event-id']
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : undefined
}
