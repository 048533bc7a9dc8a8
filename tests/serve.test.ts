import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { runServe as serve } from './support/run-serve.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)
const folder = makeFolder(afterAll)

/** Pastes a line into a shell. */
async function paste(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('bash', ['-c', line])
  return JSON.parse(stdout) as Record<string, unknown>
}

async function fixtureFile(name: string, fixture: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof fixture === 'string' ? fixture : JSON.stringify(fixture))
  return path
}

/** A scenario of a user. */
const own = {
  description: 'Nothing can be deleted.',
  faults: [{ method: 'DELETE', error: { code: 503, message: 'Later.' } }],
  assumptions: { 'list-count': 'items' },
  clock: { freeze: '2026-01-05 08:00:00' },
}

it.each(['login', 'open'])('prints two curl commands that work when pasted, with --auth %s', async (auth) => {
  const { url, lines, curls } = await serve(['--fixture', 'demo', '--auth', auth])

  expect(lines()[0]).toBe(`pipeline-understudy listens on ${url} (auth: ${auth})`)
  expect(lines()).toContain('  API key  demo-api-key')
  expect(curls()).toHaveLength(2)
  const [list, created] = [await paste(curls()[0]!), await paste(curls()[1]!)]
  expect(list).toMatchObject({ pipelines: [{}, {}], metadata: { next: true } })
  expect(created).toMatchObject({ pipeline: { uuid: 'my_first', type: 'python' } })
})

it('prints curl commands that work with the empty fixture too', async () => {
  const { curls } = await serve(['--fixture', 'empty', '--auth', 'key'])

  expect(curls()).toHaveLength(2)
  for (const line of curls()) expect({ line, ...(await paste(line)) }).not.toHaveProperty('error')
})

it('prints curl lines that work where credentials hold what a shell or a URL would read otherwise', async () => {
  const file = await fixtureFile('awkward.json', {
    users: [{ email: "o'brien@example.com", password: "it's $HOME" }],
    api_keys: ["it's a `key`"],
    oauth_access_tokens: [{ token: "o'brien's $token", expires: '+1d', user_id: 1 }],
    pipelines: [{ name: 'p' }],
    pipeline_schedules: [{ pipeline_uuid: 'p', token: "50% of o'brien/s?" }],
  })
  const { curls } = await serve(['--fixture', file, '--auth', 'login'])

  expect(await paste(curls()[0]!)).toMatchObject({ pipelines: [{ uuid: 'p' }] })
  expect(await paste(curls()[1]!)).toMatchObject({ pipeline: { uuid: 'my_first' } })
})

it.each([
  ['login', { api_keys: ['k'] }, 'Nobody can authenticate: --auth login requires a token or a user.'],
  ['login', {}, 'Nobody can authenticate: --auth login requires an API key.'],
  ['key', {}, 'Nobody can authenticate: --auth key requires an API key.'],
] as const)(
  'reports that nobody can authenticate with --auth %s and the credentials %j',
  async (auth, credentials, expected) => {
    const file = await fixtureFile('closed.json', {
      ...credentials,
      pipelines: [{ name: 'p' }],
      pipeline_schedules: [{ pipeline_uuid: 'p' }],
    })
    const { text, curls } = await serve(['--fixture', file, '--auth', auth])

    expect(text.out).toContain(`\n${expected}`)
    expect(curls()).toEqual([])
  },
)

it('prints in the banner that other machines can connect, and only then', async () => {
  const [open, closed] = await Promise.all([
    serve(['--host', '0.0.0.0', '--fixture', 'empty']),
    serve(['--fixture', 'empty']),
  ])

  expect(open.text.out).toContain('Other machines can connect: 0.0.0.0 is not a loopback address.')
  expect(closed.text.out).not.toContain('Other machines')
})

it('prints the unusual settings in the banner, in lines of at most 80 characters', async () => {
  const [unusual, usual] = await Promise.all([
    serve(['--profile', 'mage-ai-0.9.79', '--broken', 'limit-ignored', '--latency', '5', '--clock', '60x']),
    serve(['--auth', 'login']),
  ])

  expect(unusual.lines()).toEqual(
    expect.arrayContaining([
      '  profile  mage-ai-0.9.79',
      '  broken   limit-ignored',
      '  latency  5 ms',
      '  clock    60x',
    ]),
  )
  expect(usual.text.out).not.toMatch(/^ {2}(profile|broken|latency|clock) /m)
  for (const { lines } of [unusual, usual]) expect(lines().filter((line) => line.length > 80)).toEqual([])
})

it('takes REQUIRE_USER_AUTHENTICATION=1 for --auth login, unless a mode is given', async () => {
  const env = { REQUIRE_USER_AUTHENTICATION: '1' }
  const [fromEnvironment, overruled, off] = await Promise.all([
    serve(['--fixture', 'empty'], env),
    serve(['--fixture', 'empty', '--auth', 'open'], env),
    serve(['--fixture', 'empty'], { REQUIRE_USER_AUTHENTICATION: '0' }),
  ])

  expect(fromEnvironment.lines()[0]).toContain('(auth: login)')
  expect(overruled.lines()[0]).toContain('(auth: open)')
  expect(off.lines()[0]).toContain('(auth: open)')
  expect(await (await fetch(`${fromEnvironment.url}/api/pipelines`)).json()).toMatchObject({
    error: { code: 401 },
  })
})

