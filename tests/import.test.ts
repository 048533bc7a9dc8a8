import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it as itInParts } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { importFixture } from '../src/import/import-fixture.ts'
import { Pseudonyms } from '../src/import/pseudonyms.ts'
import { readServer } from '../src/import/read-server.ts'
import { createUnderstudy, type Fixture, type Understudy, type UnderstudyOptions } from '../src/index.ts'
import { company } from './support/company.ts'
import { firstOf, wholly } from './support/depth.ts'
import { type CommandResult, runCommand } from './support/run-command.ts'
import { serveMock } from './support/serve-mock.ts'
import { makeFolder } from './support/temporary.ts'

const it = wholly(itInParts)
const selects = () => true

const serving = (options: UnderstudyOptions) => serveMock(createUnderstudy(options))

/** Runs `import`; returns what it prints and writes. */
async function runImport(source: string, ...flags: string[]): Promise<CommandResult & { written: string }> {
  const out = join(makeFolder(), 'fixture.json')
  const env = { UNDERSTUDY_IMPORT_SECRET: 'of a test' }
  const result = await runCommand(['import', source, '--out', out, ...flags], { env })
  return { ...result, written: await readFile(out, 'utf8').catch(() => '') }
}

/** Writes the journal of a mock as a HAR file. */
async function harOf(understudy: Understudy): Promise<string> {
  const path = join(makeFolder(), 'traffic.har')
  await writeFile(path, JSON.stringify(await understudy.journal.har()))
  return path
}

const small = {
  pipelines: [
    {
      name: 'daily sales',
      blocks: [
        { name: 'load', type: 'data_loader' },
        { name: 'sum', upstream_blocks: ['load'] },
      ],
    },
    { name: 'weekly sales' },
  ],
  pipeline_schedules: [{ id: 3, pipeline_uuid: 'daily_sales', name: 'nightly', status: 'active' }],
  pipeline_runs: [{ pipeline_schedule_id: 3, pipeline_uuid: 'daily_sales', status: 'failed' }],
  backfills: [{ id: 1, pipeline_uuid: 'daily_sales', name: 'first', variables: { region: 'north' } }],
} satisfies Fixture

itInParts.each(
  firstOf(1, [
    ['company', company, 15],
    ['demo', demo, 90],
  ] as const),
)('gives the replies of the mock that it imports from: %s', async (_, original, least) => {
  const { understudy, url } = await serving({ fixture: original })
  const { fixture, replies, leftOut, assumed } = await importFixture(readServer({ url, selects }), {
    secret: 's',
    selects,
  })

  expect(replies.compared).toBeGreaterThan(least)
  expect(replies.differences).toEqual([])
  expect([leftOut, assumed]).toEqual([[], []])
  const imported = createUnderstudy({ fixture })
  for (const plural of [
    'pipelines',
    'blocks',
    'pipeline_schedules',
    'backfills',
    'pipeline_runs',
    'logs',
  ] as const)
    expect(imported.model[plural].count()).toBe(understudy.model[plural].count())
})

it('imports tokens of the current user, and adds records that others refer to', async () => {
  const users = [{ id: 7, username: 'mira', email: 'mira@corp.example', password: 'lantern' }]
  const oauth_access_tokens = [{ token: 'current-token-1', expires: '+5d', user_id: 7 }]
  const { url } = await serving({
    fixture: { ...small, users, oauth_access_tokens, api_keys: ['key-of-mira'] },
    auth: 'login',
    clock: 'system',
  })
  const { code, out, written } = await runImport(
    url,
    '--api-key',
    'key-of-mira',
    '--token',
    'current-token-1',
  )

  expect([code, out]).toEqual([0, expect.stringContaining('The mock gives all')])
  expect(out).toContain('Added, because other records refer to them:\n  users 7')
  expect(JSON.parse(written)).toMatchObject({
    oauth_access_tokens: [{ user_id: 7, token: expect.stringMatching(/^secret-/) }],
    users: [{ id: 7 }],
  })
  for (const secret of ['mira', 'current-token-1', 'lantern']) expect(written + out).not.toContain(secret)
})

it('refuses a server that refuses it', async () => {
  const { url } = await serving({ fixture: { ...small, api_keys: ['key-of-mira'] }, auth: 'key' })
  const { code, err, written } = await runImport(url)

  expect([code, written]).toEqual([1, ''])
  expect(err).toContain(`${url} does not list its pipelines: `)
  expect((await runImport('http://127.0.0.1:1')).err).toMatch(
    /Cannot reach http:\/\/127\.0\.0\.1:1: .+\. Check that the server runs/,
  )
})

it('refuses a source that is neither a URL nor a file', async () => {
  const messages = ['http://', '127.0.0.1:6789'].map(async (source) => (await runImport(source)).err)

  expect(await Promise.all(messages)).toEqual([
    'Expected a base URL or a HAR file; found http://.\n',
    'Expected a base URL or a HAR file; found 127.0.0.1:6789. Did you mean http://127.0.0.1:6789?\n',
  ])
})

