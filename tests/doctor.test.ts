import { readFile, rm, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diagnoseProject } from '../src/cli/doctor/diagnose-project.ts'
import { checkNames, type Finding } from '../src/cli/doctor/finding.ts'
import { createUnderstudy } from '../src/index.ts'
import type { ServeOptions } from '../src/server/serve.ts'
import { version } from '../src/shared/version.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'
import { runCommand } from './support/run-command.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen, makeFolder, makeFolderOf } from './support/temporary.ts'

type ProjectFiles = Readonly<Record<string, unknown>>

/** Creates a correct project with these files. */
async function projectOf(files: ProjectFiles = {}): Promise<string> {
  const folder = makeFolderOf({
    'package.json': { devDependencies: { msw: '2', 'pipeline-understudy': '0' } },
    'node_modules/pipeline-understudy/package.json': { version },
    ...files,
  })
  if (files['node_modules/msw/package.json'] === undefined)
    await symlink(join(root, 'node_modules/msw'), join(folder, 'node_modules/msw'))
  return folder
}

async function diagnose(...args: string[]): Promise<{ code: number; findings: Finding[] }> {
  const { code, out, err } = await runCommand(['doctor', ...args, '--json'])
  if (err !== '') throw new Error(err)
  return { code, findings: JSON.parse(out).findings }
}

async function diagnoseFolder(files: ProjectFiles = {}) {
  return diagnose(await projectOf(files), '--port', String(await freePort()))
}

const ofCheck = (findings: readonly Finding[], name: string) => findings.filter(({ check }) => check === name)
const workerOf = (name: string, checksum: string) =>
  `const PACKAGE_VERSION = '${name}'\nconst INTEGRITY_CHECKSUM = '${checksum}'\n`

it('finds no problem in a correct project', async () => {
  const script = await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8')
  const fixture = { pipelines: [{ name: 'daily sales' }] }
  const folder = await projectOf({
    'public/mockServiceWorker.js': script,
    'mocks/pipelines.fixture.json': fixture,
  })

  const { code, out } = await runCommand(['doctor', folder, '--port', String(await freePort())])

  expect(out).toMatch(/^good {5}pipeline-understudy: 0\.1\.0$/m)
  expect(out).toMatch(/^good {5}msw: 2\./m)
  expect(out).toMatch(/^good {5}public\/mockServiceWorker\.js: that of msw 2\./m)
  expect(out).toMatch(/^good {5}mocks\/pipelines\.fixture\.json: can be loaded$/m)
  expect(out).toMatch(/\nNo problems found\.\n$/)
  expect(code).toBe(0)
})

it('reports a worker script of another version of msw, with the fix', async () => {
  const folder = await projectOf({ 'web/static/mockServiceWorker.js': workerOf('2.4.0', 'other') })

  const { code, out } = await runCommand(['doctor', folder, '--port', String(await freePort())])

  expect(out).toMatch(
    /^wrong {4}web\/static\/mockServiceWorker\.js\n {11}expected {2}the script of msw 2\.\S+, which is installed \(its checksum is \w+\)\n {11}found {5}that of msw 2\.4\.0\n {11}to do {5}Run `npx msw init web\/static --save`, and reload the page\.$/m,
  )
  expect(out).toMatch(/\n1 problem found\.\n$/)
  expect(code).toBe(1)
})

it('reports a missing script in the folder that package.json names', async () => {
  const { code, findings } = await diagnoseFolder({
    'package.json': { msw: { workerDirectory: ['public'] } },
  })

  expect(code).toBe(1)
  expect(ofCheck(findings, 'worker')).toEqual([
    {
      check: 'worker',
      state: 'wrong',
      about: 'the script of msw',
      expected: 'public/mockServiceWorker.js, the folder that msw.workerDirectory in package.json names',
      found: 'no such file',
      way: 'Run `npx msw init public --save`.',
    },
  ])
})

it('reports packages outside the supported range, and packages that are not installed', async () => {
  const { findings } = await diagnoseFolder({
    'package.json': { devDependencies: { vitest: '4' } },
    'pnpm-lock.yaml': '',
    'node_modules/msw/package.json': { version: '1.3.5' },
    'node_modules/express/package.json': { version: '5.1.0-beta.1' },
  })

  expect(ofCheck(findings, 'peers')).toEqual([
    { check: 'peers', state: 'good', about: 'express', found: '5.1.0-beta.1' },
    {
      check: 'peers',
      state: 'wrong',
      about: 'msw',
      expected: '^2.0.0 || ^3.0.0',
      found: '1.3.5',
      way: 'Run `pnpm add -D msw@latest`.',
    },
    {
      check: 'peers',
      state: 'wrong',
      about: 'vitest',
      expected: 'installed, since package.json names it',
      found: 'nothing',
      way: 'Run `pnpm add -D vitest`, or install what package.json names.',
    },
  ])
})

it('reports a package that does not support this version of Node', async () => {
  const { findings } = await diagnoseFolder({
    'node_modules/msw/package.json': { version: '3.0.5', engines: { node: '>=99.12.0' } },
  })

  expect(ofCheck(findings, 'peers')).toMatchObject([
    {
      state: 'wrong',
      about: 'msw',
      expected: 'Node >=99.12.0, which msw 3.0.5 requires',
      found: `Node ${process.versions.node}`,
    },
  ])
})

