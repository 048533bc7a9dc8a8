import express, { type Express } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'
import { createListener, type ListenerOptions } from './listener.ts'

/**
 * Creates an Express application that answers from an understudy, to mount in one's own or to pass to supertest;
 * it does not listen, and what is not under `/api` is left to whoever mounts it.
 *
 * @example
 * await request(createApp(createUnderstudy())).get('/api/pipelines')
 */
export function createApp(understudy: Understudy, options: ListenerOptions = {}): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(createListener(understudy, options))
  return app
}
