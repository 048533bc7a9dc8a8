import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { setupServer } from 'msw/node'
import { beforeAll, expect, it as itInParts } from 'vitest'
import { createHandlers } from '../src/handlers/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { firstOf, wholly } from './support/depth.ts'
import {
  expectParity,
  nameOf,
  type Opener,
  openMemory,
  type PlayedScript,
  playAll,
  stage,
  steps,
} from './support/parity.ts'
import { type AdapterName, elsewhere, play, scenes } from './support/parity-script.ts'
import { listen } from './support/temporary.ts'

const it = wholly(itInParts)

const openMsw =
  (per: 'api' | 'operation'): Opener =>
  async (understudy) => {
    const origin = await listen((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere)
    })
    const server = setupServer(...createHandlers(understudy, { per }))
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
    // `fetch` would change some of the paths; this sends them as they are written.
    send: async ({ method, path, headers, body }) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const sent = httpRequest({
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...length },
        agent,
      })
      sent.end(body)
      const [response] = await once(sent, 'response')
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const received = Object.entries(response.headers as Record<string, string>)
      return { status: response.statusCode, headers: received, body: Buffer.concat(chunks).toString('utf8') }
    },
    close: async () => agent.destroy(),
  }
}

let inMemory: PlayedScript

beforeAll(async () => {
  inMemory = await playAll('memory', openMemory)
})

it('has a script of at least 150 requests', () => {
  expect(steps.length).toBeGreaterThanOrEqual(150)
})

it('answers every request of the script with the listed codes', () => {
  const heard = inMemory.flatMap((scene) => scene.heard)
  const answers = steps.map((entry, index) => {
    const { status, body } = heard[index]!
    const parsed =
      body === '' || entry.step.elsewhere ? {} : (JSON.parse(body) as { error?: { code: number } })
    // The code of a reply without a body is only in the script.
    const code = body === '' ? entry.step.code : (parsed.error?.code ?? 200)
    return `${nameOf(entry, index)}: ${code}, HTTP ${status}`
  })

  expect(answers).toEqual(
    steps.map(
      (entry, index) => `${nameOf(entry, index)}: ${entry.step.code}, HTTP ${entry.step.status ?? 200}`,
    ),
  )
})

it('leaves to others what is not under /api, and answers all the rest', () => {
  const left = inMemory.flatMap((scene) => scene.heard).map((reply) => reply!.body === elsewhere)

  expect(left).toEqual(steps.map(({ step }) => step.elsewhere === true))
})

it('changes nothing with a request that an adapter cannot express', async () => {
  for (const scene of scenes) {
    const understudy = stage(scene)
    const { send } = await openMemory(understudy)
    for (const step of scene.steps) {
      const before = step.except && JSON.stringify(understudy.export())
      await play({ ...scene, steps: [{ ...step, except: {} }] }, { name: 'memory', advance: () => {}, send })
      if (step.except !== undefined) expect(JSON.stringify(understudy.export())).toBe(before)
    }
  }
})

const adapters: readonly [AdapterName, Opener][] = [
  ['MSW in Node', openMsw('api')],
  ['Express', openExpress],
  ['MSW in Node, one handler per operation', openMsw('operation')],
]

itInParts.each(firstOf(2, adapters))(
  'answers the script through %s with the same status, headers and bytes as in memory',
  async (name, open) => {
    expectParity(name, await playAll(name, open), inMemory)
  },
)
