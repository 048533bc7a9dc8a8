import http from 'node:http'
import Fastify from 'fastify'
import { createListener } from 'pipeline-understudy/node'
import { create } from './create.js'

export async function start() {
  const understudy = create()
  const listener = createListener(understudy, { pages: 'beside' })
  const app = Fastify({
    // Before Fastify, which would read the bodies.
    serverFactory: (handle) =>
      http.createServer((request, response) => listener(request, response, () => handle(request, response))),
  })
  app.get('/health', async () => 'fine')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: app.server.address().port, understudy, close: () => app.close() }
}
