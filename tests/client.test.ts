import { expect, it } from 'vitest'
import { ClientError, createClient, type RemoteUnderstudy } from '../src/admin/client/index.ts'
import { createUnderstudy, type JournalEntry } from '../src/index.ts'
import type { ServeOptions } from '../src/server/serve.ts'
import '../src/integrations/matchers/vitest.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

// Subscriptions, errors and options of a client; `client-parity.test.ts` has its calls.

const options = { fixture: company, seed: 7 }

const serveCompany = (serveOptions: ServeOptions = {}) => serveMock(createUnderstudy(options), serveOptions)

it('reports the parts that each call changes, until the subscription ends', async () => {
  const client = createClient((await serveCompany()).url)
  const { clock, faults, factories, journal, model, assumptions } = client
  const changed = new Set<string>()
  const stop = await client.changes.subscribe(({ parts }) => {
    for (const part of parts) changed.add(part)
  })
  const rename = { data: (draft: object) => void Object.assign(draft, { name: 'x' }) }
  const calls: readonly (readonly [parts: string, call: () => Promise<unknown>])[] = [
    ['records/backfills', () => factories.backfill.create({ pipeline_uuid: 'archive' })],
    ['records/backfills', () => model.backfills.update((q) => q.where({ id: 4 }), rename)],
    ['clock', () => clock.advance('1ms')],
    ['faults', () => faults.add({ operation: 'listPipelines', times: 1, latency: 1 })],
    ['assumptions', () => assumptions.switch({ 'list-count': 'items' })],
    ['snapshots', () => client.snapshot('before')],
    ['requests', () => client.fetch('/api/backfills/4')],
    ['journal', () => journal.clear()],
    ['worlds', () => client.worlds.create('another')],
    [
      'clock,records/backfills,records/blocks,records/logs,records/oauth_access_tokens,records/pipeline_runs,' +
        'records/pipeline_schedules,records/pipelines,records/plugins,records/projects,records/statuses,' +
        'records/users,resources',
      () => client.import({ pipelines: [{ name: 'other' }] }),
    ],
  ]
  for (const [parts, call] of calls) {
    changed.clear()
    await call()
    await expect.poll(() => [...changed].sort().join(), { interval: 5 }).toBe(parts)
  }
  stop()
  changed.clear()
  await faults.clear()
  await clock.now()

  expect([...changed]).toEqual([])
})

it('reports each new request until the subscription ends', async () => {
  const client = createClient((await serveCompany()).url)
  const received: JournalEntry[] = []
  const stop = await client.journal.subscribe((entry) => received.push(entry))
  await client.fetch('/api/pipelines/archive')
  await client.fetch('/api/pipelines/nobody')
  await expect.poll(() => received.length, { interval: 5 }).toBe(2)
  stop()
  await client.fetch('/api/pipelines')
  await client.journal.entries()

  expect(received).toMatchObject([
    { sequence: 1, operation: 'readPipeline', status: 200 },
    { sequence: 2, operation: 'readPipeline', status: 404 },
  ])
})

it('answers the matchers', async () => {
  const client = createClient((await serveCompany()).url)
  await client.fetch('/api/pipelines/archive')

  await expect(client).toHaveReceived('readPipeline', { params: { uuid: 'archive' } })
  await expect(expect(client).toHaveReceived('deletePipeline')).rejects.toThrow(/deletePipeline/)
  await expect(client).not.toHaveChanged()
})

it('returns records that cannot be changed in place, like a mock in this process', async () => {
  const served = await serveCompany()
  for (const { model } of [createUnderstudy(options), createClient(served.url)]) {
    const before = await model.backfills.findFirst((q) => q.where({ id: 1 }))
    const after = await model.backfills.update((q) => q.where({ id: 1 }), {
      data: (draft) => void Object.assign(draft, { variables: { region: 'south' } }),
    })

    for (const record of [before, after]) {
      expect(() => Object.assign(record ?? {}, { name: 'other' })).toThrow(TypeError)
      expect(() => Object.assign(record?.variables ?? {}, { region: 'other' })).toThrow(TypeError)
    }
    expect([before?.variables, after?.variables]).toEqual([{ region: 'north' }, { region: 'south' }])
  }
})

it('sends only what an update changed, so that no other change is lost', async () => {
  const { understudy, url } = await serveCompany()
  const client = createClient(url)
  await client.model.backfills.update((q) => q.where({ id: 4 }), {
    async data(draft) {
      draft.name = 'changed here'
      await understudy.model.backfills.update((q) => q.where({ id: 4 }), {
        data(other) {
          other.status = 'failed'
        },
      })
    },
  })

  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 4 }))).toMatchObject({
    name: 'changed here',
    status: 'failed',
  })
})