it('reports an unknown framework', async () => {
  const { findings } = await diagnoseFolder({ 'package.json': { dependencies: { '@remix-run/react': '2' } } })

  expect(ofCheck(findings, 'framework')).toMatchObject([
    { state: 'warning', found: 'Remix, which doctor does not know' },
  ])
})

it("checks no packages that only Yarn Plug'n'Play could find", async () => {
  const folder = await projectOf({ '.pnp.cjs': '', 'package.json': { devDependencies: { vitest: '4' } } })
  await rm(join(folder, 'node_modules'), { recursive: true })

  const { code, findings } = await diagnose(folder, '--port', String(await freePort()))

  expect(findings).toMatchObject([
    { check: 'node', state: 'good' },
    { check: 'package', state: 'warning', way: 'Run `yarn pipeline-understudy doctor`.' },
    { check: 'port', state: 'good' },
  ])
  expect(code).toBe(0)
})

it.each([
  ['the script of msw 2.4.0', workerOf('2.4.0', 'other'), 'text/javascript', 'warning'],
  ['HTTP 200, text/html', '<h1>', 'text/html', 'warning'],
  ['that of msw', undefined, 'text/javascript', 'good'],
])('compares the worker script that the development server sends: %s', async (found, sent, type, state) => {
  const script = await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8')
  const url = await listen((_, reply) => reply.setHeader('content-type', type).end(sent ?? script))
  const folder = await projectOf({
    'package.json': { devDependencies: { vite: '8' } },
    'public/mockServiceWorker.js': script,
  })

  const { findings } = await diagnose(folder, '--port', String(await freePort()), '--dev-server', url)

  expect(ofCheck(findings, 'worker').find(({ about }) => about.startsWith(url))).toMatchObject({
    state,
    found: expect.stringContaining(found),
  })
})

it('reports every problem of every fixture, found by its name or schema', async () => {
  const { findings } = await diagnoseFolder({
    'a/one.fixture.json': { pipelines: [{ nme: 'x' }] },
    'b/two.json': {
      $schema: '../node_modules/pipeline-understudy/fixtures/fixture.schema.json',
      pipelines: 'none',
    },
    'b/broken.fixture.json': '{',
    'b/other.json': { pipelines: 'none' },
  })

  const fixtures = ofCheck(findings, 'fixtures')
  expect(fixtures.map(({ state, about }) => [state, about])).toEqual([
    ['wrong', 'a/one.fixture.json at $.pipelines[0].nme'],
    ['wrong', 'a/one.fixture.json at $.pipelines[0].name'],
    ['wrong', 'b/broken.fixture.json'],
    ['wrong', 'b/two.json at $.pipelines'],
  ])
  expect(fixtures[2]).toMatchObject({ found: expect.stringContaining('it is not valid JSON') })
})

it('reports an old Node and a missing package', async () => {
  const folder = await projectOf()
  await rm(join(folder, 'node_modules/pipeline-understudy'), { recursive: true })

  const findings: Finding[] = []
  const found = diagnoseProject(folder, {
    own: { engines: { node: '>=20.19' }, peerDependencies: {} },
    node: '18.20.0',
    port: await freePort(),
    readFixture: () => ({}),
  })
  for await (const finding of found) findings.push(finding)

  expect(findings).toMatchObject([
    { check: 'node', state: 'wrong', expected: '>=20.19', found: '18.20.0' },
    { check: 'package', state: 'wrong', way: 'Run `npm i -D pipeline-understudy`.' },
    { check: 'port', state: 'good', found: 'free' },
  ])
})

it('reports a missing project', async () => {
  const folder = makeFolder()

  const { code, err } = await runCommand(['doctor', folder])

  expect(err).toContain('There is no package.json in')
  expect(code).toBe(1)
})

async function serving(options: ServeOptions = {}): Promise<string> {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] }, auth: 'key' })
  return (await serveMock(understudy, options)).url
}

interface ProxyOptions {
  readonly drops?: readonly string[]
  readonly rewrite?: (path: string) => string
  readonly dropsBodies?: boolean
}

/** A proxy before a server, with its own way of handing on. */
function proxyBefore(
  target: string,
  { drops = [], rewrite = (path) => path, dropsBodies }: ProxyOptions = {},
) {
  return listen((incoming, reply) => {
    const passed = Object.entries(incoming.headers).filter(([name]) => !drops.includes(name))
    const length = dropsBodies && incoming.method === 'PUT' ? [['content-length', '0'] as const] : []
    const headers = { ...Object.fromEntries([...passed, ...length]), 'x-forwarded-for': '127.0.0.1' }
    const { method } = incoming
    const onward = request(`${target}${rewrite(incoming.url!)}`, { method, headers }, (answered) => {
      reply.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(reply)
    })
    if (dropsBodies) onward.end()
    else incoming.pipe(onward)
  })
}

const portOf = (url: string) => new URL(url).port

