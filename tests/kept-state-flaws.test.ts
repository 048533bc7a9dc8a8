import { expect, it, vi } from 'vitest'
import type { StateDocument } from '../src/engine/state/state-format.ts'
import { checksumOf, joinLines, toLine } from '../src/engine/state/state-lines.ts'
import { readStateDocument } from '../src/engine/state/state-reader.ts'
import { createUnderstudy, UnderstudyError } from '../src/index.ts'
import { company } from './support/company.ts'
import { MemoryStorage } from './support/memory-storage.ts'
import { openKept } from './support/open-kept.ts'

/** What is kept of an understudy with a pipeline more than the fixture has, in a world of its own. */
async function keptState(): Promise<Buffer> {
  const storage = new MemoryStorage()
  const { understudy } = await openKept(storage)
  await understudy.world('alice').factories.pipeline.create({ name: 'hers' })
  await understudy.close()
  return storage.kept!
}

function read(
  bytes: Uint8Array,
  ...upgrades: Parameters<typeof readStateDocument> extends [unknown, ...infer Rest] ? Rest : never
) {
  const steps = readStateDocument(bytes, ...upgrades)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((wake) => setTimeout(wake, 5))
}

/** A state whose checksum is right, whatever has been made of it. */
async function forged(change: (state: StateDocument) => object): Promise<Buffer> {
  const state = JSON.parse((await keptState()).toString()) as StateDocument
  const {
    checksum: _,
    records,
    tables,
    starts,
    worlds,
    ...members
  } = change(state) as Record<string, unknown[]>
  const lines = (list: unknown[] = []) => list.map((entry) => toLine(JSON.stringify(entry)))
  return Buffer.concat(
    joinLines(members, {
      records: lines(records),
      tables: lines(tables),
      starts: lines(starts),
      worlds: lines(worlds),
    }),
  )
}

// ── Before it is ready ──────────────────────────────────────────────────────────────────────────────────────────────

it('lets requests wait for the state, and refuses anything else until it is there', async () => {
  const storage = new MemoryStorage(await keptState())
  const understudy = createUnderstudy({ fixture: company, storage, onStorage: () => undefined })
  const waiting = understudy.dispatch({
    method: 'GET',
    url: '/api/pipelines/hers',
    headers: { 'x-understudy-world': 'alice' },
  })

  expect(() => understudy.model).toThrow('first `await understudy.ready`')
  for (const use of [
    () => understudy.world('alice'),
    () => understudy.worlds,
    () => understudy.clock.advance('1s'),
    () => understudy.export(),
    () => understudy.import({}),
    () => understudy.reset(),
    () => understudy.faults.list(),
  ]) {
    expect(use).toThrow(expect.objectContaining({ code: 'NOT_READY' }))
  }
  expect(understudy.dispatch({ method: 'GET', url: '/elsewhere' })).toBeUndefined()
  expect(JSON.parse((await waiting)!.body)).toMatchObject({ pipeline: { uuid: 'hers' } })
  await understudy.ready
  expect(understudy.world('alice').model.pipelines.count()).toBe(3)
  await understudy.close()
})

it('is ready at once without a storage', async () => {
  const understudy = createUnderstudy()
  await understudy.ready
  understudy.model.pipelines.clear()
  await understudy.close()
})

it('keeps nothing of what was closed before it was ready', async () => {
  const storage = new MemoryStorage()
  await createUnderstudy({ fixture: company, storage, onStorage: () => undefined }).close()
  expect(storage.writes).toBe(0)
})

// ── What is broken ──────────────────────────────────────────────────────────────────────────────────────────────────

it('sets a state aside that was cut anywhere, and begins with the fixture', async () => {
  const whole = await keptState()
  const cuts = [1, 10, 40, 41, whole.length >> 1, whole.length - 40, whole.length - 2]
  for (const cut of cuts) {
    const storage = new MemoryStorage(whole.subarray(0, cut))
    const { understudy, events } = await openKept(storage)
    expect(
      events.map(({ kind }) => kind),
      `cut at ${cut}`,
    ).toEqual(['set aside'])
    expect(storage.aside).toEqual([{ reason: 'torn', bytes: whole.subarray(0, cut) }])
    expect(understudy.worlds.list()).toHaveLength(1)
    expect(understudy.model.pipelines.count()).toBe(2)
    await understudy.close()
    expect(storage.kept).toBeDefined()
  }
})

