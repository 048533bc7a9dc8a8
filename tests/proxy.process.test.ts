import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openProxy } from '../contract-tests/proxy/open-proxy.ts'
import { ExchangeRedactor } from '../contract-tests/proxy/redact-exchange.ts'
import { terminalReport } from '../contract-tests/reports/index.ts'
import { verifyTraffic } from '../contract-tests/verify/verify-traffic.ts'
import { createUnderstudy } from '../src/index.ts'
import { type ProxyOptions, startProxy } from '../src/proxy/start-proxy.ts'
import { serve } from '../src/server/serve.ts'
import type { RecordedExchange } from '../src/traffic/exchange.ts'
import { readHar } from '../src/traffic/read-har.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'
import { listen, makeFolder } from './support/temporary.ts'

const run = promisify(execFile)

/** Starts a proxy that ends with the test, and collects its exchanges. */
async function proxyOf(target: string, options: Partial<ProxyOptions> = {}) {
  const exchanges: RecordedExchange[] = []
  const onExchange = async (exchange: RecordedExchange) => void exchanges.push(exchange)
  const proxy = await startProxy({ target: new URL(target), port: 0, onExchange, ...options })
  onTestFinished(() => proxy.close())
  return { ...proxy, exchanges, port: Number(new URL(proxy.url).port) }
}

/** A target that answers each connection by a function, and the bytes that it received. */
async function rawTarget(answer: (socket: Socket, received: string) => void) {
  const target = { received: '', connections: 0, url: '' }
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    target.connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      target.received += chunk.toString('latin1')
      answer(socket, target.received)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return target
}

/** Sends bytes on a connection of its own, and returns the reply until the connection ends. */
async function sendRaw(port: number, bytes: string, until?: RegExp): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(bytes, 'latin1')
  let received = ''
  for await (const chunk of socket) {
    received += chunk.toString('latin1')
    if (until?.test(received)) break
  }
  return received
}

const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'

it.each([
  [
    'a GET without Connection',
    'GET /api/pipelines?tag[]=a&x=%2F HTTP/1.1\r\nhOST: app.localhost\r\naCCept: */*\r\n\r\n',
  ],
  [
    'repeated headers',
    'GET / HTTP/1.1\r\nHost: localhost\r\nX-B: 1\r\nx-a: 2\r\nX-A: 3\r\nConnection: keep-alive\r\n\r\n',
  ],
  ['a POST without a body', 'POST /api/x HTTP/1.1\r\nHost: localhost\r\nX-Empty: \r\n\r\n'],
  [
    'a kept connection and a body with its length',
    'PUT /api/x HTTP/1.1\r\nX-B: 1\r\nHost: localhost\r\nX-b: 2\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nab',
  ],
  [
    'a body with its length',
    'PUT /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nX: \xe9\r\n\r\n\x00\xffab',
  ],
  [
    'a chunked body',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ],
  ['a closing client', 'DELETE /api/x HTTP/1.1\r\nHost: localhost\r\nconnection: CLOSE\r\n\r\n'],
])('passes on %s byte for byte, except for the name of the host', async (_, request) => {
  const target = await rawTarget((socket) => socket.write(hello))
  const { port } = await proxyOf(target.url)

  expect(await sendRaw(port, request, /hello$/)).toBe(hello)
  const expected = request.replace(/(?<=host: ).*(?=\r)/i, new URL(target.url).host)
  expect(target.received).toBe(expected)
})

it.each([
  [
    'odd case, repeated headers and no date',
    'HTTP/1.1 200 Fine\r\nsEt-Cookie: a=1\r\nX: \xe9\r\nSet-cookie: b=2\r\nContent-Length: 2\r\n\r\n\xff\x00',
  ],
  [
    'chunks and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n',
  ],
  [
    'an error status',
    'HTTP/1.1 418 I am a teapot\r\nDate: yesterday\r\nKeep-Alive: timeout=7\r\nContent-Length: 0\r\n\r\n',
  ],
  ['no content', 'HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n'],
])('passes back %s byte for byte', async (_, reply) => {
  const target = await rawTarget((socket) => socket.write(reply, 'latin1'))
  const { port } = await proxyOf(target.url)

  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', /\r\n\r\n$|\xff\x00$/)).toBe(reply)
})

it('records decompressed bodies in bounded memory, also behind a request without a reply', async () => {
  const zeros = gzipSync(Buffer.alloc(10_000_000))
  const target = await listen((request, response) => {
    if (request.url !== '/never') response.setHeader('content-encoding', 'gzip').end(zeros)
  })
  const proxy = await proxyOf(target)
  const never = http.get(`${proxy.url}/never`).on('error', () => undefined)
  for (let count = 0; count < 8; count++)
    await fetch(`${proxy.url}/zeros`).then((reply) => reply.body?.cancel())

  await expect.poll(() => proxy.counts.omittedBodies).toBe(2)
  never.destroy()
})

