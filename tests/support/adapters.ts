import { once } from 'node:events'
import { type Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setupServer } from 'msw/node'
import { createHandlers } from '../../src/handlers/index.ts'
import { createApp } from '../../src/server/create-app.ts'
import { type Adapter, ApiReply, type ApiTransport, memory } from './api.ts'

const origin = 'http://service.test'

const msw: Adapter = {
  name: 'MSW in Node',
  async connect(understudy) {
    const server = setupServer(...createHandlers(understudy, { baseUrl: origin }))
    server.listen({ onUnhandledRequest: 'error' })
    return {
      port: 0,
      close: () => server.close(),
      async transport({ method, path, headers, body }) {
        const response = await fetch(`${origin}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: body as string }),
        })
        return new ApiReply(response.status, Object.fromEntries(response.headers), await response.text())
      },
    }
  },
}

export const express: Adapter = {
  name: 'Express',
  async connect(understudy) {
    const server = createServer(createApp(understudy))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return {
      port,
      transport: (request) => sendOverHttp(port, request),
      close() {
        server.close()
        server.closeAllConnections()
      },
    }
  },
}

const named = (all: readonly Adapter[]) => all.map((adapter) => [adapter.name, adapter] as const)

/** The two adapters over a network, for `it.each`. */
export const adapters = named([msw, express])

/** The adapters and the engine itself. */
export const allAdapters = named([msw, express, memory])

/** Sends a request exactly as written: `fetch` would normalise its path, and add or drop headers. */
export async function sendOverHttp(
  port: number,
  { method, path, headers, body }: Parameters<ApiTransport>[0],
  agent: Agent | false = false,
): Promise<ApiReply> {
  const bytes = body === undefined ? undefined : Buffer.from(body as string)
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) }
  const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent }
  const request = httpRequest(options)
  request.end(bytes)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return new ApiReply(response.statusCode!, Object.fromEntries(received), await text(response))
}
