import { HttpHandler, type RequestHandler } from 'msw'
import type { Understudy } from '../engine/create-understudy.ts'
import { noteOtherAddress } from './note-other-address.ts'
import { createResolver, type HandlerOptions, type Resolver } from './resolver.ts'

export type { HandlerOptions } from './resolver.ts'

/** A handler of Mock Service Worker, under a name that declarations of other packages can contain. */
export interface UnderstudyHandler extends RequestHandler {}

/**
 * Handler of all requests that match a pattern. Requests without a reply stay unhandled. MSW would take them as handled,
 * and send them to the network despite `onUnhandledRequest: 'error'`.
 */
class ApiHandler extends HttpHandler {
  readonly #note: ((request: Request) => void) | undefined

  constructor({ pattern, answer }: Resolver, baseUrl: string | undefined) {
    super(/.+/, pattern, answer)
    this.#note = baseUrl === undefined ? undefined : noteOtherAddress(baseUrl, pattern)
  }

  override async run(...given: Parameters<HttpHandler['run']>) {
    const result = await super.run(...given)
    if (result?.response) return result
    this.#note?.(given[0].request)
    return null
  }
}

/**
 * Creates Mock Service Worker handlers for `setupServer` and `setupWorker`.
 *
 * They ignore requests outside `/api`.
 *
 * @throws FaultError if the mock has a fault that MSW does not support: `reset`.
 * @throws UnderstudyError if the mock is missing, an option is unknown, or `baseUrl` is neither a URL nor a
 * path.
 * @example
 * const server = setupServer(...createHandlers(createUnderstudy()))
 */
export function createHandlers(understudy: Understudy, options: HandlerOptions = {}): UnderstudyHandler[] {
  return [new ApiHandler(createResolver(understudy, options, 'createHandlers'), options.baseUrl)]
}
