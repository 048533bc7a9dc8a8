import { expect, onTestFinished, vi } from 'vitest'
import { readInChunks } from '../src/engine/journal/read-in-chunks.ts'
import { instanceOf } from '../src/engine/worlds/world-handle.ts'
import { createUnderstudy, type JournalEntry } from '../src/index.ts'
import * as realClock from '../src/shared/real-time.ts'
import { openInMemory } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }

it('returns one entry by its sequence, and entries without details', async () => {
  const { understudy, put } = await openInMemory(options)
  await put('/api/backfills/1', { backfill: { status: 'cancelled' } })
  await put('/api/backfills/2', { backfill: { name: 'renamed' } })
  const { journal } = understudy
  const [whole] = journal.entries({ sequence: 2 })
  const empty = { headers: {}, body: undefined }

  expect(whole).toMatchObject({ sequence: 2, path: '/api/backfills/2' })
  expect(whole?.changes.length).toBeGreaterThan(0)
  expect(journal.entries({ after: 1, details: false })).toEqual([
    { ...whole, request: empty, reply: empty, changes: [], followed: [] },
  ])
})

it('stores a request with its reply and changes', async ({ api }) => {
  await api.put('/api/backfills/1?include=a&tag[]=x&tag[]=y', { backfill: { status: 'cancelled' } })

  expect(api.understudy.journal.entries()).toEqual([
    {
      sequence: 1,
      world: 'main',
      at: '2026-03-01T09:00:00.000Z',
      operation: 'updateBackfill',
      method: 'PUT',
      path: '/api/backfills/1',
      query: { include: 'a', 'tag[]': ['x', 'y'] },
      params: { backfill_id: '1' },
      status: 200,
      httpStatus: 200,
      milliseconds: expect.any(Number),
      held: 0,
      followed: [],
      request: {
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: { backfill: { status: 'cancelled' } },
      },
      reply: {
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: { backfill: expect.objectContaining({ id: 1, status: 'cancelled' }) },
      },
      changes: [
        { op: 'replace', path: '/backfills/1/status', value: 'cancelled', previous: 'completed' },
        {
          op: 'replace',
          path: '/backfills/1/updated_at',
          value: '2026-03-01 09:00:00.000000+00:00',
          previous: '2026-02-01 08:30:00.000000+00:00',
        },
      ],
      faults: [],
      notes: [
        '"include" is no parameter of updateBackfill; it was ignored.',
        '"tag[]" is no parameter of updateBackfill; it was ignored.',
      ],
    },
  ])
})

it('notes what was accepted and had no effect', async ({ api }) => {
  const block = { name: 'new', type: 'custom', colour: 'teal', upstream_blocks: ['', 'sum_up', 'sum_upp'] }
  await api.post('/api/pipelines/daily_sales/blocks?api_key=x', { block })
  await api.get('/api/pipelines?_limt=2&_offset=0')
  await api.post('/api/pipelines', { pipeline: { name: 'x', type: 'wrong', colour: 'teal' } })

  expect(api.understudy.journal.entries().map(({ notes }) => notes)).toEqual([
    [
      'block.colour is not among what this request may write; it was ignored.',
      'block.upstream_blocks: "sum_upp" is not known; it was dropped.',
    ],
    ['"_limt" is no parameter of listPipelines; it was ignored.'],
    [],
  ])
})

it('writes what a request adds and removes as JSON Patch, children and all', async ({ api }) => {
  await api.post('/api/pipelines/archive/backfills', { backfill: { name: 'new' } })
  await api.delete('/api/pipelines/archive')
  const [created, deleted] = api.understudy.journal.entries()

  expect(created!.changes).toEqual([
    { op: 'add', path: '/backfills/6', value: expect.objectContaining({ id: 6, name: 'new' }) },
  ])
  expect(deleted!.changes.map(({ op, path }) => `${op} ${path}`)).toEqual(
    expect.arrayContaining(['remove /backfills/6', 'remove /backfills/3', 'remove /pipelines/archive']),
  )
})

it('records the delay that faults caused', async ({ api }) => {
  api.understudy.faults.add({ operation: 'listPipelines', latency: '2s', slowBody: '500ms' })
  api.understudy.faults.add({ operation: 'listBackfills', hang: true })
  const dispatch = (url: string) => api.understudy.dispatch({ method: 'GET', url })
  await dispatch('/api/pipelines')
  await dispatch('/api/backfills')
  await dispatch('/api/pipeline_runs')
  const entries = api.understudy.journal.entries()
  const { log } = await api.understudy.journal.har()

  expect(entries.map(({ held }) => held)).toEqual([2_500, null, 0])
  expect(entries[0]!.milliseconds).toBeLessThan(2_000)
  expect(log.entries[0]!.time).toBe(entries[0]!.milliseconds + 2_500)
})