it('never takes a state up in which a bit was flipped', async () => {
  const whole = await keptState()
  const taken: number[] = []
  for (let bit = 0; bit < 8 * whole.length; bit += 97) {
    const flipped = Buffer.from(whole)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    try {
      read(flipped)
      taken.push(bit)
    } catch (error) {
      // Each is set aside; none is taken for something else that is to be left alone.
      if ((error as UnderstudyError).code !== 'STATE_BROKEN') taken.push(bit)
    }
  }

  expect(taken).toEqual([])
})

it('says what was wrong and where the state is now', async () => {
  const text = (await keptState()).toString().replace('"hers"', '"mine"')
  const { understudy, events } = await openKept(new MemoryStorage(text))
  expect(events).toEqual([
    {
      kind: 'set aside',
      text: 'The state in memory cannot be used: It has been changed or damaged since it was written: its checksum is another. It is set aside as memory.damaged, and the fixture is used instead.',
    },
  ])
  await understudy.close()
})

it.each([
  [
    'a table of what every object has',
    (state: StateDocument) => ({
      ...state,
      tables: state.tables.map((table) =>
        table.resource === 'oauth_access_tokens' ? { ...table, resource: '__proto__' } : table,
      ),
    }),
  ],
  [
    'a clock that began at no moment',
    (state: StateDocument) => ({
      ...state,
      worlds: state.worlds.map((world) => ({ ...world, clock: { ...world.clock, start: -1e300 } })),
    }),
  ],
  [
    'a clock that stands at no moment',
    (state: StateDocument) => ({
      ...state,
      worlds: state.worlds.map((world) => ({ ...world, clock: { ...world.clock, frozenAt: 1e300 } })),
    }),
  ],
  ['a record that is none', (state: StateDocument) => ({ ...state, records: [{ id: 0, records: [7] }] })],
  [
    'an attribute of another type',
    (state: StateDocument) => {
      const [first, ...others] = state.records
      return {
        ...state,
        records: [{ ...first, records: [{ ...first!.records[0], password: 7 }] }, ...others],
      }
    },
  ],
  ['a table that is not there', (state: StateDocument) => ({ ...state, tables: [] })],
  [
    'a resource that is not there',
    (state: StateDocument) => ({
      ...state,
      tables: state.tables.map((table) => ({ ...table, resource: 'pipes' })),
    }),
  ],
  [
    'a piece that stands twice',
    (state: StateDocument) => ({
      ...state,
      tables: state.tables.map((table) => ({ ...table, pieces: [...table.pieces, ...table.pieces] })),
    }),
  ],
  [
    'no main world',
    (state: StateDocument) => ({
      ...state,
      uses: [{ name: 'alice', requests: 0 }],
      worlds: state.worlds.slice(1),
    }),
  ],
  [
    'a world with the name of no world',
    (state: StateDocument) => {
      const [main, alice] = state.worlds
      return {
        ...state,
        uses: [state.uses[0], { name: '../x', requests: 0 }],
        worlds: [main, { ...alice, name: '../x' }],
      }
    },
  ],
  ['a world twice', (state: StateDocument) => ({ ...state, worlds: [state.worlds[0], state.worlds[0]] })],
  ['a start that is not there', (state: StateDocument) => ({ ...state, laterStart: 99 })],
  [
    'an id that would end the counting',
    (state: StateDocument) => ({
      ...state,
      tables: state.tables.map((table) => ({ ...table, nextId: 2 ** 53 - 1 })),
    }),
  ],
  [
    'a switch that is none',
    (state: StateDocument) => ({
      ...state,
      worlds: state.worlds.map((world) => ({ ...world, switches: { 'no-such': 'on' } })),
    }),
  ],
  ['a member that is not known', (state: StateDocument) => ({ ...state, more: true })],
  [
    'a clock that runs backwards',
    (state: StateDocument) => ({
      ...state,
      worlds: state.worlds.map((world) => ({
        ...world,
        clock: { ...world.clock, running: { at: 0, origin: 0, speed: -1 } },
      })),
    }),
  ],
])('holds a state against its format, and its records against their resources: %s', async (_, change) => {
  const storage = new MemoryStorage(await forged(change))
  const { understudy, events } = await openKept(storage)

  expect(events).toMatchObject([{ kind: 'set aside' }])
  expect(storage.aside).toMatchObject([{ reason: 'invalid' }])
  expect(understudy.export().pipelines).toHaveLength(2)
  await understudy.close()
})