it('hides bodies whole, and learns the credentials in them', () => {
  const redactor = new ExchangeRedactor()
  const exchangeOf = (url: string, body: string) => ({
    ...exchangeBase,
    request: { method: 'GET', url, headers: {}, body: undefined },
    reply: { status: 200, headers: {}, body },
  })
  const first = redactor.redactWithoutBodies(
    exchangeOf('http://a/api/x', '{"token":"lantern-oil","name":"b"}'),
  )
  const second = redactor.redact(exchangeOf('http://a/api/x?q=lantern-oil', '["lantern-oil"]'))

  expect(first.reply).toMatchObject({ body: '***' })
  expect(second).toMatchObject({ request: { url: 'http://a/api/x?q=***' }, reply: { body: '["***"]' } })
})

const exchangeBase: Omit<RecordedExchange, 'request' | 'reply'> = {
  source: 'proxy',
  world: undefined,
  position: 1,
  client: 'proxy',
  startedAt: 0,
  milliseconds: 1,
  isOrdered: false,
}

it.each(['GET /api/pipelines HTTP/1.1', 'GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket'])(
  'refuses %j under the name of another site',
  async (lines) => {
    const target = await rawTarget((socket) => socket.write(hello))
    const { port } = await proxyOf(target.url)

    const reply = await sendRaw(port, `${lines}\r\nHost: rebound.example:6790\r\n\r\n`, /\r\n\r\n/)
    expect(reply).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(target.received).toBe('')
  },
)

it('passes on the bytes of a WebSocket both ways, and closes it with the proxy', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  const target = await rawTarget((socket, received) =>
    socket.write(received.endsWith('\r\n\r\n') ? switching : 'welcome'),
  )
  const { port, close } = await proxyOf(`${target.url}/base`)
  const socket = net.connect(port, '127.0.0.1')
  const head = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  socket.write(`GET /ws HTTP/1.1\r\n${head}`)
  expect(String((await once(socket, 'data'))[0])).toBe(switching)
  socket.write('hello')

  expect(String((await once(socket, 'data'))[0])).toBe('welcome')
  expect(target.received).toBe(
    `GET /base/ws HTTP/1.1\r\n${head.replace('localhost', new URL(target.url).host)}hello`,
  )
  const ended = once(socket, 'close')
  await close()
  await ended
})

it('ignores an upgrade to HTTP/2, and passes on the request with its body', async () => {
  const target = await listen(async (request, response) =>
    response.end(`${request.headers.upgrade} ${await text(request)}`),
  )
  const { port } = await proxyOf(target)
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'
  const request = `POST /x HTTP/1.1\r\nHost: localhost\r\n${upgrade}Content-Length: 2\r\n\r\nhi`

  expect(await sendRaw(port, request, /hi$/)).toContain('undefined hi')
})

it.each([
  ['asks for', 'HTTP/1.1 100 Continue\r\n\r\n', 'hi'],
  ['refuses', 'HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', ''],
])('waits until the target %s a body', async (_, reply, body) => {
  const target = await rawTarget((socket, received) => socket.write(received.endsWith('hi') ? hello : reply))
  const { port } = await proxyOf(target.url)
  const socket = net.connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')

  expect(String((await once(socket, 'data'))[0])).toBe(reply)
  if (body === '') return
  socket.write(body)
  expect(String((await once(socket, 'data'))[0])).toBe(hello)
})

it('passes back a reply that ends with its connection', async () => {
  const target = await rawTarget((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'))
  const { port } = await proxyOf(target.url)

  expect(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe(
    'HTTP/1.1 200 OK\r\n\r\nuntil the end',
  )
})

it('streams both ways, and records nothing that is too large', async () => {
  // More than the 4 MB that are recorded.
  const large = Buffer.alloc(5_000_000, 'pipeline ')
  const target = await listen(async (request, response) => response.end(await buffer(request)))
  const { url, exchanges, counts } = await proxyOf(target)
  const reply = await fetch(url, { method: 'POST', body: large })

  expect(Buffer.from(await reply.arrayBuffer()).equals(large)).toBe(true)
  await expect.poll(() => exchanges.length).toBe(1)
  expect(exchanges[0]?.reply?.body).toBeUndefined()
  expect(counts).toEqual({ exchanges: 1, omittedBodies: 2 })
})

it('passes on the head and each event of a stream at once', async () => {
  let send: (event: string) => void = () => undefined
  const target = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    send = (event) => response.write(event)
  })
  const { url } = await proxyOf(target)
  const controller = new AbortController()
  const reply = await fetch(url, { signal: controller.signal })
  const reader = reply.body?.getReader()

  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    send(event)
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(event)
  }
  controller.abort()
})

