import { create } from './create.js'

const understudy = create()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: { '/health': new Response('fine') },
  fetch: (request) => understudy.fetch(request),
})
console.log(server.port)
process.once('SIGTERM', () => server.stop(true))