it('is a handle of its world, and sends API requests to it', async () => {
  const { url } = await serveCompany()
  const client = createClient(`${url}/`, { world: 'mine' })
  await client.model.pipelines.clear()
  const listOf = async (world: Pick<typeof client, 'fetch'>) =>
    ((await (await world.fetch('/api/pipelines')).json()) as { pipelines: unknown[] }).pipelines

  expect(client.name).toBe('mine')
  expect(await listOf(client)).toEqual([])
  expect(await listOf(client.world('main'))).toHaveLength(2)
  const created = await client.fetch(
    new Request('https://anywhere.example/api/pipelines', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"pipeline":{"name":"sent","type":"python"}}',
    }),
  )
  expect(await created.json()).toMatchObject({ pipeline: { uuid: 'sent' } })
  expect(await client.model.pipelines.count()).toBe(1)
})

it('reaches resources that a fixture added', async () => {
  const { url } = await serveCompany()
  const { projects } = createClient(url).model as unknown as {
    projects: RemoteUnderstudy['model']['pipelines']
  }

  expect(await projects.findFirst((q) => q.where({ name: 'demo' }))).toEqual({ id: 1, name: 'demo' })
})

it('throws what the server refused, with its status and what was wrong', async () => {
  const { url } = await serveCompany()
  const client = createClient(url)
  const wrong = (await client.factories.backfill
    .create({ status: 'paused' as never })
    .catch((error) => error)) as ClientError
  const missing = (await client.restore('nothing').catch((error) => error)) as ClientError

  expect(wrong).toBeInstanceOf(ClientError)
  expect({ name: wrong.name, status: wrong.status, errors: wrong.flaws }).toEqual({
    name: 'ClientError',
    status: 422,
    errors: [
      {
        path: '$.values.status',
        expected: 'one of initial, running, completed, failed, cancelled',
        found: '"paused"',
      },
    ],
  })
  expect({ status: missing.status, errors: missing.flaws }).toEqual({ status: 404, errors: [] })
})

it('explains a wrong or missing token', async () => {
  const { url } = await serveCompany({ admin: { token: 'let-me-in' } })

  expect(await createClient(url, { adminToken: 'let-me-in' }).auth).toBe('open')
  for (const client of [createClient(url), createClient(url, { adminToken: 'wrong' })]) {
    await expect(client.reset()).rejects.toThrow(
      '[understudy] The admin API needs its token: Authorization: Bearer <token>. Pass it as createClient(url, { adminToken }).',
    )
  }
})

it('explains an address without a server', async () => {
  const { url, close } = await serveCompany()
  await close()
  const client = createClient(url)

  for (const call of [client.reset(), client.journal.subscribe(() => {}), client.fetch('/api/pipelines')]) {
    await expect(call).rejects.toThrow(
      `[understudy] Nothing answers at ${url}. Is \`pipeline-understudy serve\` running there?`,
    )
  }
})

it('explains a server without the admin API, and another server', async () => {
  const { url: off } = await serveCompany({ admin: false })
  const elsewhere = await listen((_, response) => void response.end('<html>'))

  for (const url of [off, elsewhere]) {
    await expect(createClient(url).clock.now()).rejects.toThrow(
      `[understudy] ${url} answers, but not as the admin API of the mock server. Is it \`pipeline-understudy serve\` without --no-admin, or createApp(understudy, { admin: true })?`,
    )
  }
})

it('reports the end of the server to subscribers', async () => {
  const { url, close } = await serveCompany()
  const client = createClient(url)
  const gone = new Promise<void>((resolve) => {
    void client.journal.subscribe(() => undefined, resolve)
  })
  await client.journal.entries()
  await close()

  await expect(gone).resolves.toBeUndefined()
})

it('stops following when it is disposed of, and when the server closes', async () => {
  const { understudy, url, close } = await serveCompany()
  const client = createClient(url)
  const received: string[] = []
  await client.journal.subscribe(() => received.push('main'))
  await client.world('mine').journal.subscribe(() => received.push('mine'))
  await client.dispose()
  await new Promise((resolve) => setTimeout(resolve, 30))
  await understudy.fetch(new Request('http://understudy.invalid/api/pipelines'))
  await createClient(url).journal.subscribe(() => received.push('other'))
  await close()

  expect(received).toEqual([])
})

it('creates no world with `makesWorlds: false`', async () => {
  const { url } = await serveCompany()
  const readOnly = createClient(url, { makesWorlds: false })
  await readOnly.worlds.create('mine')
  const own = readOnly.world('mine')
  expect(await own.model.pipelines.count()).toBe(2)
  await createClient(url).worlds.delete('mine')

  await expect(own.model.pipelines.count()).rejects.toThrow('There is no world "mine".')
  expect((await readOnly.worlds.list()).map(({ name }) => name)).toEqual(['main'])
})
