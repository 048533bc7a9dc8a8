import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { checkListenerOptions, createListener, type ListenerOptions } from './listener.ts'

export interface AppOptions extends ListenerOptions {}

type Handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Creates an Express application that answers from a mock server, to mount in another one or to pass to
 * supertest. It does not listen, and passes on requests with paths outside `/api`.
 *
 * @example
 * await request(createApp(createUnderstudy())).get('/api/pipelines')
 */
export function createApp(understudy: Understudy, options: AppOptions = {}): Express {
  requireUnderstudy(understudy, 'createApp')
  checkListenerOptions('createApp', options)
  const app = express()
  app.disable('x-powered-by')
  const listener = createListener(understudy, options)
  const handle: Handle = Reflect.get(app, 'handle')
  // Before Express and not as its middleware: Express gives each request and response another prototype, after which
  // all their uses in Node are slow. Other requests reach Express as usual.
  const first: Handle = (request, response, next) =>
    listener(request, response, () => handle.call(app, request, response, next))
  return Object.assign(app, { handle: first })
}