it('logs one line per request with the logical status, without colors if not at a terminal', async () => {
  const { url, lines } = await serve(['--fixture', 'empty'])
  const before = lines().length
  await fetch(`${url}/api/pipelines?_limit=2`)
  await fetch(`${url}/api/backfills/7`, { method: 'DELETE' })
  await fetch(`${url}/api/nothing`)
  await expect.poll(() => lines().length >= before + 3).toBe(true)

  expect(lines().slice(before)).toEqual([
    expect.stringMatching(/^200 listPipelines +GET \/api\/pipelines\?_limit=2 [\d.]+ ms$/),
    expect.stringMatching(/^404 deleteBackfill +DELETE \/api\/backfills\/7 [\d.]+ ms$/),
    expect.stringMatching(/^404 - +GET \/api\/nothing [\d.]+ ms$/),
  ])
})

it('shortens a long path in the log, but not in JSON lines', async () => {
  const path = `/api/pipelines/${'a'.repeat(9_000)}`
  const [plain, json] = await Promise.all([
    serve(['--fixture', 'empty']),
    serve(['--fixture', 'empty', '--json']),
  ])
  for (const { url } of [plain, json]) await fetch(`${url}${path}`)
  await expect.poll(() => /9015/.test(plain.text.out) && json.text.out.includes(path)).toBe(true)

  expect(plain.lines().at(-1)).toMatch(
    /^404 readPipeline +GET \/api\/pipelines\/a{485}… \(9015 characters\) [\d.]+ ms$/,
  )
})

it('names the world and the faults of a request in its line of JSON', async () => {
  const fixture = await fixtureFile('worlds.json', { pipelines: [{ name: 'a' }] })
  const faults = await fixtureFile('faults.json', [{ operation: 'readPipeline', times: 1, badGateway: true }])
  const { url, lines } = await serve(['--json', '--fixture', fixture, '--fault', faults])
  await fetch(`${url}/api/pipelines/a`, { headers: { 'X-Understudy-World': 'alice' } })
  await expect.poll(() => lines().length > 1).toBe(true)

  expect(JSON.parse(lines().at(-1)!)).toEqual({
    status: 502,
    operation: 'readPipeline',
    method: 'GET',
    url: '/api/pipelines/a',
    milliseconds: expect.any(Number),
    world: 'alice',
    faults: ['fault-1'],
  })
})

it.each([[['--json']], [[]]])('redacts secrets in the log (%j)', async (flags) => {
  const { url, lines } = await serve(['--fixture', 'demo', '--auth', 'login', ...flags])
  const before = lines().length
  const oauth = 'mira-today-3f9c1e7ab2d84c06'
  const headers = { 'x-api-key': 'demo-api-key', 'oauth-token': oauth }
  const schedule = await (await fetch(`${url}/api/pipeline_schedules/1`, { headers })).json()
  const { token } = schedule.pipeline_schedule as { token: string }
  const trigger = `/api/pipeline_schedules/1/pipeline_runs/${token}`
  const requests: readonly [path: string, method?: string][] = [
    ['/api/pipelines?api%5Fkey=demo-api-key'],
    [`/api/pipelines?oauth_token=${oauth}`],
    [trigger, 'POST'],
    [trigger, 'PUT'],
  ]
  for (const [path, method = 'GET'] of requests) await fetch(`${url}${path}`, { method })
  await expect.poll(() => lines().length >= before + 1 + requests.length).toBe(true)
  const logged = lines().slice(before).join('\n')

  expect(token).toMatch(/\S{8,}/)
  expect([token, oauth, 'demo-api-key'].filter((secret) => logged.includes(secret))).toEqual([])
})

it('prints the addresses of the panel and the docs, and no panel with --no-admin', async () => {
  const [open, guarded, off] = await Promise.all([
    serve(['--fixture', 'empty']),
    serve(['--fixture', 'empty', '--admin-token', 'let-me-in']),
    serve(['--fixture', 'empty', '--no-admin']),
  ])
  const path = '/__understudy__/api/'
  const statusOf = async (url: string, headers = {}) =>
    (await fetch(`${url}${path}health`, { headers })).status

  expect(open.lines()).toContain(`  panel    ${open.url}/ (from this machine)`)
  expect(guarded.lines()).toContain(`  panel    ${guarded.url}/ (with the admin token)`)
  expect(off.text.out).not.toContain('panel ')
  for (const { lines, url } of [open, guarded, off]) expect(lines()).toContain(`  docs     ${url}/docs`)
  expect(await (await fetch(`${open.url}/`)).text()).toContain('__understudy__/panel/page.js')
  for (const { text } of [open, guarded, off]) expect(text.out).not.toContain('let-me-in')
  expect([await statusOf(open.url), await statusOf(guarded.url), await statusOf(off.url)]).toEqual([
    200, 401, 404,
  ])
  expect(await statusOf(guarded.url, { authorization: 'Bearer let-me-in' })).toBe(200)
})

