import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createListener, type ListenerOptions } from '../src/server/index.ts'
import { listen } from './support/temporary.ts'

/** A server of somebody's own behind the listener. */
async function open(options?: ListenerOptions) {
  const { url } = await openListener(options)
  return async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${url}${path}`, { redirect: 'manual', ...init })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
}

async function openListener(
  options?: ListenerOptions,
  before: (request: IncomingMessage, response: ServerResponse) => void = () => undefined,
) {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const listener = createListener(understudy, options)
  const url = await listen((request, response) => {
    before(request, response)
    listener(request, response, () => response.writeHead(418).end('somebody else'))
  })
  return { understudy, url }
}

it('answers pipelined requests in order, and other connections meanwhile', async () => {
  const { understudy, url } = await openListener({ admin: true, pages: 'beside' })
  understudy.faults.add({ operation: 'listPipelines', times: 1, hang: true })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const paths = [
    '/api/pipelines',
    '/api/backfills',
    '/__understudy__/api/worlds/main/clock',
    '/__understudy__/',
  ]
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  const other = async () => (await fetch(`${url}/api/pipelines/daily_sales`)).status
  while (understudy.journal.entries({ operation: 'listPipelines' }).length === 0) await other()

  expect(await other()).toBe(200)
  expect(understudy.journal.entries({ operation: 'listBackfills' })).toEqual([])
})

it.each(['/api/pipelines', '/__understudy__/api/worlds'])(
  'closes only the connection if middleware made the response at %s unsendable',
  async (path) => {
    const { url } = await openListener(
      { admin: true },
      (_, response) => void response.setHeader('trailer', 'x'),
    )
    const send = () => fetch(`${url}${path}`)

    await expect(send()).rejects.toThrow('fetch failed')
    await expect(send()).rejects.toThrow('fetch failed')
  },
)

it('rejects a compressed state', async () => {
  const { url: origin } = await openListener({ admin: true })
  const url = `${origin}/__understudy__/api/worlds/main/state`
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const reply = await fetch(url, { method: 'PUT', headers, body: gzipSync('{}') })

  expect(await reply.json()).toMatchObject({
    status: 400,
    detail: 'Content-Encoding: expected none; found "gzip".',
  })
})

it('answers over HTTP/2, too, also from the admin API and where a head is slow', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const listener = createListener(understudy, { admin: true })
  const server = http2.createServer((request, response) =>
    listener(request as never, response as never, () => response.writeHead(418).end()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = http2.connect(`http://127.0.0.1:${port}`)
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const send = async (path: string) => {
    const stream = client.request({ ':path': path })
    const [{ ':status': status }] = await once(stream, 'response')
    return { status, body: JSON.parse(await text(stream)) }
  }
  understudy.faults.add({ slowHeaders: 20 })

  expect(await send('/__understudy__/api/worlds')).toMatchObject({
    status: 200,
    body: { worlds: [{ name: 'main' }] },
  })
  expect(await send('/api/pipelines')).toMatchObject({
    status: 200,
    body: { pipelines: [{ name: 'daily sales' }] },
  })
})

it('ends a reply before it hands back, and in the context of its request', async () => {
  const listener = createListener(createUnderstudy())
  const context = new AsyncLocalStorage<string>()
  const finished: unknown[] = []
  const origin = await listen((request, response) => {
    const url = request.url!
    context.run(url, () => {
      response.once('finish', () => finished.push([url, context.getStore(), ended]))
      listener(request, response, () => undefined)
      const ended = response.writableEnded
    })
  })
  const paths = Array.from({ length: 8 }, (_, index) => `/api/pipelines?n=${index}`)
  await Promise.all(paths.map((path) => fetch(`${origin}${path}`)))

  await expect.poll(() => finished.length).toBe(8)
  expect(finished.toSorted()).toEqual(paths.map((path) => [path, path, true]))
})

it('answers only the API, and passes other requests on', async () => {
  const get = await open()

  expect((await get('/api/pipelines/daily_sales')).text).toContain('"name":"daily sales"')
  expect(await get('/')).toMatchObject({ status: 418, text: 'somebody else' })
  expect((await get('/__understudy__/')).status).toBe(418)
  expect((await get('/__understudy__/api/worlds')).status).toBe(418)
})

it('serves its pages beside those of an application', async () => {
  const get = await open({ pages: 'beside' })

  expect((await get('/')).status).toBe(418)
  expect((await get('/openapi.json')).status).toBe(418)
  expect((await get('/__understudy__/')).text).toContain('<script type="module" src="panel/page.js">')
  expect((await get('/__understudy__')).headers.get('location')).toBe('/__understudy__/')
  expect((await get('/__understudy__/openapi.yaml')).text).toMatch(/^openapi: /)
  expect((await get('/__understudy__/api/worlds')).text).toContain('"main"')
  expect((await get('/__understudy__/none')).status).toBe(418)
  expect((await get('/__understudy__/', { method: 'POST' })).status).toBe(418)
})

it('serves no panel without the admin API', async () => {
  const get = await open({ pages: 'beside', admin: false })
  const page = await get('/__understudy__/')

  expect(page.text).toContain('The panel needs the admin API, which is off here.')
  expect((await get('/__understudy__/panel/page.js')).status).toBe(418)
  const named = await open({ pages: 'beside' })
  const headers = { 'x-forwarded-for': '10.0.0.7' }
  expect((await named('/__understudy__/panel/page.js', { headers })).status).toBe(418)
})