it('takes no key that reaches a prototype', async () => {
  const text = (await forged((state) => state))
    .toString()
    .replace('"extensions":{"', '"extensions":{"__proto__":{"a":1},"')
  const bytes = Buffer.from(text)
  const steps = checksumOf(bytes)
  let step = steps.next()
  while (!step.done) step = steps.next()
  const right = text.replace(/"checksum":"\w+"/, `"checksum":"${step.value}"`)
  expect(text).toContain('__proto__')
  const { understudy, events } = await openKept(new MemoryStorage(right))

  expect(events).toMatchObject([{ kind: 'set aside', text: expect.stringContaining('__proto__') }])
  expect(({} as { a?: number }).a).toBeUndefined()
  await understudy.close()
})

it('leaves a fault out that no longer can be, and says so', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await openKept(storage)
  understudy.faults.add({ path: '/api/pipelines', reset: true })
  understudy.faults.add({ path: '/api/pipelines', times: 1, drop: true })
  await understudy.close()
  const next = createUnderstudy({ fixture: company, storage, onStorage: () => undefined })
  next.attach({ name: 'a face', refuses: { reset: 'it cannot' } })
  await next.ready

  expect(next.faults.list()).toMatchObject([{ id: 'fault-2', drop: true }])
  await next.close()
})

// ── What is left alone ──────────────────────────────────────────────────────────────────────────────────────────────

it.each([
  ['a fixture', JSON.stringify(company), 'It is not the state of an understudy.'],
  ['a list', '[1, 2]', 'It is not the state of an understudy.'],
  [
    'something with a checksum of its own',
    '{"a":1,"checksum":"00000000"}\n',
    'It is not the state of an understudy.',
  ],
])('refuses %s, and leaves it as it is', async (_, text, detail) => {
  const storage = new MemoryStorage(text)
  const understudy = createUnderstudy({ fixture: company, storage, onStorage: () => undefined })

  await expect(understudy.ready).rejects.toMatchObject({
    code: 'STATE_REFUSED',
    detail: `memory: ${detail} It is left as it is.`,
  })
  await expect(understudy.dispatch({ method: 'GET', url: '/api/pipelines' })).rejects.toThrow(detail)
  await understudy.close()
  expect([storage.kept?.toString(), storage.aside]).toEqual([text, []])
})

it('refuses a state of a later version, and leaves it as it is', async () => {
  const storage = new MemoryStorage(await forged((state) => ({ ...state, version: 3 })))
  const before = storage.kept
  const understudy = createUnderstudy({ fixture: company, storage })

  await expect(understudy.ready).rejects.toThrow(
    'It was written by a later version of this package, in version 3',
  )
  expect(storage.kept).toBe(before)
})

it.each([
  ['whose checksum is another', (text: string) => text.replace('"version":2', '"version":99')],
  [
    'whose checksum cannot be found',
    (text: string) => `${text.replace('"version":2', '"version":99').slice(0, -40)}}`,
  ],
  [
    'that is written in another way',
    (text: string) => JSON.stringify({ ...JSON.parse(text), version: 99 }, null, 2),
  ],
])('refuses a state of a later version %s, and leaves it as it is', async (_, change) => {
  const storage = new MemoryStorage(change((await keptState()).toString()))
  const before = storage.kept
  const understudy = createUnderstudy({ fixture: company, storage })

  await expect(understudy.ready).rejects.toThrow('in version 99 of the format; this one knows 2.')
  expect([storage.kept, storage.aside]).toEqual([before, []])
})

it('begins with the fixture where what is kept has no bytes, as it does where nothing is kept', async () => {
  const storage = new MemoryStorage('')
  const { understudy, events } = await openKept(storage)

  expect([events.map(({ kind }) => kind), storage.aside]).toEqual([['begun'], []])
  expect(understudy.model.pipelines.count()).toBe(2)
  await understudy.close()
})

// ── While it is kept ────────────────────────────────────────────────────────────────────────────────────────────────

it.concurrent('does not write over a broken state that cannot be set aside', async () => {
  const torn = (await keptState()).subarray(0, 300)
  const storage = new MemoryStorage(torn)
  const setAside = vi.spyOn(storage, 'setAside').mockRejectedValue(new Error('The folder is read-only.'))
  const { understudy, events } = await openKept(storage)
  expect(events).toMatchObject([
    { kind: 'failed', text: expect.stringContaining('The folder is read-only.') },
  ])
  await understudy.factories.pipeline.create({ name: 'new' })
  await until(() => setAside.mock.calls.length > 1)
  expect(storage.kept).toBe(torn)

  setAside.mockRestore()
  await until(() => storage.kept !== torn && storage.kept !== undefined)
  await understudy.close()
  expect(storage.aside).toEqual([{ reason: 'torn', bytes: torn }])
  expect(events.map(({ kind }) => kind)).toEqual(['failed', 'set aside', 'recovered'])
  expect(storage.kept?.toString()).toContain('"uuid":"new"')
})

