import { type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import { sentence } from '../mutants/mutant.ts'
import { defineVariants, forEach } from './variant.ts'

/** The bytes of a reply. */
interface WrittenReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A server between the client and the mock that writes replies in its own way. */
const between =
  (write: (reply: WrittenReply, response: ServerResponse) => unknown) =>
  (server: Answering): RequestListener =>
  (incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', async () => {
      const { method = 'GET', url: path = '/' } = incoming
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      )
      const sent = Buffer.concat(parts)
      const body = sent.length === 0 ? undefined : sent.toString('utf8')
      const { status, contentType, text } = await server.answer({ method, path, headers, body })
      write({ status, headers: { 'content-type': contentType }, body: Buffer.from(text) }, response)
    })
  }

const plain = (
  { status, headers, body }: WrittenReply,
  response: ServerResponse,
  more: Record<string, string>,
) => response.writeHead(status, { ...headers, ...more }).end(body)

/** The bytes of a reply of HTTP/1.0, which ends with its connection. */
function inOldHttp({ status, headers, body }: WrittenReply, response: ServerResponse): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.0 ${status} ${STATUS_CODES[status]}`, ...lines, `content-length: ${body.length}`]
  response.socket?.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

async function inChunks({ status, headers, body }: WrittenReply, response: ServerResponse): Promise<void> {
  response.writeHead(status, { ...headers, 'transfer-encoding': 'chunked' })
  // The cut may be inside a character of several bytes.
  for (let start = 0; start < body.length; start += 997) {
    response.write(body.subarray(start, start + 997))
    await new Promise(setImmediate)
  }
  response.end()
}

const deployments: Readonly<Record<string, (reply: WrittenReply, response: ServerResponse) => unknown>> = {
  'through-a-proxy-with-headers': (reply, response) =>
    plain(reply, response, {
      via: '1.1 edge', server: 'cloudflare', 'x-request-id': 'a-b-c', 'x-cache': 'MISS', 'set-cookie': 'lb=node-1; Path=/',
      'strict-transport-security': 'max-age=1', vary: 'Accept-Encoding', age: '0', etag: 'W/"1"', 'x-ratelimit-remaining': '7',
    }), // biome-ignore format: a list of headers
  'through-a-proxy-that-compresses': ({ body, ...reply }, response) =>
    plain({ ...reply, body: gzipSync(body) }, response, { 'content-encoding': 'gzip' }),
  'in-small-chunks': inChunks,
  'without-keep-alive': (reply, response) => plain(reply, response, { connection: 'close' }),
  'in-http-1.0': inOldHttp,
  'with-capitals-in-content-type': (reply, response) =>
    plain(reply, response, { 'content-type': 'Application/JSON;Charset=UTF-8' }),
  'without-a-date': (reply, response) => {
    response.sendDate = false
    plain(reply, response, {})
  },
  'with-the-date-of-a-proxy': (reply, response) =>
    plain(reply, response, { date: new Date(Date.now() + 40 * 86_400_000).toUTCString() }),
}

/** Deployments with a proxy or another server between the client and the service. */
export const deploymentVariants = defineVariants(
  forEach(Object.keys(deployments), (name) => [
    name,
    [
      sentence('What the service does', 'JSON HTTP API'),
      { behind: between((reply, response) => deployments[name]?.(reply, response)) },
    ],
  ]),
)
