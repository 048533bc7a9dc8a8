import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createHandlers, type HandlerOptions } from '../src/handlers/index.ts'
import {
  createUnderstudy,
  type Fixture,
  FixtureError,
  type Understudy,
  UnderstudyError,
} from '../src/index.ts'
import { understudy as vitePlugin } from '../src/integrations/vite/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { listen } from './support/temporary.ts'

const fixture = { pipelines: [{ name: 'sales' }], backfills: [{ pipeline_uuid: 'sales', name: 'mine' }] }

/** The understudy here, and the same one elsewhere. */
async function createBoth() {
  const understudy = createUnderstudy({ fixture })
  const url = await listen(createApp(understudy, { admin: true }))
  return { here: understudy, elsewhere: createClient(url) }
}

/** Returns the error of a call, synchronous or not. */
async function thrownBy(run: () => unknown): Promise<UnderstudyError> {
  try {
    await run()
  } catch (error) {
    expect(error).toBeInstanceOf(UnderstudyError)
    return error as UnderstudyError
  }
  throw new Error('Nothing was thrown.')
}

const attributes = /expected the key "name", or one of id, .*; found an unknown key/

it.each<[string, (understudy: Understudy) => unknown]>([
  ['a factory', ({ factories }) => factories.backfill.create({ nme: 'x' } as never)],
  ['a factory of many', ({ factories }) => factories.backfill.createMany(2, { nme: 'x' } as never)],
  ['a collection', ({ model }) => model.backfills.create({ pipeline_uuid: 'sales', nme: 'x' } as never)],
  [
    'an update',
    ({ model }) =>
      model.backfills.update((q) => q.where({ id: 1 }), {
        data: (draft) => void Object.assign(draft, { nme: 'x' }),
      }),
  ],
])('refuses an attribute that no backfill has, in %s, here and elsewhere', async (_, run) => {
  const { here, elsewhere } = await createBoth()
  const errors = [await thrownBy(() => run(here)), await thrownBy(() => run(elsewhere as never))]

  expect(errors.map(({ code }) => code)).toEqual([
    'RECORD_INVALID',
    expect.stringMatching(/^(?:RECORD_INVALID|REFUSED)$/),
  ])
  expect(errors[0]!.message).toMatch(attributes)
  expect(errors[1]!.message).toMatch(/nme/)
  expect(here.model.backfills.all().map(({ name }) => name)).toEqual(['mine'])
})

it.each<[string, (understudy: Understudy) => unknown, string]>([
  [
    'a query',
    ({ model }) => model.backfills.findMany((q) => q.where({ nme: 'x' } as never)),
    'in the query; found "nme". Did you mean name?',
  ],
  [
    'an order',
    ({ model }) => model.backfills.findMany(undefined, { orderBy: { nme: 'asc' } as never }),
    'in orderBy; found "nme". Did you mean name?',
  ],
])('refuses a name that no backfill has, in %s, here and elsewhere', async (_, run, expected) => {
  const { here, elsewhere } = await createBoth()
  for (const understudy of [here, elsewhere as never]) {
    const { code, message } = await thrownBy(() => run(understudy))
    expect(code).toBe('ARGUMENT_INVALID')
    expect(message).toMatch(/^\[understudy\] backfills: expected one of id, /)
    expect(message).toContain(expected)
  }
})

it('reports all problems of a fixture at once, without consequential ones', () => {
  const invalid = {
    clock: 'yesterday',
    pipline: [],
    pipelines: [{ name: 'sales', type: 'ruby', colour: 'red' }, 7, { name: 'ok' }],
    backfills: [
      { pipeline_uuid: 'sales', created_at: 'soon' },
      { pipeline_uuid: 'nowhere', status: 'odd' },
    ],
    pipeline_runs: [{ pipeline_uuid: 'sales', status: 'paused' }],
    api_keys: ['fine', ''],
    next_ids: { backfills: -1 },
  } as unknown as Fixture
  let thrown: unknown
  try {
    createUnderstudy({ fixture: invalid })
  } catch (error) {
    thrown = error
  }
  const { flaws, message } = thrown as FixtureError

  expect(thrown).toBeInstanceOf(FixtureError)
  expect(flaws.map(({ path }) => path)).toEqual([
    '$.clock',
    '$.pipline',
    '$.pipelines[1]',
    '$.pipelines[0].colour',
    '$.pipelines[0].type',
    '$.backfills[0].created_at',
    '$.backfills[1].status',
    '$.pipeline_runs[0].pipeline_schedule_id',
    '$.pipeline_runs[0].status',
    '$.next_ids.backfills',
    '$.api_keys[1]',
  ])
  expect(flaws[1]!.expected).toMatch(/^the key "pipelines", or one of /)
  expect(message).toMatch(/^\[understudy\] The fixture is broken at \$\.clock: .* 10 more errors: /)
})

