import { once } from 'node:events'
import { Agent, createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { beforeAll, expect, it } from 'vitest'
import { decodeBody } from '../src/engine/messages.ts'
import { createHandlers } from '../src/handlers/index.ts'
import { createUnderstudy, type Fixture, type Understudy } from '../src/index.ts'
import { profiles } from '../src/profiles/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { openPage } from './support/browser.ts'
import { company } from './support/company.ts'
import {
  type Carrier,
  elsewhere,
  type FaceName,
  type Heard,
  play,
  type Scene,
  scenes,
} from './support/parity-script.ts'

/** What a face made of the script: what was heard of each step, and the state each scene ended in. */
type Played = { heard: (Heard | undefined)[]; state: Fixture }[]

/** Opens a face on an understudy. */
type Opener = (understudy: Understudy) => Promise<{ send: Carrier['send']; close(): Promise<void> }>

const openMemory: Opener = async (understudy) => ({
  async send({ method, path, headers, body }) {
    const text = body === undefined ? undefined : decodeBody(body)
    const reply = await understudy.dispatch({ method, url: path, headers, body: text })
    if (reply === undefined) {
      return { status: 200, headers: [['content-type', 'text/plain'] as const], body: elsewhere }
    }
    return { status: reply.status, headers: Object.entries(reply.headers), body: reply.body }
  },
  async close() {},
})

const openMsw =
  (per: 'api' | 'operation'): Opener =>
  async (understudy) => {
    const behind = await listen((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere)
    })
    const server = setupServer(...createHandlers(understudy, { per }))
    server.listen({ onUnhandledRequest: 'bypass' })
    return {
      async send({ method, path, headers, body }) {
        const response = await fetch(`${behind.origin}${path}`, { method, headers, ...(body && { body }) })
        return { status: response.status, headers: response.headers, body: await response.text() }
      },
      async close() {
        server.close()
        await behind.close()
      },
    }
  }

const openExpress: Opener = async (understudy) => {
  const app = createApp(understudy)
  app.use((_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(elsewhere))
  const { port, close } = await listen(app)
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
    async close() {
      agent.destroy()
      await close()
    },
  }
}

async function listen(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function stage({ auth, profile }: Scene): Understudy {
  return createUnderstudy({
    fixture: company,
    auth,
    strict: true,
    ...(profile !== undefined && { profile: profiles[profile]! }),
  })
}

async function playAll(name: FaceName, open: Opener): Promise<Played> {
  const played: Played = []
  for (const scene of scenes) {
    const understudy = stage(scene)
    const { send, close } = await open(understudy)
    try {
      const heard = await play(scene, {
        name,
        advance: (duration) => understudy.clock.advance(duration),
        send,
      })
      played.push({ heard, state: understudy.export() })
    } finally {
      await close()
    }
  }
  return played
}

async function playInBrowser(): Promise<Played> {
  const page = await openPage('parity-page.ts')
  try {
    return (await page.call('playScenes', { scenes, fixture: company })) as Played
  } finally {
    await page.close()
  }
}

const steps = scenes.flatMap((scene) => scene.steps.map((step) => ({ scene, step })))
const nameOf = ({ scene, step }: (typeof steps)[number], index: number) =>
  `${index} (${scene.name}) ${step.method} ${step.path.slice(0, 120)} ${(step.body ?? '').slice(0, 120)}`

let inMemory: Played

beforeAll(async () => {
  inMemory = await playAll('memory', openMemory)
})

it('has a script of at least 150 requests', () => {
  expect(steps.length).toBeGreaterThanOrEqual(150)
})

it('answers every request of the script with the codes that stand beside it', () => {
  const heard = inMemory.flatMap((scene) => scene.heard)
  const answers = steps.map((entry, index) => {
    const { status, body } = heard[index]!
    const parsed =
      body === '' || entry.step.elsewhere ? {} : (JSON.parse(body) as { error?: { code: number } })
    // A reply without a body says its code by nothing else than what the script says.
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

it('changes nothing by a request that one of the faces cannot express', async () => {
  for (const scene of scenes) {
    const understudy = stage(scene)
    const { send } = await openMemory(understudy)
    for (const step of scene.steps) {
      const before = JSON.stringify(understudy.export())
      await play({ ...scene, steps: [{ ...step, except: {} }] }, { name: 'memory', advance: () => {}, send })
      if (step.except !== undefined) expect(JSON.stringify(understudy.export())).toBe(before)
    }
  }
})

function expectParity(name: FaceName, played: Played): void {
  const show = (all: Played) =>
    all
      .flatMap(({ heard }) => heard)
      .map((reply, index) => ({
        step: nameOf(steps[index]!, index),
        ...(steps[index]!.step.except?.[name] === undefined && reply),
      }))

  expect(show(played)).toEqual(show(inMemory))
  expect(played.map(({ state }) => state)).toEqual(
    inMemory.map(({ state }) => JSON.parse(JSON.stringify(state))),
  )
}

it.each<[FaceName, Opener]>([
  ['MSW in Node', openMsw('api')],
  ['MSW in Node, one handler per operation', openMsw('operation')],
  ['Express', openExpress],
])(
  'answers the script through %s with the same status, headers and bytes as in memory',
  async (name, open) => {
    expectParity(name, await playAll(name, open))
  },
)

// The Chromium that npm brings is built for Linux on x64 only.
it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'answers the script through a service worker in Chromium with the same status, headers and bytes as in memory',
  async () => {
    expectParity('a service worker in Chromium', await playInBrowser())
  },
)