it.each([
  ['an understudy', () => serving(), 'good', 'a mock server listens there'],
  ['one without an admin API', () => serving({ admin: false }), 'good', 'a mock server listens there'],
  ['something else', () => listen((_, reply) => reply.end('hello')), 'wrong', 'used by another program'],
])('reports whether a busy port belongs to %s', async (_, start, state, found) => {
  const folder = await projectOf()

  const { findings } = await diagnose(folder, '--port', portOf(await start()))

  expect(ofCheck(findings, 'port')).toMatchObject([{ state, found }])
})

it('finds no problem in a mock server, and leaves no world behind', async () => {
  const url = await serving()

  const { code, findings } = await diagnose(url)

  expect(findings.map(({ check, state }) => [check, state])).toEqual([
    ['answers', 'good'],
    ['path', 'good'],
    ['headers', 'good'],
    ['bodies', 'good'],
  ])
  expect(code).toBe(0)
  const { worlds } = await (await fetch(`${url}/__understudy__/api/worlds`)).json()
  expect(worlds.map(({ name }: { name: string }) => name)).toEqual(['main'])
})

it('finds no problem in a transparent proxy', async () => {
  const server = await serving()

  const { findings } = await diagnose(await proxyBefore(server), '--server', server)

  expect(findings.filter(({ state }) => state !== 'good')).toEqual([])
  expect(findings).toHaveLength(4)
})

it('names the headers that a proxy takes away, whichever they are', async () => {
  const server = await serving()
  const drops = ['x-understudy-world', 'x-api-key', 'authorization', 'cookie', 'oauth-token']
  const some = await diagnose(await proxyBefore(server, { drops: drops.slice(0, 1) }), '--server', server)
  const all = await diagnose(await proxyBefore(server, { drops }), '--server', server)

  expect(ofCheck(some.findings, 'headers')).toMatchObject([
    { state: 'wrong', found: 'x-understudy-world does not' },
  ])
  expect(ofCheck(all.findings, 'headers')).toMatchObject([
    { found: 'x-understudy-world, x-api-key, oauth-token, authorization, cookie do not' },
  ])
  expect(all.code).toBe(1)
})

it('names a proxy that doubles /api, one that takes it away, and one that loses bodies', async () => {
  const server = await serving()
  const doubling = await proxyBefore(server, { rewrite: (path) => `/api${path}` })
  const taking = await proxyBefore(server, { rewrite: (path) => path.replace(/^\/api/, '') })
  const losing = await proxyBefore(server, { dropsBodies: true })

  const [doubled, taken, lost] = await Promise.all(
    [doubling, taking, losing].map(async (url) => (await diagnose(url, '--server', server)).findings),
  )

  expect(ofCheck(doubled!, 'path')).toMatchObject([
    {
      found: expect.stringMatching(/^\/api\/api\/pipelines\//),
      way: expect.stringContaining('adds a second /api'),
    },
  ])
  expect(ofCheck(taken!, 'answers')).toMatchObject([{ way: expect.stringContaining('removes /api') }])
  expect(ofCheck(lost!, 'bodies')).toMatchObject([{ state: 'wrong', found: 'no body' }])
})

it('reports an address that is not the one of a mock server', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const page = await listen((_, reply) => reply.setHeader('content-type', 'text/html').end('<h1>'))
  const server = await serving()

  expect((await diagnose(nobody)).findings).toMatchObject([{ check: 'answers', found: 'nothing answers' }])
  expect((await diagnose(page)).findings[0]).toMatchObject({
    found: 'HTTP 200, text/html, which is not the format of the API',
  })
  expect((await diagnose(`${server}/api`)).findings).toMatchObject([
    { expected: `an address without /api, because all paths begin with it: ${server}` },
  ])
})

it.each([
  ['an object', { pipelines: [] }],
  ['an object with other journal entries', { pipelines: [], entries: [{ path: 7 }, null] }],
  ['an object with an error in another form', { pipelines: [], entries: { length: 1 } }],
  ['a list', []],
  ['nothing', null],
  ['a text', 'hello'],
])('reports a server that answers %s to every request', async (_, body) => {
  const other = await listen((_, reply) =>
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
  )

  const { code, findings } = await diagnose(other)

  const isEnvelope = typeof body === 'object' && body !== null && 'pipelines' in body
  expect(findings).toContainEqual(
    isEnvelope
      ? expect.objectContaining({ check: 'admin', found: expect.stringContaining('not as the admin API') })
      : expect.objectContaining({ check: 'answers', state: 'wrong' }),
  )
  expect(code).toBe(isEnvelope ? 0 : 1)
})

it('warns if the server does not report received requests, and uses its token', async () => {
  const server = await serving({ admin: { token: 'secret' } })

  const without = await diagnose(server)
  const within = await diagnose(server, '--admin-token', 'secret')

  expect(ofCheck(without.findings, 'admin')).toMatchObject([{ state: 'warning' }])
  expect(without.code).toBe(0)
  expect(within.findings.map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good'])
})

it('has a row for each check on the page', async () => {
  const page = await readFile(join(root, 'docs/starting.md'), 'utf8')

  expect(checkNames.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
})
