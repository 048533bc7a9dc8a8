import type { AdminAccess } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import type { Waits } from '../engine/faults/delivery.ts'
import { splitUrl } from '../engine/messages.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { ownPath } from '../shared/addresses.ts'
import { type AdminOption, createAdminListener, toAccess } from './admin.ts'
import { type ApiListenerOptions, createApiListener, httpFace, type Listener } from './listener.ts'
import { answerInOrder } from './request-pipelining.ts'
import { type End, failTo } from './send.ts'
import type { SitePlace } from './site.ts'

export interface ListenerOptions extends ApiListenerOptions {
  /** The admin API, for this machine or with a token. Default false. */
  readonly admin?: AdminOption
  /**
   * The panel and the OpenAPI document: `true` has them at `/`, as `understudy serve` does, and says 404 of everything
   * else; `'beside'` has them under `/__understudy__/` and leaves the rest to `next`. Default false; where they are asked
   * for, the admin API is on unless `admin` says otherwise.
   */
  readonly pages?: boolean | 'beside'
}

/**
 * Creates a listener for `node:http`, and for whatever hands on Node's requests and responses: it answers from an
 * understudy what is under `/api`, and leaves to `next` what is not its own. Connect and Express take it as middleware.
 *
 * @throws UnderstudyError where the understudy is missing, or the admin token is empty.
 * @example
 * const listener = createListener(createUnderstudy())
 * http.createServer((request, response) => listener(request, response, () => response.writeHead(404).end()))
 */
export function createListener(understudy: Understudy, options: ListenerOptions = {}): Listener {
  requireUnderstudy(understudy, 'createListener')
  return joinListeners(understudy, options, understudy.attach(httpFace))
}

/** What a listener knows that has a server to itself. */
interface OwnServer {
  /** What the server listens on. */
  readonly host?: string
  readonly end?: End
}

/** The API, the admin API and the pages, one after the other. */
export function joinListeners(
  understudy: Understudy,
  options: ListenerOptions,
  waits: Waits,
  { host, end }: OwnServer = {},
): Listener {
  const { pages = false, admin = pages !== false } = options
  const api = createApiListener(understudy, options, waits, end)
  const control = createAdminListener(understudy, admin, waits, host)
  const access = toAccess(admin, host)
  const show = pages === false ? undefined : createPages(understudy, access, pages === true ? 'root' : pages)
  return (request, response, next) =>
    api(request, response, () =>
      control(request, response, () => (show === undefined ? next() : show(request, response, next))),
    )
}

/** Pages, which are loaded when somebody asks for one. */
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