it('records the later changes that follow from a request', async ({ api }) => {
  const { clock, journal, factories } = api.understudy
  await factories.pipelineRun.create({ pipeline_uuid: 'archive', pipeline_schedule_id: 4 })
  await api.put('/api/backfills/1', { backfill: { status: 'initial', end_datetime: '2026-01-02 00:00:00' } })
  expect(journal.entries()[0]!.followed).toEqual([])
  clock.advance('1s')
  const [started] = journal.entries()[0]!.followed
  expect(started!.at).toBe('2026-03-01T09:00:01.000Z')
  expect(started!.changes).toContainEqual({
    op: 'replace',
    path: '/backfills/1/status',
    value: 'running',
    previous: 'initial',
  })
  expect(
    started!.changes.filter(({ op, path }) => op === 'add' && path.startsWith('/pipeline_runs/')),
  ).toHaveLength(2)
  await api.get('/api/pipelines')
  clock.advance('1m')
  const [entry, later] = journal.entries()

  expect(entry!.followed.map(({ at }) => at.slice(11, 19))).toEqual([
    '09:00:01',
    '09:00:06',
    '09:00:06',
    '09:00:06',
  ])
  expect(entry!.followed.at(-1)!.changes[0]).toMatchObject({
    path: '/backfills/1/status',
    value: 'completed',
  })
  // The changes of a run from a factory follow from no request.
  expect(JSON.stringify(entry!.followed)).not.toContain('/pipeline_runs/4/')
  expect(later!.followed).toEqual([])
})

it('stores at most a thousand later changes of a request, and counts the others', async ({ api }) => {
  const schedule = { name: 'always', status: 'active', schedule_interval: '* * * * *' }
  await api.post('/api/pipelines/archive/pipeline_schedules', { pipeline_schedule: schedule })
  api.understudy.clock.advance('6h')
  const [entry] = api.understudy.journal.entries()
  const countOf = entry!.followed.reduce((sum, { changes }) => sum + changes.length, 0)

  // 361 firings and 360 ends; a change of a record may be several of its attributes.
  expect(countOf).toBeLessThan(10_000)
  expect(entry!.followed.length).toBeGreaterThan(100)
  expect(entry!.followed.length + entry!.omittedFollowed!).toBe(721)
})

it('counts later changes toward the byte limit, until their request is dropped', async () => {
  let isDropping = false
  const small = { bytes: 100_000, dropped: () => { isDropping = true } } // biome-ignore format: one line
  const api = await openInMemory({ ...options, journal: small })
  const schedule = { name: 'always', status: 'active', schedule_interval: '* * * * *' }
  await api.post('/api/pipelines/archive/pipeline_schedules', { pipeline_schedule: schedule })
  expect(isDropping).toBe(false)
  api.understudy.clock.advance('6h')
  expect(isDropping).toBe(true)
  expect(api.understudy.journal.entries()).toEqual([])

  for (let count = 0; count < 20; count++) await api.get('/api/users')
  expect(api.understudy.journal.entries()).toHaveLength(20)
})

it('escapes keys in the paths of a patch', async ({ api }) => {
  await api.delete('/api/pipelines/daily_sales/blocks/tell_someone')
  const [entry] = api.understudy.journal.entries()

  expect(entry!.changes).toContainEqual({
    op: 'remove',
    path: '/blocks/daily_sales~1tell_someone',
    previous: expect.objectContaining({ name: 'tell someone', type: 'callback' }),
  })
})

