import { attack, differs, last, listOf, openSocket, statusesIn, type Target } from './target.ts'

const base = '/__understudy__/api'
const raw = (method: string, path: string, headers: readonly string[], body = '') =>
  [`${method} ${base}${path} HTTP/1.1`, ...headers, last, `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  )
const own = 'Host: localhost'

/** JSON that fits no route, or is made to break what reads it. */
const hostile: readonly string[] = [
  'null', '[]', '0', '""', 'true', '{}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`, `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, '{"a":1e999}', '{"a":-0}',
  '{"name":"a","name":"b"}', '{"name":{"toString":1}}', '{"duration":"9999999w"}', '{"duration":-1}', '{"duration":1e308}',
  '{"at":"0000-00-00"}', '{"speed":0}', '{"speed":1e400}', '{"count":1e9}', '{"count":10000,"values":{"id":1}}',
  '{"values":[null]}', '{"values":{"length":1e9}}', '{"target":{"id":9007199254740993},"script":[]}',
  '{"target":{"pipeline":"daily_sales"},"script":"running for 99999999w"}', '{"hang":true,"times":-1}',
  '{"error":{"code":99999999999}}', '{"status":999}', '{"name":"\\ud800"}', '{"token":"\\u0000"}',
] // biome-ignore format: a list

async function routesOf({ admin }: Target): Promise<(readonly [method: string, path: string])[]> {
  const { paths } = (await admin('GET', '/openapi.json')).body as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [
      method.toUpperCase(),
      path
        .replace(/^.*\/__understudy__\/api/, '')
        .replace('{world}', 'main')
        .replace('{plural}', 'pipelines')
        .replace('{singular}', 'pipeline')
        .replace(/\{\w+\}/g, 'a'),
    ]),
  )
}

/** What comes to the admin API from where it should not, or is not what it takes. */
export const adminAttacks = [
  attack({
    name: 'admin: hostile JSON at every route',
    isDear: true,
    async send(target) {
      const found = new Map<string, number>()
      for (const [method, path] of await routesOf(target)) {
        if (method === 'GET' || method === 'DELETE') continue
        for (const body of hostile) {
          const answer = await target.ask(method, `${base}${path}`, body, {
            'content-type': 'application/json',
          })
          const kind = answer.status >= 500 ? `${answer.status} ${method} ${path} ${body}` : 'answered'
          found.set(kind, (found.get(kind) ?? 0) + 1)
        }
      }
      return [...found]
    },
    holds: (found) =>
      found.length === 1 && found[0]![0] === 'answered' && found[0]![1] > 300
        ? undefined
        : `defects: ${JSON.stringify(found)}`,
  }),
  attack({
    name: 'admin: records of every resource, each attribute an object that no text can be made of',
    isDear: true,
    async send(target) {
      const { custom = {}, ...state } = (await target.admin('GET', '/worlds/main/state')).body as Record<
        string,
        Record<string, object>[]
      >
      const found = new Set<string>()
      const send = async (method: string, path: string, body: unknown) => {
        const { status } = await target.admin(method, path, body)
        if (status >= 500) found.add(`${status} ${method} ${path} ${JSON.stringify(body)}`)
      }
      const plurals = Object.entries(state).filter(([, list]) => Array.isArray(list) && list.length > 0)
      for (const [plural, list] of [...plurals, ...Object.entries(custom)]) {
        const [first] = list as readonly object[]
        if (typeof first !== 'object') continue
        for (const attribute of Object.keys(first)) {
          for (const value of [{ toString: 1, valueOf: 1 }, [{ toString: null }]]) {
            await send('POST', `/worlds/main/records/${plural}`, { [attribute]: value })
            await send('POST', `/worlds/main/factories/${plural.replace(/s$/, '')}`, {
              values: { [attribute]: value },
            })
            await send('PUT', '/worlds/other/state', {
              pipelines: [{ name: 'a', blocks: [{ name: 'b', [attribute]: value }] }],
              [plural]: [{ ...first, [attribute]: value }],
            })
          }
        }
      }
      return [plurals.length > 4, [...found]]
    },
    holds: (found) => differs('whether there were enough, and the defects', [true, []], found),
  }),
  ...[
    ['under a name that resolves to this machine', ['Host: evil.example'], 403],
    ['under a name that looks like this machine', ['Host: localhost.evil.example'], 403],
    ['under two names', ['Host: localhost', 'Host: evil.example'], 403],
    ['from a page of another origin', [own, 'Origin: https://evil.example'], 403],
    ['from a page of no origin', [own, 'Origin: null'], 403],
    ['from a page of the same host with another scheme', [own, 'Origin: https://localhost'], 403],
    ['from a page of the same host with another port', [own, 'Origin: http://localhost:1'], 403],
    [
      'embedded in a page of another site',
      [own, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'],
      403,
    ],
    ['through a proxy', [own, 'X-Forwarded-For: 127.0.0.1'], 403],
    ['by an absolute address of another host', ['Host: evil.example:80'], 403],
  ].map(([what, headers, status]) =>
    attack({
      name: `admin: a reset ${what}`,
      async send(target) {
        await target.admin('POST', '/worlds/main/records/pipelines', { name: 'kept', uuid: 'kept' })
        const typed = [...(headers as string[]), 'Content-Type: application/json']
        const text = await target.raw(raw('POST', '/worlds/main/reset', typed, '{}'))
        const kept = await target.ask('GET', '/api/pipelines/kept')
        return [statusesIn(text)[0], /access-control-allow/i.test(text), 'pipeline' in (kept.body as object)]
      },
      holds: (found) =>
        differs('status, whether a page may read it, what is kept', [status, false, true], found),
    }),
  ),
  attack({
    name: 'admin: a preflight from a page of another origin',
    send: ({ raw: send }) =>
      send(
        raw('OPTIONS', '/worlds/main/reset', [
          own,
          'Origin: https://evil.example',
          'Access-Control-Request-Method: POST',
        ]),
      ),
    holds: (text) =>
      differs('status and leave', [403, false], [statusesIn(text)[0], /access-control-allow/i.test(text)]),
  }),
  attack({
    name: 'admin: a form of a page, which may be sent without asking',
    async send({ ask }) {
      const statuses: number[] = []
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=a',
      ])
        statuses.push((await ask('POST', `${base}/worlds/main/reset`, '{}', { 'content-type': type })).status)
      return statuses
    },
    holds: (statuses) => differs('statuses', [415, 415, 415], statuses),
  }),
  attack({
    name: 'admin: a world of 20,000 records, a state with a record of 240,000 members, and two of many keys',
    isDear: true,
    async send({ admin }) {
      const keys = (count: number) => Object.fromEntries(listOf(count, (index) => [`k${index}`, index]))
      const things = listOf(20_000, (index) => ({ id: index + 1 }))
      const world = await admin('POST', '/worlds', { name: 'many', fixture: { custom: { things } } })
      const heavy = await admin('PUT', '/worlds/main/state', {
        custom: { things: [{ id: 1, ...keys(240_000) }] },
      })
      const many = await admin('PUT', '/worlds/main/state', keys(240_000))
      const unknown = await admin('PUT', '/worlds/main/state', keys(40_000))
      const { errors } = unknown.body as { errors: object[] }
      return [world.status, heavy.status, many.status, unknown.status, errors.length]
    },
    holds: (found) => differs('statuses, and the number of flaws', [201, 204, 422, 422, 100], found),
  }),
  attack({
    name: 'admin: half of a state, and nothing more',
    async send({ port, ask }) {
      const socket = openSocket(port)
      const head = `PUT ${base}/worlds/main/state HTTP/1.1\r\n${own}\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n10\r\n{"pipelines": [{\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      const meanwhile = await ask('GET', '/api/pipelines/daily_sales')
      socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50))
      const afterwards = await ask('GET', '/api/pipelines/daily_sales')
      return [meanwhile, afterwards].map(({ body }) => 'pipeline' in (body as object))
    },
    holds: (found) => differs('what was there, meanwhile and afterwards', [true, true], found),
  }),
  attack({
    name: 'admin: sixty followers of a journal that read nothing, under load',
    async send({ port, ask, admin }) {
      const sockets = listOf(60, () => {
        const socket = openSocket(port)
        socket.write(`GET ${base}/worlds/main/journal/stream HTTP/1.1\r\n${own}\r\nLast-Event-ID: 0\r\n\r\n`)
        return socket.pause()
      })
      for (let index = 0; index < 100; index++) await ask('GET', '/api/pipelines')
      for (const socket of sockets) socket.destroy()
      return (await admin('GET', '/health')).status
    },
    holds: (status) => differs('status', 200, status),
  }),
]
