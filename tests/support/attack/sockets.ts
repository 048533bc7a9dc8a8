import { connect } from 'node:net'
import { attack, codeOf, differs, statusesIn } from './target.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** What comes over one connection at once, in part, or is never read. */
export const socketAttacks = [
  attack({
    name: 'sockets: a struck request pipelined behind one that waits',
    async send({ admin, raw }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listBackfills', latency: '50ms' })
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', slowBody: '20ms' })
      return raw(get('/api/backfills') + get('/api/pipelines') + get('/api/backfills') + get('/api/nowhere'))
    },
    holds: (text) => differs('statuses', [200, 200, 200, 200], statusesIn(text)),
  }),
  attack({
    name: 'sockets: sixty late requests on one connection',
    async send({ admin, raw }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', latency: '2ms' })
      return raw(get('/api/pipelines').repeat(60))
    },
    holds: (text) => differs('replies', 60, statusesIn(text).length),
  }),
  attack({
    name: 'sockets: a client that leaves while others wait behind a reply that never comes',
    async send({ admin, raw, ask }) {
      await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', hang: true })
      const text = await raw(get('/api/pipelines') + get('/api/pipelines') + get('/api/backfills'), {
        quiet: 50,
      })
      return [text, (await ask('GET', '/api/backfills')).status]
    },
    holds: (found) => differs('what came, and the next client', ['', 200], found),
  }),
  attack({
    name: 'sockets: a body of 45 MB',
    send: ({ ask }) => ask('POST', '/api/pipelines', 'x'.repeat(45 * 1024 * 1024)),
    holds: (answer) => differs('code', 413, codeOf(answer)),
  }),
  attack({
    isLong: true,
    name: 'sockets: a state of 45 MB, although nobody reads it',
    send: ({ ask }) =>
      ask('PUT', '/__understudy__/api/worlds/main/snapshots/a', `"${'x'.repeat(45 * 1024 * 1024)}"`, {
        'content-type': 'application/json',
      }),
    holds: (answer) => differs('status', 413, answer.status),
  }),
  attack({
    name: 'sockets: an event stream that nobody reads',
    async send({ port, ask }) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      socket.write(get('/__understudy__/api/worlds/main/journal/stream'))
      socket.pause()
      const content = 'x'.repeat(4_000_000)
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const block = { name, type: 'custom', content }
        await ask('POST', '/api/pipelines/daily_sales/blocks', { block })
      }
      // What is kept for it stays where it is; what was let go breaks off.
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
    holds: (isCut) => (isCut ? undefined : '24 MB are kept for a reader that does not read'),
  }),
]