it('aborts the request to the target when the client aborts its own', async () => {
  const aborted = vi.fn<() => void>()
  const controller = new AbortController()
  const target = await listen((_, response) => {
    response.on('close', aborted)
    controller.abort()
  })
  const { url, exchanges } = await proxyOf(target)

  await expect(fetch(url, { signal: controller.signal })).rejects.toThrow('aborted')
  await expect.poll(() => aborted.mock.calls.length).toBe(1)
  await expect.poll(() => exchanges.length).toBe(1)
  expect(exchanges[0]?.reply).toBeUndefined()
})

it('records an empty reply as one that arrived', async () => {
  const { url, exchanges } = await proxyOf(await listen((_, response) => response.writeHead(405).end()))
  await fetch(url)

  await expect.poll(() => exchanges.length).toBe(1)
  expect(exchanges[0]?.reply).toMatchObject({ status: 405, body: '' })
})

it('cuts the connection of the client when the target cuts a reply', async () => {
  const target = await rawTarget((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
    setTimeout(() => socket.destroy(), 20)
  })
  const { url, exchanges } = await proxyOf(target.url)

  await expect(fetch(url).then((reply) => reply.text())).rejects.toThrow()
  await expect.poll(() => exchanges.length).toBe(1)
  expect(exchanges[0]?.reply).toBeUndefined()
})

it('answers 502 and names the target where nothing listens there', async () => {
  const target = `http://127.0.0.1:${await freePort()}`
  const { url, exchanges } = await proxyOf(target)
  const reply = await fetch(`${url}/api/pipelines`)

  expect(reply.status).toBe(502)
  expect(await reply.text()).toMatch(`Cannot reach ${target}: connect ECONNREFUSED`)
  await expect.poll(() => exchanges.length).toBe(1)
})

it('has one connection to the target for each of a client, and ends both together', async () => {
  const target = await rawTarget((socket, received) => {
    socket.write(hello)
    if (received.includes('second')) socket.end()
  })
  const { port } = await proxyOf(target.url)
  const socket = net.connect(port, '127.0.0.1')
  const ended = once(socket, 'end')
  socket.write('POST /first HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  socket.write('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await ended

  expect(target.connections).toBe(1)
})

it('answers requests of one connection in their order', async () => {
  const target = await listen((request, response) => {
    setTimeout(() => response.end(request.url), request.url === '/slow' ? 60 : 0)
  })
  const { port } = await proxyOf(target)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const received = await sendRaw(port, get('/slow') + get('/quick'), /\/quick/)

  expect(received.match(/\/slow|\/quick/g)).toEqual(['/slow', '/quick'])
})

it('hands on exchanges in the order of their requests, with decoded bodies', async () => {
  let answerFirst: (() => void) | undefined
  const target = await listen((request, response) => {
    const body = gzipSync(JSON.stringify({ path: request.url }))
    const answer = () => response.setHeader('content-encoding', 'gzip').end(body)
    if (request.url === '/base/1') answerFirst = answer
    else answer()
  })
  const { url, exchanges } = await proxyOf(`${target}/base/`)
  const first = fetch(`${url}/1`, { headers: { 'X-One': 'a' } })
  await expect.poll(() => answerFirst).toBeDefined()
  await fetch(`${url}/2`, { method: 'POST', body: '{"a":1}' })
  answerFirst?.()
  await first

  await expect.poll(() => exchanges.length).toBe(2)
  expect(exchanges).toMatchObject([
    { position: 1, request: { method: 'GET', url: `${target}/base/1`, headers: { 'x-one': 'a' } } },
    {
      position: 2,
      request: { method: 'POST', body: '{"a":1}' },
      reply: { status: 200, body: '{"path":"/base/2"}' },
    },
  ])
})

it('reaches a target by HTTPS, with a certificate authority of its own', async () => {
  const folder = makeFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    certificate,
    ...names,
  ])
  const ca = await readFile(certificate, 'utf8')
  const server = https.createServer({ key: await readFile(key), cert: ca }, (_, response) =>
    response.end('private'),
  )
  server.listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const target = `https://localhost:${(server.address() as AddressInfo).port}`

  expect(await (await fetch((await proxyOf(target, { ca })).url)).text()).toBe('private')
  const refused = await fetch((await proxyOf(target)).url)
  expect(refused.status).toBe(502)
  expect(await refused.text()).toContain('certificate')
})

