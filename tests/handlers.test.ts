import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createHandlers, type HandlerOptions } from '../src/handlers/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { pluckSorted } from './support/api.ts'
import { company } from './support/company.ts'
import { serveHandlers } from './support/serve-handlers.ts'

/** Silences a method of the console until the test ends. */
function silence(method: 'warn' | 'error') {
  const spy = vi.spyOn(console, method).mockImplementation(() => {})
  onTestFinished(() => spy.mockRestore())
  return spy
}

it('answers the requests of one set of handlers from a world of their own', async () => {
  const understudy = createUnderstudy({ fixture: company })
  serveHandlers(
    ...createHandlers(understudy, { baseUrl: 'http://one.test', world: 'one' }),
    ...createHandlers(understudy, { baseUrl: 'http://two.test', world: 'two' }),
  )
  const remove = await fetch('http://one.test/api/backfills/1', { method: 'DELETE' })
  expect(remove.status).toBe(200)
  const ids = async (host: string) => {
    const reply = await fetch(`http://${host}.test/api/backfills`)
    return pluckSorted((await reply.json()).backfills, 'id')
  }

  expect(await ids('one')).toEqual([2, 3, 4, 5])
  expect(await ids('two')).toEqual([1, 2, 3, 4, 5])
})

it('names both addresses once when baseUrl excludes a request', async () => {
  const warn = silence('warn')
  serveHandlers(
    ...createHandlers(createUnderstudy(), { baseUrl: 'https://api.example.com' }),
    http.all('*', () => HttpResponse.json({})),
  )

  await fetch('http://localhost:3000/api/pipelines?_limit=1')
  await fetch('http://localhost:3000/api/pipelines')
  await fetch('https://api.example.com/api/pipelines')
  await fetch('http://localhost:3000/api/flags')

  expect(warn.mock.calls).toEqual([
    [
      '[understudy] The mock does not answer GET http://localhost:3000/api/pipelines: its handlers were created with baseUrl "https://api.example.com". Correct one, or put a handler for that server first.',
    ],
  ])
})

it.for([
  ['an address other than baseUrl', { baseUrl: 'https://api.example.com' }, 'api/pipelines'],
  ['an unknown operation that passes', { unknown: 'pass' }, 'api/flags'],
] as const)('leaves %s unhandled, so MSW refuses it', async ([_, options, path]) => {
  const warn = silence('warn')
  const error = silence('error')
  serveHandlers(...createHandlers(createUnderstudy(), options))

  await expect(fetch(`http://localhost:3001/${path}`)).rejects.toThrow('"onUnhandledRequest"')
  expect(error).toHaveBeenCalledWith(expect.stringContaining('without a matching request handler'))
  expect(warn).toHaveBeenCalledTimes('baseUrl' in options ? 1 : 0)
})

it('does not warn about another server that an earlier handler answers', async () => {
  const warn = silence('warn')
  serveHandlers(
    http.all('http://localhost:3000/*', () => HttpResponse.json({})),
    ...createHandlers(createUnderstudy(), { baseUrl: 'https://api.example.com' }),
  )

  expect(await (await fetch('http://localhost:3000/api/pipelines')).json()).toEqual({})
  expect(warn).not.toHaveBeenCalled()
})

it('fails like a network if the body of a request breaks off', async () => {
  serveHandlers(...createHandlers(createUnderstudy()))
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"pipeline":'))
      controller.error(new Error('The client has left.'))
    },
  })

  const sent = { method: 'POST', body, duplex: 'half' } as RequestInit
  await expect(fetch('http://localhost/api/pipelines', sent)).rejects.toThrow(TypeError)
})

it('passes unknown operations to later handlers with `unknown: pass`, without journal entries and faults', async () => {
  const understudy = createUnderstudy({
    fixture: { pipelines: [{ name: 'sales' }] },
    faults: [{ path: '/api/weather', status: 503 }],
  })
  const later = [
    http.get('http://localhost/api/weather', () => HttpResponse.json({ sky: 'blue' })),
    http.patch('http://localhost/api/pipelines/:uuid', () => HttpResponse.json({ patched: true })),
  ]
  const fetchJson = async (path: string, method = 'GET') =>
    (await fetch(`http://localhost/api/${path}`, { method })).json()
  const server = serveHandlers(...createHandlers(understudy, { unknown: 'pass' }), ...later)

  expect(await fetchJson('weather')).toEqual({ sky: 'blue' })
  expect(await fetchJson('pipelines/sales', 'PATCH')).toEqual({ patched: true })
  expect(await fetchJson('pipelines/sales')).toMatchObject({ pipeline: { uuid: 'sales' } })
  expect(await fetchJson('pipelines/nowhere')).toMatchObject({ error: { code: 404 } })
  expect(understudy.journal.entries().map(({ path }) => path)).toEqual([
    '/api/pipelines/sales',
    '/api/pipelines/nowhere',
  ])
  server.use(...createHandlers(understudy))
  expect(await fetchJson('wether')).toMatchObject({ error: { code: 404 } })
})

it.each<[unknown, string]>([
  [{ baseUrl: 'https://api.example.com/api' }, 'Remove /api: "https://api.example.com".'],
  [{ baseUrl: '/backend/api/' }, 'Remove /api: "/backend".'],
  [{ baseUrl: 'localhost:3000' }, 'expected a URL such as http://localhost:3000 or a path'],
  [{ baseUrl: 'api.test:3000/v1/' }, 'expected a URL such as http://api.test:3000/v1 or a path'],
  [{ baseUrl: 'ws://api.test' }, 'expected a URL such as https://api.example.com or a path'],
  [
    { baseURL: '/backend' },
    'baseURL: expected the key "baseUrl", or one of world, unknown; found an unknown key.',
  ],
  [{ unknown: 'ignore' }, 'unknown: expected answer or pass; found "ignore".'],
])('refuses the options %j', (options, expected) => {
  expect(() => createHandlers(createUnderstudy(), options as HandlerOptions)).toThrow(
    expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(expected) }),
  )
})