it.concurrent('keeps what changes, says once where it cannot, and when it can again', async () => {
  const storage = new MemoryStorage()
  const { understudy, events } = await openKept(storage)
  await until(() => storage.kept !== undefined)
  storage.failure = new Error('ENOSPC: no space left on device.')
  await understudy.factories.pipeline.create({ name: 'waits' })
  const { writes } = storage
  await until(() => storage.writes > writes)
  expect(events).toMatchObject([
    { kind: 'begun' },
    { kind: 'failed', text: expect.stringContaining('no space left') },
  ])

  storage.failure = undefined
  await until(() => storage.kept?.toString().includes('"uuid":"waits"') === true)
  await until(() => events.length === 3)
  expect(events[2]).toMatchObject({ kind: 'recovered' })
  await understudy.close()
})

it('writes nothing where nothing has changed', async () => {
  const storage = new MemoryStorage(await keptState())
  const { understudy } = await openKept(storage)
  await understudy.dispatch({ method: 'GET', url: '/api/pipelines' })
  await understudy.dispatch({ method: 'DELETE', url: '/api/pipelines/none' })
  understudy.export()
  await understudy.close()

  expect(storage.writes).toBe(0)
})

it('keeps at its end what was changed last, also while it is being written', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await openKept(storage)
  let goOn: () => void = () => undefined
  storage.meanwhile = () => new Promise((resolve) => (goOn = resolve))
  await until(() => storage.writes === 1)
  await understudy.factories.pipeline.create({ name: 'last' })
  const closing = understudy.close()
  storage.meanwhile = async () => undefined
  goOn()
  await closing

  const next = await openKept(storage)
  expect(next.understudy.model.pipelines.count()).toBe(3)
  await next.understudy.close()
})

it('says at its end that the last changes are not kept', async () => {
  const storage = new MemoryStorage()
  const { understudy } = await openKept(storage)
  storage.failure = new Error('The disk is full.')

  await expect(understudy.close()).rejects.toThrow(
    'The last changes could not be kept in memory: The disk is full.',
  )
})

it('warns on the console where nobody is to be told', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const understudy = createUnderstudy({ storage: new MemoryStorage('{"format":"understudy-st') })
  await understudy.ready
  await understudy.close()

  expect(warn.mock.calls.map(String)).toEqual([
    expect.stringMatching(/^\[understudy\] The state in memory cannot be used/),
  ])
  warn.mockRestore()
})

// ── Older versions ──────────────────────────────────────────────────────────────────────────────────────────────────

/** A state as an earlier version might have written it: whole worlds by name, and no checksum. */
const versionZero =
  '{"format":"understudy-state","version":0,"savedAt":"2026-01-02T03:04:05.678Z","pipelines":{"main":["old"]}}'

it('reads an older version by the table of upgrades, one version after the other', () => {
  const upgrades = {
    0: ({ format, savedAt, pipelines }: Readonly<Record<string, unknown>>) => ({
      format,
      savedAt,
      savedBy: '0.0.1',
      seeds: [1],
      fixture: '',
      profile: null,
      faults: [],
      laterStart: 0,
      uses: Object.keys(pipelines as object).map((name) => ({ name, requests: 0 })),
      records: [{ id: 0, records: [{ uuid: 'old', name: 'old', type: 'python' }] }],
      tables: [{ id: 0, resource: 'pipelines', nextId: 2, pieces: [0] }],
      starts: [{ id: 0, clock: null, apiKeys: [], tables: [0] }],
      worlds: [],
    }),
    1: (state: Readonly<Record<string, unknown>>) => state,
  }
  expect(read(Buffer.from(versionZero), upgrades)).toMatchObject({
    version: 2,
    savedAt: '2026-01-02T03:04:05.678Z',
    uses: [{ name: 'main', requests: 0 }],
    tables: [{ resource: 'pipelines' }],
  })
  expect(() => read(Buffer.from(versionZero))).toThrow('Version 0 of the format is not known.')
  expect(() => read(Buffer.from(versionZero))).toThrow(UnderstudyError)
})
