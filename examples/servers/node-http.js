import http from 'node:http'
import { createListener } from 'pipeline-understudy/node'
import { create } from './create.js'

export async function start() {
  const understudy = create()
  const listener = createListener(understudy, { pages: 'beside' })
  const server = http.createServer((request, response) =>
    listener(request, response, () => {
      if (request.url === '/health') response.end('fine')
      else response.writeHead(404).end()
    }),
  )
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: server.address().port,
    understudy,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