it('hides every credential', async () => {
  const api = await openInMemory({ ...options, auth: 'login' })
  const secrets = ['test-key', 'lantern', 'mira-laptop', 'hand-token', 'night-token', 'cookie-token']
  const headers = {
    'x-api-key': 'test-key',
    'oauth-token': 'mira-laptop',
    cookie: 'oauth_token=cookie-token',
  }
  await api.post('/api/sessions?api_key=test-key', {
    api_key: 'test-key',
    session: { username: 'mira', password: 'lantern' },
  })
  await api.get('/api/pipelines/daily_sales/pipeline_schedules', headers)
  await api.get('/api/oauth_access_tokens', { authorization: 'Bearer mira-laptop', 'x-api-key': 'test-key' })
  await api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token', {})
  await api.post('/api/pipeline_schedules/2/pipeline_runs/hand-token/more', {})
  await api.send({
    method: 'POST',
    path: '/api/sessions',
    headers,
    body: '{"session":{"password":"lantern",}}',
  })
  await api.get('/api/pipelines', {
    referer: 'https://app.test/?api_key=test-key&oauth_token=mira-laptop',
    'proxy-authorization': 'Basic lantern',
    'x-auth-token': 'mira-laptop',
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'email=mira&password=lantern&api_key=test-key'
  await api.send({ method: 'POST', path: '/api/sessions?apikey=test-key', headers: form, body })
  const token = api.understudy.model.oauth_access_tokens.all().map((each) => each.token)
  const text = JSON.stringify([api.understudy.journal.entries(), await api.understudy.journal.har()])

  expect(api.understudy.journal.entries()).toHaveLength(8)
  expect([...secrets, ...token].filter((secret) => text.includes(secret))).toEqual([])
  expect(text).toContain('***')
})

it('stores only the configured number of newest requests', async () => {
  const api = await openInMemory({ ...options, journal: { entries: 3 } })
  for (const id of [1, 2, 3, 4, 5]) await api.get(`/api/backfills/${id}`)

  expect(api.understudy.journal.entries().map(({ sequence, path }) => [sequence, path])).toEqual([
    [3, '/api/backfills/3'],
    [4, '/api/backfills/4'],
    [5, '/api/backfills/5'],
  ])
})

it('counts the changes that are too large to store', async ({ api }) => {
  const make = (name: string, length: number) =>
    api.post('/api/pipelines/archive/blocks', {
      block: { name, type: 'custom', content: 'x'.repeat(length) },
    })
  await make('small', 200_000)
  await make('large', 1_000_000)
  const [small, large] = api.understudy.journal.entries()

  expect(small).toMatchObject({ changes: [{ op: 'add', path: '/blocks/archive~1small' }, {}] })
  expect(small).not.toHaveProperty('omittedChanges')
  expect(large).toMatchObject({ changes: [], omittedChanges: 2 })
})

// In quadratic time, it would exceed the time limit of a test.
it('describes a request with thousands of equal parameters', async ({ api }) => {
  await api.get(`/api/pipelines?${'a&'.repeat(40_000)}`)
  const [entry] = api.understudy.journal.entries({ details: false })

  expect(entry?.query.a).toHaveLength(40_000)
})

it('lets others work while it reads entries', async ({ api }) => {
  for (let index = 0; index < 20; index++) await api.get(`/api/pipelines?page=${index}`)
  let now = 0
  // Each entry takes longer than one part of a read.
  const clock = vi.spyOn(realClock, 'realTime').mockImplementation(() => (now += 11))
  onTestFinished(() => clock.mockRestore())
  const { journal } = instanceOf(api.understudy)
  for (const read of [
    () => api.understudy.journal.har(),
    () => readInChunks(journal.describe({ path: '/none' })),
  ]) {
    let tasks = 0
    const count = () => {
      tasks++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    await read()
    clearImmediate(counting)
    expect(tasks).toBeGreaterThanOrEqual(20)
  }
})

it('stores nothing when it is off, and still notifies subscribers', async () => {
  const api = await openInMemory({ ...options, journal: false })
  const received: JournalEntry[] = []
  await api.get('/api/pipelines')
  const stop = api.understudy.journal.subscribe((entry) => received.push(entry))
  await api.get('/api/backfills')
  stop()
  await api.get('/api/pipelines')

  expect(api.understudy.journal.entries()).toEqual([])
  expect(received).toMatchObject([{ operation: 'listBackfills' }])
})

it('narrows entries by operation, method, path and status', async () => {
  const { understudy, ...api } = await openInMemory(options)
  await api.get('/api/backfills/1')
  await api.get('/api/backfills/99')
  await api.delete('/api/backfills/1')
  const sequences = (filter: Parameters<typeof understudy.journal.entries>[0]) =>
    understudy.journal.entries(filter).map(({ sequence }) => sequence)

  expect(sequences({ operation: 'readBackfill' })).toEqual([1, 2])
  expect(sequences({ method: 'DELETE' })).toEqual([3])
  expect(sequences({ path: '/api/backfills/1' })).toEqual([1, 3])
  expect(sequences({ status: 404 })).toEqual([2])
  expect(sequences({ operation: 'readBackfill', status: 200 })).toEqual([1])
})

it('deletes entries with clear, and restarts at 1 after a reset', async () => {
  const { understudy, ...api } = await openInMemory(options)
  await api.get('/api/pipelines')
  understudy.journal.clear()
  await api.get('/api/pipelines')
  expect(understudy.journal.entries().map(({ sequence }) => sequence)).toEqual([2])
  understudy.reset()
  expect(understudy.journal.entries()).toEqual([])
  await api.get('/api/pipelines')

  expect(understudy.journal.entries().map(({ sequence }) => sequence)).toEqual([1])
})

it('attributes what several sign-ins at once change to each of them', async ({ api }) => {
  const signIn = (username: string, password: string) =>
    api.post('/api/sessions', { session: { username, password } })
  await Promise.all([
    signIn('mira', 'lantern'),
    signIn('tomas', 'northern-light'),
    api.delete('/api/backfills/1'),
  ])
  const entries = api.understudy.journal.entries()

  expect(entries.map(({ operation, changes }) => [operation, changes.length]).sort()).toEqual([
    ['createSession', 1],
    ['createSession', 1],
    ['deleteBackfill', 1],
  ])
})

it('exports an HTTP archive', async ({ api }) => {
  await api.post(
    '/api/pipelines/archive/backfills?note=a%20b',
    { backfill: { name: 'new' } },
    { host: 'service.test' },
  )
  const { log } = await api.understudy.journal.har()

  expect(log.version).toBe('1.2')
  expect(log.entries).toMatchObject([
    {
      startedDateTime: '2026-03-01T09:00:00.000Z',
      request: {
        method: 'POST',
        url: 'http://service.test/api/pipelines/archive/backfills?note=a%20b',
        queryString: [{ name: 'note', value: 'a b' }],
        postData: { mimeType: 'application/json', text: '{"backfill":{"name":"new"}}' },
      },
      response: { status: 200, content: { mimeType: 'application/json' } },
      _operation: 'createBackfill',
      _world: 'main',
      _status: 200,
    },
  ])
})

it('does not change stored entries when the state changes', async () => {
  const understudy = createUnderstudy(options)
  understudy.dispatch({ method: 'GET', url: '/api/backfills/1' })
  await understudy.model.backfills.update((q) => q.where({ id: 1 }), {
    data(draft) {
      draft.name = 'other'
    },
  })

  expect(understudy.journal.entries()[0]!.reply.body).toHaveProperty('backfill.name', 'january')
})

it('reports a throwing or rejecting listener once, and continues with the others', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const understudy = createUnderstudy(options)
  const received: number[] = []
  understudy.journal.subscribe(() => {
    throw new Error('lantern')
  })
  understudy.journal.subscribe(async () => {
    throw new Error('oil')
  })
  understudy.journal.subscribe(({ sequence }) => received.push(sequence))

  expect(understudy.dispatch({ method: 'GET', url: '/api/backfills/1' })).toMatchObject({ code: 200 })
  expect(understudy.dispatch({ method: 'GET', url: '/api/backfills/1' })).toMatchObject({ code: 200 })
  await Promise.resolve()
  expect(received).toEqual([1, 2])
  const reports = report.mock.calls
  report.mockRestore()
  expect(reports.map(([, error]) => error)).toEqual([new Error('lantern'), new Error('oil')])
  expect(reports[0]![0]).toBe(
    '[understudy] A listener of the journal threw an error. Later errors of it are not logged. Correct that function.',
  )
})

it('describes a request with the resources of its time', async () => {
  const understudy = createUnderstudy({ fixture: { custom: { teams: [{ id: 1, name: 'ours' }] } } })
  understudy.dispatch({ method: 'GET', url: '/api/teams/1' })
  understudy.import({})

  expect(understudy.journal.entries()).toMatchObject([
    { operation: 'readTeam', params: { key: '1' }, status: 200 },
  ])
})

it('limits the journals of all worlds in bytes, and reports this once', async () => {
  const dropped = vi.fn()
  const api = await openInMemory({ ...options, journal: { bytes: 400_000, dropped } })
  const make = (world: string, name: string, length: number) =>
    api.post(
      '/api/pipelines/archive/blocks',
      { block: { name, type: 'custom', content: 'x'.repeat(length) } },
      { 'x-understudy-world': world },
    )
  const countOf = (world: string) => api.understudy.world(world).journal.entries().length
  await make('alice', 'small', 10)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await make('bob', name, 70_000)

  expect(countOf('alice')).toBe(1)
  expect(countOf('bob')).toBeLessThan(3)
  expect(api.understudy.world('bob').journal.lost()).toBe(6 - countOf('bob'))
  expect(dropped).toHaveBeenCalledTimes(1)
})

it('counts the changes and the URL of a request toward the byte limit, as well as its bodies', async () => {
  const api = await openInMemory({ ...options, journal: { bytes: 500_000 } })
  const variables = { text: 'x'.repeat(100_000) }
  await api.put('/api/backfills/1', { backfill: { variables } })
  await api.put('/api/backfills/1', { backfill: { name: 'small' } })
  expect(api.understudy.journal.entries()).toHaveLength(1)
  for (let times = 0; times < 20; times++) await api.get(`/api/backfills?${'y'.repeat(20_000)}`)
  expect(api.understudy.journal.entries().length).toBeLessThan(13)
  for (let times = 0; times < 20; times++) await api.get('/api/backfills', { 'x-long': 'y'.repeat(20_000) })

  expect(api.understudy.journal.entries().length).toBeLessThan(13)
})
