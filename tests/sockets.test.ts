import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { batchEnd } from '../src/server/send.ts'
import type { ServeOptions } from '../src/server/serve.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

/** Serves a small fixture for one test, and opens sockets to it; concurrent tests pass their own end. */
async function open(options: ServeOptions = {}, whenOver = onTestFinished) {
  const served = await serveMock(undefined, { grace: 4_000, ...options }, whenOver)
  const dial = (): Socket => connect(served.port, '127.0.0.1').on('error', () => undefined)
  return { ...served, dial }
}

/** Everything a socket receives until it closes. */
async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sends a text over a new connection, and returns the reply. */
async function exchange(text: string): Promise<string> {
  const { dial } = await open()
  const socket = dial()
  socket.write(text)
  return readAll(socket)
}

const envelopeOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown
const refused = (code: number, message: string) => ({
  error: { code, message, type: 'record_invalid' },
  status: 200,
})

const post = (...headers: readonly string[]) =>
  ['POST /api/pipelines HTTP/1.1', 'Host: x', ...headers, '', '0\r\n\r\n'].join('\r\n')

it.each([
  ['hello\r\n\r\n'],
  ['GET /api/pipelines HTTP/1.1\r\nHost x\r\n\r\n'],
  [post('Content-Length: 1', 'Content-Length: 2')],
  [post('Content-Length: 1', 'Transfer-Encoding: chunked')],
  [post('Content-Length: +3')],
  [post('X-API-KEY : a', 'Content-Length: 3')],
  [post('X-A: a', ' b: c', 'Transfer-Encoding: xchunked')],
  [post('Transfer-Encoding: chunked, identity')],
  ['POST /api/pipelines HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('rejects %j, which is not HTTP, and closes the connection', async (text) => {
  const answer = await exchange(text)

  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(envelopeOf(answer)).toEqual(refused(400, 'The request is not HTTP.'))
})

it('rejects headers longer than 16 KB, and closes the connection', async () => {
  const answer = await exchange(`GET /api HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`)

  expect(answer).toMatch(/^HTTP\/1.1 431 /)
  expect(envelopeOf(answer)).toEqual(refused(431, 'The headers are longer than 16 KB.'))
})

it.each([
  ['late', { latency: 200 }],
  ['slow', { slowBody: 500 }],
])('sends no refusal in place of a reply that is %s', async (_, fault) => {
  const { dial, understudy } = await open()
  understudy.faults.add({ operation: 'listBackfills', ...fault })
  const socket = dial()
  socket.write('GET /api/backfills HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((wake) => setTimeout(wake, 50))
  socket.write('garbage\r\n\r\n')

  expect(await readAll(socket)).not.toContain('HTTP/1.1 400')
})

const create = (name: string, more = '') => {
  const body = JSON.stringify({ pipeline: { name, type: 'python' } })
  return `POST /api/pipelines HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${more}`
}
const read = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

const closing = 'Connection: close\r\n'

it.each([
  ['a request without Host', 200, `GET /api/backfills?_limit=1 HTTP/1.1\r\n${closing}\r\n`, /^{"backfills":/],
  [
    'an unknown Expect',
    200,
    read('/api/backfills?_limit=1', `Expect: wonders\r\n${closing}`),
    /^{"backfills":/,
  ],
  ['an invalid URL like an unknown path', 404, read('http://[/nowhere', closing), /"title":"Not found"/],
  ['a read before garbage', 200, `${read('/api/pipelines')}garbage\r\n\r\n`, /^{"pipelines":/],
  ['a write with a body that is too long', 200, create('mine', 'garbage\r\n\r\n'), /^{"pipeline":/],
  ['a read that should be the last', 200, read('/api/pipelines', closing).repeat(2), /^{"pipelines":/],
])('answers %s by HTTP %i, and closes the connection', async (_, status, text, shown) => {
  const answer = await exchange(text)

  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.stringify(envelopeOf(answer))).toMatch(shown)
})

it('answers hundreds of requests that come on one connection at once, one after the other', async () => {
  const { dial } = await open()
  const socket = dial()
  const names = Array.from({ length: 150 }, (_, index) => `p${index}`)
  socket.write(names.map((name) => create(name) + read(`/api/pipelines/${name}`)).join(''))
  socket.write(read('/api/nowhere', 'Connection: close\r\n'))
  const answer = await readAll(socket)

  expect(answer.match(/HTTP\/1.1 200 /g)).toHaveLength(301)
  expect([...answer.matchAll(/"pipeline":\{"uuid":"(\w+)"/g)].map(([, uuid]) => uuid)).toEqual(
    names.flatMap((name) => [name, name]),
  )
  expect(answer.match(/"error"/g)).toHaveLength(1)
})

it('runs no pipelined request after the connection has closed', async () => {
  const carriedOut: string[] = []
  const url = await listen((request, response) => {
    const answer = () => {
      carriedOut.push(request.url ?? '')
      if (request.url === '/1') request.socket.destroy()
      response.writeHead(200, ['content-length', 2])
      batchEnd(response, '{}', 'latin1')
    }
    if (response.socket === null) response.once('socket', answer)
    else answer()
  })
  const client = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  const requests = Array.from(
    { length: 20 },
    (_, index) => `GET /${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  )
  client.resume().write(requests.join(''))
  await once(client, 'close')

  expect(carriedOut).toEqual(['/0', '/1'])
})

it.concurrent('disconnects clients that send their request too slowly', async ({ onTestFinished }) => {
  const { dial, server } = await open({}, onTestFinished)
  Object.assign(server, { headersTimeout: 150, requestTimeout: 300 })
  const slow = dial()
  slow.write('GET /api/pipelines HTTP/1.1\r\n')
  const dripping = setInterval(() => slow.writable && slow.write('X-A: b\r\n'), 20)
  const silent = dial()
  const endless = dial()
  endless.write('POST /api/pipelines HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  const [first, , third] = await Promise.all([readAll(slow), readAll(silent), readAll(endless)])
  clearInterval(dripping)

  expect(envelopeOf(first)).toEqual(refused(408, 'The request took too long to arrive.'))
  expect(envelopeOf(third)).toEqual(refused(408, 'The request took too long to arrive.'))
})

it.concurrent('cuts a socket that is idle between two requests', async ({ onTestFinished }) => {
  const { dial, server } = await open({}, onTestFinished)
  server.keepAliveTimeout = 50
  const socket = dial()
  socket.write('GET /api/pipelines HTTP/1.1\r\nHost: x\r\n\r\n')

  expect(await readAll(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})

it.concurrent('answers requests in progress when it closes, and accepts no others', async ({
  onTestFinished,
}) => {
  const { dial, close } = await open({}, onTestFinished)
  const sending = dial()
  const body = JSON.stringify({ pipeline: { name: 'late', type: 'python' } })
  sending.write(
    `POST /api/pipelines HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  // It has the head, and waits for the body.
  await once(sending, 'data')
  const closed = close()
  const late = dial()
  const refusedLate = new Promise((resolve) => late.once('close', resolve))
  sending.write(body)
  const answer = await readAll(sending)
  await closed
  await refusedLate

  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(answer).toContain('"uuid":"late"')
  expect(late.bytesRead).toBe(0)
})

it.concurrent('cuts what is still in flight after its grace', async ({ onTestFinished }) => {
  const { dial, close } = await open({ grace: 60 }, onTestFinished)
  const endless = dial()
  endless.write(
    'POST /api/pipelines HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{',
  )
  await once(endless, 'data')
  const { bytesRead } = endless
  const cut = once(endless, 'close')
  await close()
  await cut

  expect(endless.bytesRead).toBe(bytesRead)
})

it.each([
  ['reports a body that a middleware has read and not stored', undefined, { error: { code: 400 } }],
  ['answers with the body that a middleware stored as text', 'body', { pipeline: { uuid: 'kept' } }],
  ['answers with the body that a middleware stored as bytes', 'rawBody', { pipeline: { uuid: 'kept' } }],
])('%s', async (_, place, expected) => {
  const understudy = createUnderstudy({ fixture: company })
  const app = createApp(understudy, { admin: true })
  const url = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      if (place !== undefined) Object.assign(request, { [place]: Buffer.concat(chunks) })
      setImmediate(() => app(request as never, response as never))
    })
  })
  const headers = { 'content-type': 'application/json' }
  const send = (path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
  const reply = await send('/api/pipelines', { pipeline: { name: 'kept', type: 'python' } })
  const admin = await send('/__understudy__/api/worlds/main/clock/advance', { duration: '1s' })

  expect(await reply.json()).toMatchObject(expected)
  expect(admin.status).toBe(place === undefined ? 400 : 200)
  expect((await send('/__understudy__/api/worlds/main/reset')).status).toBe(204)
})

/** Has a middleware do something to a request once it has come, before the app answers it. */
async function serveBehind(middleware: (request: IncomingMessage, next: () => void) => void) {
  const app = createApp(createUnderstudy({ fixture: company }))
  const url = await listen((request, response) =>
    middleware(request, () => app(request as never, response as never)),
  )
  // It comes in several pieces.
  const body = JSON.stringify({
    pipeline: { name: 'kept', type: 'python', description: 'ü'.repeat(200_000) },
  })
  const headers = { 'content-type': 'application/json' }
  return (await (await fetch(`${url}/api/pipelines`, { method: 'POST', headers, body })).json()) as object
}

it.each([
  ['pauses the request', (request: IncomingMessage) => request.pause()],
  ['reads it as text', (request: IncomingMessage) => request.setEncoding('utf8')],
  ['reads it as text of another encoding', (request: IncomingMessage) => request.setEncoding('base64')],
])('reads the whole body if a middleware %s', async (_, change) => {
  const reply = await serveBehind((request, next) => {
    change(request)
    next()
  })

  expect(reply).toMatchObject({ pipeline: { uuid: 'kept', description: 'ü'.repeat(200_000) } })
})

const circle: { self?: object } = {}
circle.self = circle

it.each([
  ['a circle', circle],
  ['a BigInt', { pipeline: { name: 1n } }],
  ['a function', () => undefined],
  ['a map', new Map([['pipeline', { name: 'a' }]])],
  ['a form', new URLSearchParams({ name: 'a' })],
])('reports a body that a middleware changed to %s', async (_, made) => {
  const reply = await serveBehind((request, next) => {
    request.resume().on('end', () => {
      Object.assign(request, { body: made })
      next()
    })
  })

  expect(reply).toMatchObject({
    error: {
      code: 400,
      message: expect.stringContaining('a value that JSON cannot express, such as a BigInt'),
    },
  })
})
