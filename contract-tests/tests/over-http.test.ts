import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { overHttp } from '../runner/transports/over-http.ts'

const request = { method: 'POST', path: '/api/pipelines', headers: {}, body: '{}' }

/** Serves a listener, and records the connection of each request. */
async function start(listener: RequestListener) {
  const sockets: Socket[] = []
  const server = createServer((incoming, response) => {
    sockets.push(incoming.socket)
    listener(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = overHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    transport.close()
    server.close()
  })
  return { sockets, send: () => transport.send(request, 1_000) }
}

it('sends consecutive requests over one connection', async () => {
  const { sockets, send } = await start((_, response) => void response.end('{}'))
  await send()
  await send()
  await send()

  expect(sockets).toHaveLength(3)
  expect(new Set(sockets).size).toBe(1)
})

it('repeats a request when a reused connection closes, and reuses none afterwards', async () => {
  const seen = new Set<Socket>()
  const { sockets, send } = await start((incoming, response) => {
    if (seen.has(incoming.socket)) return void incoming.socket.resetAndDestroy()
    seen.add(incoming.socket)
    response.end('{}')
  })
  await send()
  const { text } = await send()
  await send()
  await send()

  expect(text).toBe('{}')
  expect(sockets).toHaveLength(5)
  expect(new Set(sockets).size).toBe(4)
})

it.each([
  ['is reset', 'Content-Length: 9', '{}', 'ECONNRESET'],
  ['has an invalid chunk', 'Transfer-Encoding: chunked', 'zz\r\n', 'HPE_INVALID_CHUNK_SIZE'],
])('reports once that a reply %s', async (_, header, body, code) => {
  const { send } = await start(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${body}`, () => socket.resetAndDestroy())
  })

  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  await expect(send()).rejects.toMatchObject({ code })
  // After another reply the first connection is closed, and its errors have been reported.
  await expect(send()).rejects.toMatchObject({ code })
  expect(warn.mock.calls).toEqual([])
})

it('reports a dropped new connection, and repeats no request', async () => {
  const { sockets, send } = await start((incoming) => void incoming.socket.resetAndDestroy())

  await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(sockets).toHaveLength(1)
})
