import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AdminAccess } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import type { Waits } from '../engine/faults/delivery.ts'
import type { Adapter } from '../engine/faults/faults.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../engine/messages.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { ownPath } from '../shared/addresses.ts'
import { checkOptions, type OptionChecks } from '../shared/check-options.ts'
import { errorEnvelope, isReadMethod, splitUrl } from '../shared/http.ts'
import * as limits from '../shared/limits.ts'
import { realTime } from '../shared/real-time.ts'
import { type AdminOption, createAdminListener, toAccess } from './admin.ts'
import type { Listener, Observer } from './listener-types.ts'
import { readText } from './read-text.ts'
import { answerInOrder } from './request-pipelining.ts'
import { type End, failTo, send, sendFaulty } from './send.ts'
import type { SitePlace } from './site.ts'

export interface ObserverOption {
  /** Called with each answered request, its reply, and its duration in milliseconds. */
  readonly observe?: Observer
}

export interface ListenerOptions extends ObserverOption {
  /** The admin API, for this machine or with a token. Default false. */
  readonly admin?: AdminOption
  /**
   * The panel and the OpenAPI document: `true` serves them at `/`, as `pipeline-understudy serve` does, with
   * 404 for everything else; `'beside'` serves them under `/__understudy__/` and passes the rest to `next`.
   * Default false. With pages, the admin API is on unless `admin` turns it off.
   */
  readonly pages?: boolean | 'beside'
}

interface OwnServer {
  readonly host?: string
  readonly end?: End
}

/** This adapter: a socket can express every fault. */
export const httpAdapter: Adapter = { name: 'the HTTP server', refuses: {} }

/**
 * Creates a listener for `node:http` and other users of Node's requests and responses, such as Connect and
 * Express. It answers requests under `/api` from a mock server, and passes others to `next`.
 *
 * @throws UnderstudyError where the understudy is missing, or the admin token is empty.
 * @example
 * const listener = createListener(createUnderstudy())
 * http.createServer((request, response) => listener(request, response, () => response.writeHead(404).end()))
 */
export function createListener(understudy: Understudy, options: ListenerOptions = {}): Listener {
  requireUnderstudy(understudy, 'createListener')
  checkListenerOptions('createListener', options)
  return createServerListener(understudy, options, understudy.attach(httpAdapter))
}

/** @throws UnderstudyError where an option is unknown. */
export function checkListenerOptions(caller: string, options: ListenerOptions): void {
  const names: OptionChecks<ListenerOptions> = { admin: true, pages: true, observe: true }
  checkOptions(caller, options, names)
}

/** Creates the listener of a server: the API, then the admin API, then the pages. */
export function createServerListener(
  understudy: Understudy,
  options: ListenerOptions,
  waits: Waits,
  { host, end }: OwnServer = {},
): (request: IncomingMessage, response: ServerResponse, next?: () => void) => void {
  const { observe } = options
  const beside = createOtherListener(understudy, options, waits, host)
  // Loads the cryptography before the first request. Callers that await `ready` receive its error.
  understudy.ready.catch(() => undefined)

  const answer = (pending: Pending, body: UnderstudyRequest['body']) => {
    const { request, response, url, next } = pending
    try {
      const { method = 'GET', headers } = request
      const reply = understudy.dispatch({ method, url, headers, body, isNormalized: true })
      if (reply === undefined) beside(request, response, next)
      else if ('then' in reply)
        reply.then((whole) => deliver(pending, whole)).catch((error: unknown) => failTo(response, error))
      else deliver(pending, reply)
    } catch (error) {
      failTo(response, error)
    }
  }
  const deliver = ({ request, response, start }: Pending, reply: UnderstudyReply) => {
    if (reply.delivery === undefined) {
      send(response, reply, end)
      observe?.(request, reply, realTime() - start)
    } else {
      sendFaulty(response, reply, reply.delivery, waits).then(
        () => observe?.(request, reply, realTime() - start),
        (error) => failTo(response, error),
      )
    }
  }
  const begin = (pending: Pending) => {
    const { request, response } = pending
    if (isReadMethod(request.method)) return answer(pending, undefined)
    try {
      readText(request, (body) => answer(pending, body))
    } catch (error) {
      failTo(response, error)
    }
  }
  return (request, response, next = nothing) => {
    const { url = '/' } = request
    if (request.rawHeaders.length > 2 * limits.requestHeaders) return refuseHeaders(response)
    if (!apiPath.test(url)) return beside(request, response, next)
    const pending: Pending = { request, response, url, next, start: observe ? realTime() : 0 }
    if (response.socket === null) answerInOrder(response, () => begin(pending))
    else begin(pending)
  }
}

function refuseHeaders(response: ServerResponse): void {
  const message = `The request has more than ${limits.requestHeaders} headers.`
  const body = errorEnvelope({ code: 431, message, type: 'record_invalid' })
  response.writeHead(431, { 'content-type': 'application/json', connection: 'close' }).end(body)
}

interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: string
  readonly next: () => void
  /** Time of its arrival in milliseconds, if there is an observer. */
  readonly start: number
}

const nothing = () => undefined
const apiPath = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/

/** Creates the listener outside the API: the admin API and the pages. */
function createOtherListener(
  understudy: Understudy,
  { pages = false, admin = pages !== false }: ListenerOptions,
  waits: Waits,
  host: string | undefined,
): Listener {
  const control = createAdminListener(understudy, admin, waits, host)
  const access = toAccess(admin, host)
  const show = pages === false ? undefined : createPages(understudy, access, pages === true ? 'root' : pages)
  return (request, response, next) =>
    control(request, response, () => (show === undefined ? next() : show(request, response, next)))
}

/** Creates the listener of the pages, which loads them at the first request. */
function createPages(understudy: Understudy, access: AdminAccess | undefined, place: SitePlace): Listener {
  let loaded: Promise<Listener> | undefined
  return (request, response, next) => {
    if (place === 'beside' && !splitUrl(request.url ?? '/').path.startsWith(ownPath)) return next()
    loaded ??= import('./site.ts').then(({ createSite }) => createSite(understudy, access, place))
    const site = loaded
    answerInOrder(response, () => {
      site.then((show) => show(request, response, next)).catch((error: unknown) => failTo(response, error))
    })
  }
}
