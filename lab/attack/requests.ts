import { gzipSync } from 'node:zlib'
import {
  attack,
  codeOf,
  differs,
  get,
  head,
  last,
  listOf,
  openSocket,
  statusesIn,
  type Target,
} from './target.ts'

const json = 'Content-Type: application/json'
const body = '{"pipeline":{"name":"sent","type":"python"}}'
const after = get('/api/pipelines/daily_sales', last)

/** Posts a body with a content encoding, correct or not; returns the error of the API. */
async function postEncoded({ url }: Target, encoding: string, sent: string | Buffer) {
  const response = await fetch(`${url}/api/pipelines`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: typeof sent === 'string' ? sent : new Uint8Array(sent),
  })
  const { error }: { error?: { code: number; message: string } } = await response.json()
  return error
}

/** Unusual and invalid HTTP requests. */
export const requestAttacks = [
  attack({
    name: 'requests: bodies that wait to be asked for, pipelined',
    send({ raw }) {
      const post = head(
        'POST',
        '/api/pipelines',
        json,
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      )
      return raw([post, body, post, body, after])
    },
    problemOf: (text) => differs('statuses', [100, 200, 100, 200, 200], statusesIn(text)),
  }),
  attack({
    name: 'requests: a chunked body with extensions and trailers',
    send({ raw }) {
      const size = body.length.toString(16)
      const post = head('POST', '/api/pipelines', json, 'Transfer-Encoding: chunked', 'Trailer: X-API-KEY')
      return raw([`${post}${size};a="b"\r\n${body}\r\n0\r\nX-API-KEY: other\r\n\r\n`, after])
    },
    problemOf: (text) => differs('statuses', [200, 200], statusesIn(text)),
  }),
  attack({
    name: 'requests: three hundred connections that say nothing, and one that does',
    async send({ port, call }) {
      const sockets = listOf(300, () => openSocket(port))
      const { status } = await call('GET', '/api/pipelines')
      for (const socket of sockets) socket.destroy()
      return status
    },
    problemOf: (status) => differs('status', 200, status),
  }),
  attack({
    name: 'requests: a compressed body that would become large',
    send: (target) => postEncoded(target, 'gzip', gzipSync(Buffer.alloc(20_000_000, '['))),
    problemOf: (error) => differs('code', 400, error?.code),
  }),
  ...['gzip', 'br, gzip', 'identity'].map((encoding) =>
    attack({
      name: `requests: a body under the coding ${encoding}, in plain and compressed`,
      async send(target) {
        const send = async (sent: string | Buffer) =>
          (await postEncoded(target, encoding, sent))?.message ?? 'taken'
        const messages = [await send(body), await send(gzipSync(body))]
        return [messages, codeOf(await target.call('GET', '/api/pipelines/sent'))]
      },
      problemOf: (found) =>
        differs(
          'the message for each, and the code of reading the record',
          encoding === 'identity'
            ? [['taken', 'The body is not UTF-8.'], 200]
            : [Array(2).fill(`Content-Encoding: expected none; found "${encoding}".`), 404],
          found,
        ),
    }),
  ),
  attack({
    name: 'requests: HEAD on every path that is read',
    async send({ call, admin, raw }) {
      const found: string[] = []
      for (const path of [
        '/api/pipelines?_limit=1',
        '/api/pipelines/daily_sales',
        '/api/backfills/1',
        '/api/pipelines/daily_sales/logs',
      ]) {
        const text = await raw(head('HEAD', path), { quiet: 50 })
        const { entries } = (await admin('GET', '/worlds/main/journal')).body as {
          entries: { method: string; status: number; operation?: string }[]
        }
        const last = entries.at(-1)
        const read = await call('GET', path)
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
        const isSame = length === Buffer.byteLength(read.text) && text.endsWith('\r\n\r\n')
        if (!isSame || last?.method !== 'HEAD' || last.status !== 200 || last.operation === undefined)
          found.push(`${path}: ${text.slice(0, 200)} ${JSON.stringify(last)}`)
      }
      return found
    },
    problemOf: (found) => differs('what differs from GET', [], found),
  }),
  attack({
    name: 'requests: bodies of 19,000 and of 240,000 members, of 490,000 wrong elements, and of a text of 9 MB',
    isCostly: true,
    async send({ call }) {
      const members = (count: number) => Object.fromEntries(listOf(count, (index) => [`k${index}`, index]))
      const codes: number[] = []
      for (const variables of [members(19_000), members(240_000), { text: 'x'.repeat(9_000_000) }])
        codes.push(codeOf(await call('PUT', '/api/backfills/1', { backfill: { variables } })))
      const wrong = { name: 'a', type: 'custom', upstream_blocks: listOf(490_000, () => 0) }
      codes.push(codeOf(await call('POST', '/api/pipelines/daily_sales/blocks', { block: wrong })))
      return [codes, codeOf(await call('GET', '/api/backfills'))]
    },
    problemOf: (found) => differs('codes, and that of the list', [[200, 400, 200, 400], 200], found),
  }),
  attack({
    name: 'requests: more headers than Node.js stores, the last of which is that of a proxy',
    async send({ raw }) {
      const headers = [...listOf(2_000, () => 'a:'), 'X-Forwarded-For: 192.0.2.1', last]
      const paths = ['/__understudy__/api/worlds', '/', '/api/pipelines']
      return (await Promise.all(paths.map((path) => raw(get(path, ...headers))))).map(statusesIn)
    },
    problemOf: (found) => differs('statuses', [[431], [431], [431]], found),
  }),
  attack({
    name: 'requests: credentials in paths that are not of the API, or miss their route',
    async send({ raw }) {
      const paths = [
        '/x/api/pipeline_schedules/1/pipeline_runs/attacked-token',
        '/API/pipeline_schedules/1/pipeline_runs/attacked-token',
        '/api/pipeline_schedules/1/pipeline_runs/a/attacked-token',
        '//mira:attacked-word@localhost/api/pipelines',
      ]
      const replies = await Promise.all(paths.map((path) => raw(get(path, last))))
      return replies.map((text) => /attacked-\w+/.exec(text)?.[0])
    },
    problemOf: (found) => differs('credentials in the replies', [null, null, null, null], found),
  }),
  attack({
    name: 'requests: credentials below names, beside names, and by their form, in the journal',
    async send({ call, admin }) {
      const secret = 'attacked-word'
      const executor_config = {
        tokens: { first: secret },
        api_keys: { deep: [{ first: secret }] },
        list: [['password', secret]],
        pairs: [{ key: 'API_KEY', val: secret }],
      }
      const description = `password = "a" \\\n  "${secret}"\n-----BEGIN PRIVATE KEY-----\nA-B: c\n${secret}\n-----END PRIVATE KEY-----\nos.getenv('TOKEN', default='${secret}')\npassword：${secret}`
      const pipeline = { name: 'a', type: 'python', executor_config, description }
      await call('POST', '/api/pipelines', { pipeline })
      const journal = await admin('GET', '/worlds/main/journal')
      const archive = await admin('GET', '/worlds/main/journal.har')
      return [journal, archive].map(({ status, text }) => [status, text.split(secret).length - 1])
    },
    problemOf: (found) =>
      differs(
        'statuses and credentials',
        [
          [200, 0],
          [200, 0],
        ],
        found,
      ),
  }),
  ...['-u;', '-u=', '--user=', 'a&', 'token&', '%2575=', 'a%22:'].map((part) =>
    attack({
      name: `requests: a URL of 15 KB that repeats ${part}, in the log and in the journal`,
      async send({ call, admin }) {
        // Loads the admin API.
        await admin('GET', '/worlds/main/journal')
        const startedAt = performance.now()
        const { status } = await call('GET', `/api/pipelines?q=${part.repeat(15_000 / part.length)}`)
        await admin('GET', '/worlds/main/journal')
        await admin('GET', '/worlds/main/journal?details=false')
        return [status, performance.now() - startedAt]
      },
      problemOf: ([status, milliseconds = 0]) =>
        differs('status', 200, status) ??
        (milliseconds < 2_000 ? undefined : `the reply and its journal took ${milliseconds.toFixed(0)} ms`),
    }),
  ),
  attack({
    name: 'requests: a query of a thousand parameters of one name',
    send: ({ call }) =>
      call('GET', `/api/pipeline_schedules?${listOf(1_000, (index) => `tag[]=${index}`).join('&')}`),
    problemOf: (answer) => differs('code', 200, codeOf(answer)),
  }),
]
