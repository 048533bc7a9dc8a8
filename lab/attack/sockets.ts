import { once } from 'node:events'
import type { Socket } from 'node:net'
import { attack, codeOf, differs, get, last, listOf, openSocket, statusesIn } from './target.ts'

const post = 'POST /api/pipelines HTTP/1.1\r\nHost: localhost\r\n'

/** Endless requests over a connection whose replies nobody reads. */
const floods = (
  [
    ['asks', get('/api/pipelines')],
    ['writes', `${post}Content-Length: 2\r\n\r\n{}`],
    ['writes in chunks', `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['asks for a page', get('/')],
  ] as const
).map(([does, request]) =>
  attack({
    name: `sockets: a client that ${does} on and on, and reads nothing`,
    isCostly: does !== 'asks',
    async send({ port, call }) {
      const socket = openSocket(port).pause()
      const many = Buffer.from(request.repeat(1_000))
      const taken = () => socket.bytesWritten - socket.writableLength
      // The system buffers some megabytes per connection.
      for (let before = -1; taken() > before && taken() < 24_000_000; ) {
        before = taken()
        while (socket.writableLength < 1_000_000) socket.write(many)
        await new Promise((wake) => setTimeout(wake, 300))
      }
      const { status } = await call('GET', '/api/pipelines')
      const bytes = taken()
      socket.destroy()
      return [status, bytes]
    },
    problemOf: ([status, bytes]) =>
      differs('another client meanwhile', 200, status) ??
      (Number(bytes) < 24_000_000 ? undefined : `${bytes} bytes of requests were read`),
  }),
)

/** Opens connections that send a body of 9.8 MB without its last byte. */
async function openUnfinished(port: number, count: number): Promise<Socket[]> {
  const body = Buffer.from(`{"pipeline":"${'x'.repeat(9_799_985)}"}`)
  const start = `${post}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Promise.all(
    listOf(count, async () => {
      const socket = openSocket(port)
      socket.write(start)
      await new Promise((sent) => socket.write(body.subarray(0, -1), sent))
      return socket
    }),
  )
}

/** Connections that send too much, send incomplete requests, or never read. */
export const socketAttacks = [
  attack({
    name: 'sockets: 40 bodies of 9.8 MB that arrive at the same time, and 40 that never end',
    isCostly: true,
    async send({ port, call }) {
      const body = { pipeline: { name: 'a', type: 'python' } }
      const large = { pipeline: { name: 'b', type: 'python', description: 'x'.repeat(9_800_000) } }
      const sockets = await openUnfinished(port, 40)
      const small = codeOf(await call('POST', '/api/pipelines', body))
      const replies = await Promise.all(
        sockets.map(async (socket) => {
          socket.write('}')
          const [chunk] = await once(socket, 'data')
          socket.destroy()
          return String(chunk)
        }),
      )
      const refused = replies.filter((text) => text.includes('Too many large bodies')).length
      for (const socket of await openUnfinished(port, 40)) socket.destroy()
      await new Promise((wake) => setTimeout(wake, 300))
      return [small, refused >= 5 && refused < 40, codeOf(await call('POST', '/api/pipelines', large))]
    },
    problemOf: (found) =>
      differs(
        'a small body meanwhile, whether some are refused, a large body later',
        [200, true, 200],
        found,
      ),
  }),
  attack({
    name: 'sockets: a struck request pipelined behind one that waits',
    async send({ admin, raw }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listBackfills', latency: '50ms' })
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', slowBody: '20ms' })
      return raw(
        get('/api/backfills') + get('/api/pipelines') + get('/api/backfills') + get('/api/nowhere', last),
      )
    },
    problemOf: (text) => differs('statuses', [200, 200, 200, 200], statusesIn(text)),
  }),
  attack({
    name: 'sockets: sixty late requests on one connection',
    async send({ admin, raw }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', latency: '2ms' })
      return raw(get('/api/pipelines').repeat(59) + get('/api/pipelines', last))
    },
    problemOf: (text) => differs('replies', 60, statusesIn(text).length),
  }),
  attack({
    name: 'sockets: a client that leaves while others wait behind a reply that never comes',
    async send({ admin, raw, call }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', hang: true })
      const text = await raw(get('/api/pipelines') + get('/api/pipelines') + get('/api/backfills'), {
        quiet: 50,
      })
      return [text, (await call('GET', '/api/backfills')).status]
    },
    problemOf: (found) => differs('what came, and the next client', ['', 200], found),
  }),
  attack({
    name: 'sockets: a body of 45 MB',
    send: ({ call }) => call('POST', '/api/pipelines', 'x'.repeat(45 * 1024 * 1024)),
    problemOf: (answer) => differs('code', 413, codeOf(answer)),
  }),
  attack({
    isLong: true,
    name: 'sockets: a state of 45 MB, although nobody reads it',
    send: ({ call }) =>
      call('PUT', '/__understudy__/api/worlds/main/snapshots/a', `"${'x'.repeat(45 * 1024 * 1024)}"`, {
        'content-type': 'application/json',
      }),
    problemOf: (answer) => differs('status', 413, answer.status),
  }),
  attack({
    name: 'sockets: four connections that ask for a list a hundred times each, and read nothing',
    async send({ port, call, admin }) {
      const values = listOf(2_000, (index) => ({ name: `b ${index}` }))
      await admin('POST', '/worlds/main/factories/backfill', { values })
      const sockets = listOf(4, () => {
        const socket = openSocket(port).pause()
        socket.write(get('/api/backfills').repeat(100))
        return socket
      })
      const statuses: number[] = []
      for (let times = 0; times < 20; times++) statuses.push((await call('GET', '/api/pipelines')).status)
      const { entries } = (await admin('GET', '/worlds/main/journal')).body as {
        entries: { operation: string | null }[]
      }
      for (const socket of sockets) socket.destroy()
      // The server creates replies only as fast as the client reads: of 400 lists only those that fit the connection.
      return [[...new Set(statuses)], entries.filter(({ operation }) => operation === 'listBackfills').length]
    },
    problemOf: ([statuses, made]) =>
      differs('another client meanwhile', [200], statuses) ??
      (Number(made) < 200 ? undefined : `${made} lists were made for clients that do not read`),
  }),
  ...floods,
  attack({
    name: 'sockets: an event stream that nobody reads',
    isCostly: true,
    async send({ port, call }) {
      const socket = openSocket(port)
      socket.write(get('/__understudy__/api/worlds/main/journal/stream'))
      socket.pause()
      // The maximum size of a change in an event.
      const content = 'x'.repeat(450_000)
      for (let index = 0; index < 58; index++) {
        const block = { name: `b${index}`, type: 'custom', content }
        await call('POST', '/api/pipelines/daily_sales/blocks', { block })
      }
      // A server that buffers the stream leaves it open; one that drops it closes it.
      const isCut = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), 1_500)
        socket.once('close', () => {
          clearTimeout(timer)
          resolve(true)
        })
      })
      socket.resume()
      return isCut.finally(() => socket.destroy())
    },
    problemOf: (isCut) => (isCut ? undefined : '26 MB are kept for a reader that does not read'),
  }),
]