it.each<[string, unknown, string]>([
  ['a promise', Promise.resolve({}), 'expected an object; found a promise: await it first.'],
  [
    'a module',
    await import('../fixtures/demo.json'),
    'expected an object; found a module: import its default.',
  ],
  ['a list', [], 'expected an object; found [].'],
  ['code', { pipelines: [{ name: () => 'sales' }] }, 'expected data alone, as JSON has it; found "'],
])('rejects %s as a fixture, with the fix', async (_, given, expected) => {
  const { here } = await createBoth()
  const message = `[understudy] The fixture is broken at $: ${expected}`

  expect(() => createUnderstudy({ fixture: given as Fixture })).toThrow(message)
  expect(() => here.import(given as Fixture)).toThrow(message)
  expect(() => here.worlds.create('alice', { fixture: given as Fixture })).toThrow(message)
})

it.each<[string, (understudy: Understudy) => unknown]>([
  [
    'createClient: wrold: expected the key "world", or one of adminToken, makesWorlds, fetch; found an unknown key.',
    () => createClient('http://127.0.0.1:1', { wrold: 'x' } as object),
  ],
  [
    'journal.entris: expected the key "entries", or one of bytes, dropped; found an unknown key.',
    () => createUnderstudy({ journal: { entris: 5 } as object }),
  ],
  [
    'worlds.most: expected a whole number of 1 or more; found 0.',
    () => createUnderstudy({ worlds: { most: 0 } }),
  ],
  [
    'import: asStrt: expected the key "asStart"; found an unknown key.',
    ({ import: load }) => load({}, { asStrt: true } as object),
  ],
  [
    'The fault is broken at $.error.mesage: expected the key "message", or one of code, type; found an unknown key.',
    ({ faults }) => faults.add({ error: { code: 500, mesage: 'x' } as { code: number } }),
  ],
  [
    'The fault is broken at $.error.cod: expected the key "code", or one of type, message; found an unknown key.',
    ({ faults }) => faults.add({ error: { cod: 500 } as never }),
  ],
  [
    'The fault is broken at $.latency.normal.mena: expected the key "mean", or one of deviation; found an unknown key.',
    ({ faults }) => faults.add({ latency: { normal: { mena: 1, deviation: 1 } } as never }),
  ],
  [
    'worlds.create: fixtur: expected the key "fixture", or one of profile, faultyVariant; found an unknown key.',
    ({ worlds }) => worlds.create('x', { fixtur: {} } as object),
  ],
  [
    'journal.entries: operaton: expected the key "operation", or one of method, ',
    ({ journal }) => journal.entries({ operaton: 'deleteBackfill' } as object),
  ],
  [
    'backfills: tak: expected the key "take", or one of cursor, skip, ',
    ({ model }) => model.backfills.findMany(undefined, { tak: 1 } as object),
  ],
  [
    'backfills: serch: expected the key "search", or one of where, ',
    ({ model }) => model.backfills.page({ serch: 'status:failed' } as object),
  ],
  [
    'createApp: pags: expected the key "pages", or one of admin, observe; found an unknown key.',
    (understudy) => createApp(understudy, { pags: true } as object),
  ],
  ['understudy: panl: expected the key "panel", or one of ', () => vitePlugin({ panl: false } as object)],
])('refuses a misspelt option with the message "%s"', async (expected, call) => {
  await expect(async () => call(createUnderstudy())).rejects.toThrow(`[understudy] ${expected}`)
})

const circle: Record<string, unknown> = {}
circle.again = circle