it('reads again where a server closes a connection without a reply', async () => {
  const { understudy, url } = await serving({ fixture: small })
  understudy.faults.add({ path: '/api/pipelines', drop: true, times: 1 })

  expect((await runImport(url)).code).toBe(0)
})

it('sends no request that writes', async () => {
  const { understudy, url } = await serving({ fixture: small })
  await runImport(url)

  expect(new Set(understudy.journal.entries().map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(Object.values(understudy.diff()).flatMap(Object.values).flat()).toEqual([])
})

it('selects pipelines', async () => {
  const { url } = await serving({ fixture: small })
  const { out, written } = await runImport(url, '--pipelines', 'weekly*')

  expect(JSON.parse(written)).toMatchObject({ pipelines: [{ uuid: 'weekly_sales' }] })
  expect(Object.keys(JSON.parse(written))).toEqual(['pipelines'])
  expect(out).toContain('The mock gives all')
})

it('refuses a pattern that selects no pipeline, and names those that it found', async () => {
  const { understudy, url } = await serving({ fixture: small })
  await understudy.fetch('http://localhost/api/pipelines')
  const reason = '--pipelines: no pipeline matches "sales*". Found: daily_sales, weekly_sales.'

  for (const source of [url, await harOf(understudy)]) {
    const { code, err, written } = await runImport(source, '--pipelines', 'sales*')
    expect([code, written]).toEqual([1, ''])
    expect(err).toContain(reason)
  }
})

it('writes the same bytes for the same input, and one record more as one part', async () => {
  const { understudy, url } = await serving({ fixture: small })
  const first = await runImport(url)
  expect((await runImport(url)).written).toBe(first.written)
  await understudy.factories.backfill.create({ pipeline_uuid: 'daily_sales', name: 'second' })
  const [before, after] = [first.written, (await runImport(url)).written].map((text) => text.split('\n'))
  const start = before!.findIndex((line, index) => line !== after![index])
  const added = after!.length - before!.length

  expect(added).toBeGreaterThan(5)
  // All after the new lines is as before, but for the comma that separates them.
  expect(after!.slice(start + added + 1)).toEqual(before!.slice(start + 1))
})

it('takes the state before the first request from traffic with writes', async () => {
  const { understudy } = await serving({ fixture: small })
  const send = (method: string, path: string, body?: unknown) =>
    understudy.fetch(path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
  await send('GET', '/api/backfills')
  await send('POST', '/api/pipelines/weekly_sales/backfills', { backfill: { name: 'new' } })
  await send('PUT', '/api/pipelines/daily_sales/backfills/1', { backfill: { status: 'cancelled' } })
  await send('GET', '/api/backfills')
  await send('DELETE', '/api/backfills/1')
  await send('GET', '/api/backfills')
  const { out, written } = await runImport(await harOf(understudy))

  expect(JSON.parse(written)).toMatchObject({ backfills: [{ id: 1, name: 'first', status: null }] })
  expect(out).toContain(
    'Added, because other records refer to them:\n  pipelines daily_sales\n  pipelines weekly_sales',
  )
  expect(out).toContain('The mock gives all 3 recorded replies to reads.')
})

it('leaves out what belongs to a pipeline that a request created', async () => {
  const { understudy } = await serving({ fixture: small })
  const send = (method: string, path: string, body: unknown) =>
    understudy.fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send('POST', '/api/pipelines', { pipeline: { name: 'new', type: 'python' } })
  await understudy.factories.pipelineSchedule.create({ id: 9, pipeline_uuid: 'new' })
  await understudy.factories.pipelineRun.create({ pipeline_uuid: 'new', pipeline_schedule_id: 9 })
  await understudy.fetch('/api/pipeline_runs')
  await understudy.fetch('/api/pipelines/new/logs')
  const { out, written } = await runImport(await harOf(understudy))

  expect(written).not.toContain('"new"')
  expect(out).not.toContain('Left out')
})

it('lists replies that the mock gives differently, and what it cannot have', async () => {
  const reply = {
    pipelines: [{ uuid: 'a', name: 'a', type: 'databricks', created_by: 'x' }],
    metadata: { count: 9, next: false },
  }
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'https://api.example.com/base/api/pipelines', headers: [] },
    response: { status: 200, headers: [], content: { text: JSON.stringify(reply) } },
  }
  const other = { ...entry, request: { ...entry.request, url: 'https://cdn.example.com/app.js' } }
  const path = join(makeFolder(), 'traffic.har')
  await writeFile(path, JSON.stringify({ log: { version: '1.2', entries: [entry, other] } }))
  const { out, written } = await runImport(path)

  expect(JSON.parse(written)).toEqual({ pipelines: [{ uuid: 'a', name: 'a' }] })
  expect(out).toMatch(/\$\.pipelines\[0\]\.type: expected one of .*; found "databricks"/)
  expect(out).toContain('pipelines: created_by')
  expect(out).toContain(
    'listPipelines $.pipelines[].type: recorded "databricks", mock "python" (1 times, first GET /api/pipelines)',
  )
  expect(out).toContain('listPipelines $.metadata.count: recorded 9, mock 1')
  expect(out).toContain('Ignored 1 exchanges')
})

it('reads timestamps in the forms that servers give them', async () => {
  const backfills = ['2026-01-02T03:04:05.678Z', '2026-01-02 03:04:05.678', '2026-01-02 03:04:05'].map(
    (created_at, index) => ({ id: index + 1, name: 'a', pipeline_uuid: 'a', created_at }),
  )
  const path = join(makeFolder(), 'traffic.har')
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'https://api.example.com/api/backfills', headers: [] },
    response: { status: 200, headers: [], content: { text: JSON.stringify({ backfills }) } },
  }
  await writeFile(path, JSON.stringify({ log: { version: '1.2', entries: [entry] } }))
  const { written } = await runImport(path)

  expect(written.match(/(?<="created_at": ").*(?=")/g)?.toSorted()).toEqual([
    '2026-01-02 03:04:05.000000+00:00',
    '2026-01-02 03:04:05.678000+00:00',
    '2026-01-02 03:04:05.678000+00:00',
  ])
})