/** The URLs of the requests in a HAR file. */
async function urlsIn(path: string): Promise<string[]> {
  const urls: string[] = []
  for await (const { request } of readHar(path)) urls.push(request.url)
  return urls
}

const secrets = {
  key: 'k-4f7c1b2a9d',
  password: 'correct horse battery',
  token: 'tok-9b1c7e55d2f0a4',
  cookie: 'eyJhbGciOiJIUzI1NiJ9.eyJ0b2tlbiI6IjEyMyJ9.c2lnbmF0dXJl',
  bearer: 'br-77aa88bb99cc00',
  trigger: '5e0f2d9c41b84b7a',
}

it('writes no credential to the disk', async () => {
  const target = await listen((_, response) => {
    response
      .setHeader('content-type', 'application/json')
      .setHeader('set-cookie', `oauth_token=${secrets.cookie}; Path=/`)
    const session = {
      token: secrets.cookie,
      message: `Signed in by ${secrets.password}.`,
      expires: '2026-01-01',
    }
    response.end(
      JSON.stringify({ session, note: `token ${secrets.token} of ${secrets.bearer}, ${secrets.trigger}` }),
    )
  })
  const out = join(makeFolder(), 'traffic.har')
  const report = join(makeFolder(), 'report.json')
  const proxy = await openProxy({ target, port: 0, out, reports: { json: report } })
  await fetch(`${proxy.url}/api/sessions?api_key=${secrets.key}`, {
    method: 'POST',
    headers: {
      'X-API-KEY': secrets.key,
      'OAUTH-TOKEN': secrets.token,
      Authorization: `Bearer ${secrets.bearer}`,
    },
    body: JSON.stringify({
      api_key: secrets.key,
      session: { email: 'a@example.com', password: secrets.password },
    }),
  })
  await fetch(`${proxy.url}/api/pipeline_schedules/1/pipeline_runs/${secrets.trigger}`, {
    method: 'POST',
    headers: { Cookie: `lang=en; oauth_token=${secrets.cookie}` },
    body: `key=${secrets.key}&again=${encodeURIComponent(secrets.password)}`,
  })
  const { report: shown } = await proxy.close()
  const written = await readFile(out, 'utf8')
  const everything = written + (await readFile(report, 'utf8')) + terminalReport(shown, { isVerbose: true })
  const found = Object.entries(secrets).filter(
    ([, secret]) => everything.includes(secret) || everything.includes(encodeURIComponent(secret)),
  )

  expect(found).toEqual([])
  expect(written).toContain('Signed in by ***.')
  expect((await stat(out)).mode & 0o077).toBe(0)
  expect(await urlsIn(out)).toEqual([
    `${target}/api/sessions?api_key=***`,
    `${target}/api/pipeline_schedules/1/pipeline_runs/***`,
  ])
})

it('writes JSON, whatever it hides in it, and hides what a log has shown', async () => {
  const token = 'Zq7x-42-alpha'
  const target = await listen((request, response) => {
    response.setHeader('access-control-allow-credentials', 'true').setHeader('set-cookie', 'lang=python')
    const log = { content: `PASSWORD=${token}\n`, otp: 987654, count: 987654, isDone: true }
    response.end(JSON.stringify(request.url === '/api/log' ? log : { type: 'python', note: `of ${token}` }))
  })
  const out = join(makeFolder(), 'traffic.har')
  const proxy = await openProxy({ target, port: 0, out })
  for (const path of ['/api/log', '/api/note']) await fetch(proxy.url + path)
  await proxy.close()
  const bodies: unknown[] = []
  for await (const { reply } of readHar(out)) bodies.push(JSON.parse(reply?.body ?? ''))

  expect(bodies).toEqual([
    { content: 'PASSWORD=***\n', otp: '***', count: '***', isDone: true },
    { type: 'python', note: 'of ***' },
  ])
})

it('runs as a command, and has a complete HAR file at each point in time', async () => {
  const target = await listen((_, response) => response.end('{}'))
  const out = join(makeFolder(), 'traffic.har')
  const child = spawn('node', ['dist/cli/main.js', 'proxy', target, '--port', '0', '--out', out], {
    cwd: root,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [first] = await once(child.stdout, 'data')
  const url = /http:\S+/.exec(String(first))?.[0] ?? ''
  const rest = text(child.stdout)
  for (const path of ['/api/pipelines', '/api/backfills']) {
    await fetch(url + path)
    await expect.poll(() => readFile(out, 'utf8')).toContain(path)
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ log: { version: '1.2' } })
  }
  child.kill('SIGTERM')

  expect(await exited).toEqual([0, null])
  expect(await rest).toMatch(new RegExp(`\nPassed on 2 requests. Wrote ${out}.\n$`))
  expect(await urlsIn(out)).toEqual([`${target}/api/pipelines`, `${target}/api/backfills`])
})