it('starts each world with the scenario, after a reset too', async () => {
  const { url } = await serve(['--scenario', 'everything-fails-tonight', '--clock', 'frozen'])
  const client = createClient(url)
  const scripted = async (world: string) =>
    (await client.world(world).model.pipelines.findFirst((q) => q.where({ uuid: 'sandbox' })))?.run_script

  expect(await client.clock.now()).toBe(Date.UTC(2026, 0, 1, 20))
  expect([await scripted('main'), await scripted('later')]).toEqual(
    Array(2).fill('running for 20s, then failed'),
  )
  await client.reset()
  expect(await scripted('main')).toBe('running for 20s, then failed')
  expect(await client.scenarios.list()).toHaveLength(9)
})

it('starts with a scenario of the user, on a fixture of the user', async () => {
  const file = await fixtureFile('own.json', own)
  const { url } = await serve(['--scenario', file, '--fixture', 'empty'])
  const refused = await fetch(`${url}/api/backfills/1`, { method: 'DELETE' })
  const client = createClient(url)

  expect(await refused.json()).toMatchObject({ error: { message: 'Later.' } })
  for (const { clock } of [client, client.world('later')])
    expect([await clock.now(), await clock.speed()]).toEqual([Date.UTC(2026, 0, 5, 8), 0])
})

it('serves a faulty variant from the start, and creates worlds with others', async () => {
  const { url } = await serve(['--fixture', 'demo', '--broken', 'created-as-text'])
  const { worlds, world } = createClient(url)
  const contentType = async (name: string) => {
    const body = JSON.stringify({ pipeline: { name: 'one', type: 'python' } })
    const headers = { 'content-type': 'application/json' }
    const reply = await world(name).fetch('/api/pipelines', { method: 'POST', headers, body })
    return reply.headers.get('content-type')
  }
  await worlds.create('correct', { faultyVariant: null })
  await worlds.create('real', { profile: 'mage-ai-0.9.79' })

  expect(await contentType('main')).toBe('text/plain')
  expect(await contentType('correct')).toMatch(/^application\/json/)
  expect(await contentType('real')).toBe('text/plain')
  expect(await worlds.list()).toMatchObject([
    { name: 'main', faultyVariant: 'created-as-text' },
    { name: 'correct' },
    { name: 'real', profile: 'mage-ai-0.9.79', faultyVariant: 'created-as-text' },
  ])
  expect(await worlds.profiles()).toEqual([{ name: 'mage-ai-0.9.79' }])
  expect(await worlds.faultyVariants()).toContainEqual(
    expect.objectContaining({ name: 'created-as-text', breaks: 'create-pipeline/envelope' }),
  )
})

it('logs which world it removes', async () => {
  const { url, lines } = await serve(['--max-worlds', '1', '--fixture', 'empty'])
  for (const world of ['one', 'two']) {
    await fetch(`${url}/api/pipelines`, { headers: { 'X-Understudy-World': world } })
  }

  await expect.poll(() => lines().includes('Removed world one: there were too many.')).toBe(true)
})

it('continues from its state, and reports when it was saved', async () => {
  const flags = ['--fixture', 'empty', '--state', join(folder, 'state.json')]
  const first = await serve([...flags, '--json'])
  await expect.poll(() => first.text.out.includes('{"state":"created"')).toBe(true)
  const headers = { 'content-type': 'application/json', 'x-understudy-world': 'alice' }
  const body = JSON.stringify({ pipeline: { name: 'stored', type: 'python' } })
  await fetch(`${first.url}/api/pipelines`, { method: 'POST', headers, body })
  expect(await first.stop('SIGINT')).toBe(0)

  const { url, text } = await serve(flags)
  await expect
    .poll(() => /State of 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC, 2 worlds, from /.test(text.out))
    .toBe(true)
  const reply = await fetch(`${url}/api/pipelines/stored`, { headers })
  expect(await reply.json()).toMatchObject({ pipeline: { uuid: 'stored' } })
})

it('reports a damaged state on stderr, and as JSON with --json', async () => {
  const torn = '{"format":"understudy-state","version":1,"savedAt":"2026-'
  const file = await fixtureFile('torn-state.json', torn)
  const { text, stop } = await serve(['--fixture', 'empty', '--state', file, '--quiet', '--json'])
  await expect.poll(() => text.out.includes('"state"')).toBe(true)
  const [listening, event] = text.out.split('\n').map((line) => (line === '' ? undefined : JSON.parse(line)))
  expect(listening).toHaveProperty('listening')
  expect(event).toMatchObject({
    state: 'set aside',
    file,
    text: expect.stringContaining('torn-state.json.damaged-20'),
  })
  expect(await stop()).toBe(0)

  const other = await fixtureFile('torn-too.json', torn)
  const plain = await serve(['--fixture', 'empty', '--state', other])
  await expect.poll(() => plain.text.err !== '').toBe(true)
  expect(plain.text.err).toMatch(
    /^The state in \S+torn-too\.json cannot be used\. It is not JSON: it was cut or edited\. It was renamed to /,
  )
})
