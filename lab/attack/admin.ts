import { attack, differs, listOf, openSocket } from './target.ts'

const base = '/__understudy__/api'
const own = 'Host: localhost'

/** Requests to the admin API from forbidden origins, or with invalid input. */
export const adminAttacks = [
  attack({
    name: 'admin: records of every resource, each attribute an object that no text can be made of',
    isCostly: true,
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
    problemOf: (found) => differs('whether there were enough, and the defects', [true, []], found),
  }),
  attack({
    name: 'admin: a world of 20,000 records, a state with a record of 240,000 members, and two of many keys',
    isCostly: true,
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
    problemOf: (found) => differs('statuses, and the number of problems', [201, 204, 422, 422, 100], found),
  }),
  attack({
    name: 'admin: half of a state, and nothing more',
    async send({ port, call }) {
      const socket = openSocket(port)
      const head = `PUT ${base}/worlds/main/state HTTP/1.1\r\n${own}\r\nContent-Type: application/json\r\n`
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n10\r\n{"pipelines": [{\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      const meanwhile = await call('GET', '/api/pipelines/daily_sales')
      socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50))
      const afterwards = await call('GET', '/api/pipelines/daily_sales')
      return [meanwhile, afterwards].map(({ body }) => 'pipeline' in (body as object))
    },
    problemOf: (found) => differs('what was there, meanwhile and afterwards', [true, true], found),
  }),
  attack({
    name: 'admin: sixty followers of a journal that read nothing, under load',
    async send({ port, call, admin }) {
      const sockets = listOf(60, () => {
        const socket = openSocket(port)
        socket.write(`GET ${base}/worlds/main/journal/stream HTTP/1.1\r\n${own}\r\nLast-Event-ID: 0\r\n\r\n`)
        return socket.pause()
      })
      for (let index = 0; index < 100; index++) await call('GET', '/api/pipelines')
      for (const socket of sockets) socket.destroy()
      return (await admin('GET', '/health')).status
    },
    problemOf: (status) => differs('status', 200, status),
  }),
  attack({
    name: 'admin: 400 followers of a journal that read nothing, and replies of 60 KB',
    isCostly: true,
    async send({ port, call }) {
      const sockets = listOf(400, () => {
        const socket = openSocket(port)
        socket.write(`GET ${base}/worlds/main/journal/stream HTTP/1.1\r\n${own}\r\n\r\n`)
        return socket.pause()
      })
      const reads = openSocket(port)
      let read = ''
      reads.on('data', (chunk) => (read += chunk))
      reads.write(`GET ${base}/worlds/main/journal/stream HTTP/1.1\r\n${own}\r\n\r\n`)
      const description = 'x '.repeat(30_000)
      for (let index = 0; index < 60; index++)
        await call('POST', '/api/pipelines', {
          pipeline: { name: `f ${index}`, type: 'python', description },
        })
      const closed = new Set<object>()
      for (const socket of sockets) socket.on('close', () => closed.add(socket)).resume()
      const end = Date.now() + 8_000
      while (closed.size < 50 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
      for (const socket of [...sockets, reads]) socket.destroy()
      return { isClosed: closed.size >= 50, hasLast: read.includes('id: 60') }
    },
    // 400 subscribers have 1.4 GB to read. One that reads receives every event.
    problemOf: (found) =>
      differs('fifty that do not read, and one that does', { isClosed: true, hasLast: true }, found),
  }),
  attack({
    name: 'admin: one follower more than there may be',
    async send({ port, admin }) {
      const sockets = listOf(1_000, () => openSocket(port))
      for (const socket of sockets) socket.write(`GET ${base}/worlds/main/changes HTTP/1.1\r\n${own}\r\n\r\n`)
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
      const { status } = await admin('GET', '/worlds/main/changes')
      for (const socket of sockets) socket.destroy()
      return status
    },
    problemOf: (status) => differs('status', 503, status),
  }),
  attack({
    name: 'admin: a search of a full journal of long URLs by path, while others wait',
    isCostly: true,
    async send({ call, admin }) {
      const query = `a=${'b%25c:'.repeat(2_400)}`
      for (let index = 0; index < 250; index++) await call('GET', `/api/pipelines?${query}&i=${index}`)
      const search = admin('GET', '/worlds/main/journal?path=/api/nothing')
      let isDone = false
      void search.then(() => (isDone = true))
      // A blocking search would delay all other requests.
      let meanwhile = 0
      while (!isDone) {
        await call('GET', '/api/pipelines?_limit=1')
        meanwhile++
      }
      return { status: (await search).status, meanwhile }
    },
    problemOf: ({ status, meanwhile }) =>
      status === 200 && meanwhile < 5
        ? `requests that the server answered during the search: expected at least 5; found ${meanwhile}`
        : differs('status', 200, status),
  }),
]
