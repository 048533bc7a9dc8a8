import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'
import { requireUnderstudy } from '../engine/require-understudy.ts'
import { type AdminOption, createAdminListener, toAccess } from './admin.ts'
import { createListener, httpFace, type ListenerOptions } from './listener.ts'

export interface AppOptions extends ListenerOptions {
  /** The admin API, for this machine or with a token. Default false. */
  readonly admin?: AdminOption
  /**
   * The pages of `understudy serve`: the panel at `/`, the OpenAPI document. Default false; where they are asked for, the
   * admin API is on unless `admin` says otherwise.
   */
  readonly pages?: boolean
}

type Handle = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void

/**
 * Creates an Express application that answers from an understudy, to mount in one's own or to pass to supertest;
 * it does not listen, and what is not under `/api` is left to whoever mounts it.
 *
 * @example
 * await request(createApp(createUnderstudy())).get('/api/pipelines')
 */
export function createApp(understudy: Understudy, options: AppOptions = {}): Express {
  requireUnderstudy(understudy, 'createApp')
  const app = express()
  app.disable('x-powered-by')
  const waits = understudy.attach(httpFace)
  const listener = createListener(understudy, options, waits)
  const { pages = false, admin: option = pages } = options
  const admin = createAdminListener(understudy, option, waits)
  if (pages) {
    // Loaded when somebody asks for a page.
    let site: Promise<Express> | undefined
    app.use((request, response, next) => {
      site ??= import('./site.ts').then(({ createSite }) => createSite(understudy, toAccess(option)))
      site.then((page) => page(request, response, next)).catch(next)
    })
  }
  const { handle } = app as unknown as { handle: Handle }
  // Before Express and not as its middleware: Express gives each request and response another prototype, after which
  // everything Node does with them is slow. What is not under `/api` reaches Express as ever.
  const first: Handle = (request, response, next) =>
    listener(request, response, () =>
      admin(request, response, () => handle.call(app, request, response, next)),
    )
  return Object.assign(app, { handle: first })
}