it('answers requests through an agent that keeps connections', async () => {
  const target = await listen((request, response) => response.end(request.url))
  const { port, exchanges } = await proxyOf(target)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  onTestFinished(() => agent.destroy())
  const replies = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const request = http.get({ port, path: `/${index}`, agent })
      const [reply] = await once(request, 'response')
      return text(reply)
    }),
  )

  expect(replies).toEqual(replies.map((_, index) => `/${index}`))
  await expect.poll(() => exchanges.length).toBe(100)
})

it('prints a finding when it occurs, shows it on a page, and prints what the client does wrong at the end', async () => {
  const target = await listen((_, response) => response.end('{"backfills":"none"}'))
  const child = spawn('node', ['dist/cli/main.js', 'proxy', target, '--port', '0', '--client'], { cwd: root })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  await expect.poll(() => printed).toContain('Report so far')
  // A reply is checked when a later request shows that none overlaps it.
  await expect
    .poll(async () => {
      await fetch(`${/http:\S+/.exec(printed)?.[0]}/api/backfills?api_key=Zq7x-secret`)
      return printed
    })
    .toContain('Violated by GET /api/backfills?api_key=***: ')
  const url = /Report so far: (\S+)/.exec(printed)?.[1] ?? ''
  const page = await (await fetch(url)).text()
  for (const part of ['Read backfills: ', '<p><code>GET /api/backfills?api_key=***', 'credentials-in-url'])
    expect(page).toContain(part)
  expect(page).not.toContain('Zq7x-secret')
  expect((await fetch(new URL('/', url))).status).toBe(404)
  child.kill('SIGINT')
  await once(child, 'close')

  expect(printed).toMatch(/^ {2}credentials-in-url: GET \/api\/backfills/m)
  expect(printed).not.toContain('Zq7x-secret')
})

/** Starts a mock behind a proxy that checks it, sends requests, and returns the result. */
async function checked(change: (path: string, body: string) => string) {
  const pipeline_schedules = ['nightly', 'weekly'].map((name) => ({ name, pipeline_uuid: 'daily_sales' }))
  const fixture = { pipelines: [{ name: 'daily sales' }], pipeline_schedules }
  const mock = await serve(createUnderstudy({ fixture }), { port: 0 })
  onTestFinished(() => mock.close())
  const target = await listen(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const body = method === 'GET' ? {} : { body: await text(request) }
    const reply = await fetch(mock.url + url, {
      method,
      headers: { 'content-type': 'application/json' },
      ...body,
    })
    response.setHeader('content-type', 'application/json').end(change(`${method} ${url}`, await reply.text()))
  })
  const report = join(makeFolder(), 'junit.xml')
  const out = join(makeFolder(), 'traffic.har')
  const proxy = await openProxy({ target, port: 0, out, reports: { junit: report } })
  const send = async (method: string, path: string, body?: object) =>
    (await fetch(proxy.url + path, { method, ...(body && { body: JSON.stringify(body) }) })).text()
  await send('POST', '/api/pipelines/daily_sales/backfills', { backfill: { name: 'first' } })
  await send('GET', '/api/backfills')
  await send('PUT', '/api/pipelines/daily_sales/backfills/1', { backfill: { status: 'cancelled' } })
  await send('GET', '/api/backfills')
  await send('GET', '/api/pipelines/daily_sales/pipeline_schedules')
  return { ...(await proxy.close()), written: await readFile(report, 'utf8'), out }
}

it('finds nothing in the traffic of a server that conforms', async () => {
  const { report, exitCode, written, out } = await checked((_, body) => body)

  expect(exitCode).toBe(0)
  expect(report.traffic).toMatchObject({ read: 5, checked: 5 })
  // Nor in its file, which hides the credentials.
  expect((await verifyTraffic({ files: [out], command: 'verify' })).exitCode).toBe(0)
  expect(written).toContain('<testsuites')
})

it('finds a write that a later read does not show', async () => {
  const { report, exitCode } = await checked((request, body) =>
    request === 'GET /api/backfills' ? body.replace('"cancelled"', 'null') : body,
  )

  expect(exitCode).toBe(1)
  expect(terminalReport(report)).toContain('cancelled')
})
