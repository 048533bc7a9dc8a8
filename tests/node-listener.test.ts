import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createListener, type ListenerOptions } from '../src/server/index.ts'

/** A server of somebody's own behind the listener. */
async function open(options?: ListenerOptions) {
  const { port } = await listen(options)
  return async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
}

async function listen(options?: ListenerOptions) {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const listener = createListener(understudy, options)
  const server = createServer((request, response) =>
    listener(request, response, () => response.writeHead(418).end('somebody else')),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { understudy, port }
}

it('answers requests of one connection in a row, and those of others meanwhile', async () => {
  const { understudy, port } = await listen({ admin: true, pages: 'beside' })
  understudy.faults.add({ operation: 'listPipelines', times: 1, hang: true })
  const client = connect(port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const paths = [
    '/api/pipelines',
    '/api/backfills',
    '/__understudy__/api/worlds/main/clock',
    '/__understudy__/',
  ]
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  const other = async () => (await fetch(`http://127.0.0.1:${port}/api/pipelines/daily_sales`)).status
  while (understudy.journal.entries({ operation: 'listPipelines' }).length === 0) await other()

  expect(await other()).toBe(200)
  expect(understudy.journal.entries({ operation: 'listBackfills' })).toEqual([])
})

it('ends a reply before it hands back, and in the context of its request', async () => {
  const listener = createListener(createUnderstudy())
  const context = new AsyncLocalStorage<string>()
  const finished: unknown[] = []
  const server = createServer((request, response) => {
    const url = request.url!
    context.run(url, () => {
      response.once('finish', () => finished.push([url, context.getStore(), ended]))
      listener(request, response, () => undefined)
      const ended = response.writableEnded
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const paths = Array.from({ length: 8 }, (_, index) => `/api/pipelines?n=${index}`)
  await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${port}${path}`)))

  await expect.poll(() => finished.length).toBe(8)
  expect(finished.toSorted()).toEqual(paths.map((path) => [path, path, true]))
})

it('answers the API and leaves the rest to who stands behind it, admin API and pages included', async () => {
  const get = await open()

  expect((await get('/api/pipelines/daily_sales')).text).toContain('"name":"daily sales"')
  expect(await get('/')).toMatchObject({ status: 418, text: 'somebody else' })
  expect((await get('/__understudy__/')).status).toBe(418)
  expect((await get('/__understudy__/api/worlds')).status).toBe(418)
})

it('has its pages beside those of others', async () => {
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

it('has no panel beside others where the admin API is off or answers somebody else', async () => {
  const get = await open({ pages: 'beside', admin: false })
  const page = await get('/__understudy__/')

  expect(page.text).toContain('The panel needs the admin API, which is off here.')
  expect((await get('/__understudy__/panel/page.js')).status).toBe(418)
  const named = await open({ pages: 'beside' })
  const headers = { 'x-forwarded-for': '10.0.0.7' }
  expect((await named('/__understudy__/panel/page.js', { headers })).status).toBe(418)
})

it('says what it wants instead of an understudy', () => {
  expect(() => createListener(undefined as never)).toThrow(
    'createListener: expected an understudy, such as createUnderstudy() gives; found nothing.',
  )
})