it.each<[string, unknown, string, string]>([
  ['a BigInt', { rows: [1n] }, 'rows[0]', 'expected data alone, as JSON has it; found a bigint'],
  ['a function', { run() {} }, 'run', 'expected data alone, as JSON has it; found a function'],
  ['a circle', circle, 'again.again', 'expected at most 200 levels; found more'],
])(
  'rejects %s in records from every source, and continues to answer',
  async (_, variables, path, expected) => {
    const understudy = createUnderstudy({
      fixture: { pipelines: [{ name: 'sales' }], backfills: [{ pipeline_uuid: 'sales' }] },
    })
    const { factories, model } = understudy
    const values = { pipeline_uuid: 'sales', variables } as { pipeline_uuid: string }
    const errorWith = (detail: string) =>
      expect.objectContaining({ message: expect.stringContaining(detail) })
    const given = { pipelines: [{ name: 'sales' }], backfills: [values] }
    const details = [`variables.${path}`, expected]

    for (const detail of details) {
      await expect(async () => factories.backfill.create(values)).rejects.toEqual(errorWith(detail))
      await expect(model.backfills.create(values)).rejects.toEqual(errorWith(detail))
      await expect(
        model.backfills.update((query) => query.where({ id: 1 }), {
          data: (draft) => void Object.assign(draft, { variables }),
        }),
      ).rejects.toEqual(errorWith(detail))
    }
    // A function cannot even be copied.
    expect(() => createUnderstudy({ fixture: given })).toThrow(/expected (?:data alone, as JSON|at most 200)/)
    const reply = await understudy.dispatch({ method: 'GET', url: '/api/backfills' })
    expect(JSON.parse(reply!.body)).toMatchObject({ backfills: [{ id: 1 }] })
  },
)

it.each(['metadata', 'error', 'errors'])(
  'refuses a resource that is called %s, as a part of replies is',
  (plural) => {
    expect(() => createUnderstudy({ fixture: { custom: { [plural]: [{ id: 1 }] } } as Fixture })).toThrow(
      `$.custom.${plural}: expected a name that the specification does not use`,
    )
  },
)

it.each<[string, unknown]>([
  ['found nothing.', undefined],
  ['found a promise: await it first.', Promise.resolve(createUnderstudy())],
  ['found a function: call it, and pass what it returns.', createUnderstudy],
  ['found {"pipelines":[]}.', { pipelines: [] }],
  [
    'found a world: pass the understudy that it is of, and the name of the world as an option.',
    createUnderstudy().world('alice'),
  ],
])('reports a wrong argument of an adapter: %s', (found, given) => {
  const expected = 'expected the object that createUnderstudy() returns;'

  expect(() => createHandlers(given as Understudy)).toThrow(
    `[understudy] createHandlers: ${expected} ${found}`,
  )
  expect(() => createApp(given as Understudy)).toThrow(`[understudy] createApp: ${expected} ${found}`)
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
])('refuses the options %j of handlers', async (options, expected) => {
  const { code, message } = await thrownBy(() =>
    createHandlers(createUnderstudy(), options as HandlerOptions),
  )

  expect(code).toBe('OPTION_INVALID')
  expect(message).toContain(expected)
})

it.each([
  'localhost:6789',
  'http://localhost:6789/api',
  'http://localhost:6789/__understudy__/api',
  'somewhere',
])('refuses %s as the address of a server', (url) => {
  expect(() => createClient(url)).toThrow(
    `[understudy] createClient: expected the URL of a server, such as http://127.0.0.1:6789, without /api; found "${url}".`,
  )
})

it('passes unknown operations on to later handlers with `unknown: pass`, without journal entries and faults', async () => {
  const understudy = createUnderstudy({ fixture, faults: [{ path: '/api/weather', status: 503 }] })
  const later = [
    http.get('http://localhost/api/weather', () => HttpResponse.json({ sky: 'blue' })),
    http.patch('http://localhost/api/pipelines/:uuid', () => HttpResponse.json({ patched: true })),
  ]
  const fetchJson = async (path: string, method = 'GET') =>
    (await fetch(`http://localhost/api/${path}`, { method })).json()
  const server = setupServer(...createHandlers(understudy, { unknown: 'pass' }), ...later)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())

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