it('writes timestamps relative to the clock', async () => {
  const { url } = await serving({
    fixture: { pipelines: [{ name: 'a', updated_at: '-2d' }] },
    clock: 'system',
  })
  const { written } = await runImport(url, '--relative-times')

  expect(written).toMatch(/"updated_at": "-17280\ds"/)
  expect(() => createUnderstudy({ fixture: JSON.parse(written) })).not.toThrow()
})

const secrets = {
  password: 'hunter2horse',
  yaml: 'swordfish-77',
  environment: 'zq9Lm2',
  url: 'p4ssInUrl',
  aws: 'AKIAIOSFODNN7EXAMPLE',
  github: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl',
  random: '9f86d081884c7d659a2feaa0c55ad015',
  email: 'mira.lind@corp.example',
  bearer: 'abcdef-bearer-value',
  nested: 'nested-secret-value',
  repeated: 'plainword-token',
  pair: 'pairedword',
  digits: '70031977',
  below: 'wordbelow',
}

it('lets no planted secret survive', async () => {
  const content = [
    `password: ${secrets.yaml}`,
    `export API_KEY=${secrets.environment}`,
    `postgres://reader:${secrets.url}@db.example/main`,
    `key = "${secrets.aws}"`,
    `# ${secrets.github} ${secrets.jwt} ${secrets.random}`,
    `requests.get(url, headers={"Authorization": "Bearer ${secrets.bearer}"})`,
  ].join('\n')
  const { url } = await serving({
    fixture: {
      pipelines: [
        {
          name: 'daily sales',
          description: `Ask ${secrets.email}; a text repeats ${secrets.repeated}.`,
          notification_config: { email: [secrets.email], slack: { name: 'password', value: secrets.nested } },
          executor_config: {
            list: [['API_KEY', secrets.pair]],
            password: secrets.digits,
            tokens: { first: [secrets.below] },
          },
          blocks: [{ name: 'load', type: 'data_loader', content }],
        },
      ],
      pipeline_schedules: [
        {
          id: 1,
          name: 'n',
          pipeline_uuid: 'daily_sales',
          token: secrets.repeated,
          variables: { db_password: secrets.password },
        },
      ],
      logs: [
        {
          pipeline_uuid: 'daily_sales',
          name: 'load.log',
          path: '/x/load.log',
          content: `{"password":"${secrets.password}","to":"${secrets.email}"}`,
        },
      ],
    },
  })
  const { out, written } = await runImport(url)
  const survived = Object.entries(secrets).filter(([, secret]) => (written + out).includes(secret))

  expect(survived).toEqual([])
  expect(out).toContain('The mock gives all')
  // One value has one pseudonym.
  const pseudonym = new Pseudonyms('of a test').of(secrets.email)
  expect(written.split(pseudonym).length - 1).toBe(3)
})

it('has pseudonyms that depend on the secret, and leaves other texts alone', () => {
  const [one, other] = [new Pseudonyms('one'), new Pseudonyms('other')]
  const text = `commit ${secrets.random} of load_customer_orders_2024_final_v2, run 20260101T000000 at /src/p1/logs/12/block_v2.log`

  expect(one.text(text)).toBe(new Pseudonyms('one').text(text))
  expect(one.text(text)).not.toBe(other.text(text))
  expect(one.text(text)).toBe(text.replace(secrets.random, one.of(secrets.random)))
})

it('creates a secret that only its owner may read, and uses it again', async () => {
  const { url } = await serving({ fixture: { pipelines: [{ name: 'a', description: secrets.email }] } })
  const folder = makeFolder()
  const out = join(folder, 'fixture.json')
  const env = { XDG_CONFIG_HOME: folder }
  const run = async () => {
    await runCommand(['import', url, '--out', out], { env })
    return readFile(out, 'utf8')
  }

  expect(await run()).toBe(await run())
  expect(await readFile(join(folder, 'pipeline-understudy/import-secret'), 'utf8')).toMatch(
    /^[0-9a-f]{64}\n$/,
  )
})
