import { http, type RequestHandler } from 'msw'
import type { Understudy } from '../engine/create-understudy.ts'
import { noteOtherAddress } from './note-other-address.ts'
import { createResolver, type HandlerOptions } from './resolver.ts'

export type { HandlerOptions } from './resolver.ts'

/** A handler of Mock Service Worker, by a name that declarations of other packages can write. */
export interface UnderstudyHandler extends RequestHandler {}

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
  const { pattern, answer } = createResolver(understudy, options, 'createHandlers')
  const handlers = [http.all(pattern, answer)]
  if (options.baseUrl === undefined) return handlers
  const other = noteOtherAddress(options.baseUrl, pattern)
  return [...handlers, http.all(other.pattern, other.answer)]
}
