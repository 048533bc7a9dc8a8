import { serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { createListener } from 'pipeline-understudy/node'
import { create } from './create.js'

export async function start() {
  const understudy = create()
  const listener = createListener(understudy, { pages: 'beside' })
  const app = new Hono()
  app.use(
    (context, next) =>
      new Promise((resolve, reject) => {
        const { incoming, outgoing } = context.env
        outgoing.once('close', () => resolve(RESPONSE_ALREADY_SENT))
        listener(incoming, outgoing, () => next().then(resolve, reject))
      }),
  )
  app.get('/health', (context) => context.text('fine'))
  const server = await new Promise((resolve) => {
    const opened = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(opened))
  })
  return {
    port: server.address().port,
    understudy,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
