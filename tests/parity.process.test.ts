import { Agent } from 'node:http'
import { setupServer } from 'msw/node'
import { it } from 'vitest'
import { createHandlers } from '../src/handlers/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { sendOverHttp } from './support/adapters.ts'
import { expectParity, type Opener, openMemory, playAll } from './support/parity.ts'
import { type AdapterName, elsewhere } from './support/parity-script.ts'
import { listen } from './support/temporary.ts'

const openMsw: Opener = async (understudy) => {
  const origin = await listen((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere)
  })
  const server = setupServer(...createHandlers(understudy))
  server.listen({ onUnhandledRequest: 'bypass' })
  return {
    async send({ method, path, headers, body }) {
      const response = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    close: async () => server.close(),
  }
}

const openExpress: Opener = async (understudy) => {
  const app = createApp(understudy)
  app.use((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere))
  const { port } = new URL(await listen(app))
  const agent = new Agent({ keepAlive: true })
  return {
    async send(request) {
      const { status, headers, text } = await sendOverHttp(Number(port), request, agent)
      return { status, headers: Object.entries(headers), body: text }
    },
    close: async () => agent.destroy(),
  }
}

const adapters: readonly [AdapterName, Opener][] = [
  ['MSW in Node', openMsw],
  ['Express', openExpress],
]

it.each(adapters)(
  'answers the script through %s with the same status, headers and bytes as in memory',
  async (name, open) => {
    expectParity(name, await playAll(name, open), await playAll('memory', openMemory))
  },
)
