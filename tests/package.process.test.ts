import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData, type ProblemKind } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, it as itInParts } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { version } from '../src/shared/version.ts'
import { thoroughly, wholly } from './support/depth.ts'
import { pages, samples } from './support/documents.ts'
import { root as built } from './support/root.ts'
import { listen, makeFolder } from './support/temporary.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

const run = promisify(execFile)

/** The tarball of the built package, what is in it, and an empty folder where it has been installed. */
let tarball: string
let packed: { files: { path: string; size: number }[]; size: number; unpackedSize: number }
const folder = makeFolder(afterAll)

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: built,
  })
  const [report] = JSON.parse(stdout) as [typeof packed & { filename: string }]
  packed = report
  tarball = join(folder, report.filename)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const asNpm = ['--config.node-linker=hoisted', '--config.auto-install-peers=false']
  const flags = ['--prefer-offline', '--ignore-scripts', ...asNpm]
  await run(join(built, 'node_modules/.bin/pnpm'), ['add', tarball, ...flags], { cwd: folder })
}, 60_000)

/** Runs a module in a fresh process and gives what it printed, as JSON. */
async function evaluate(cwd: string, code: string): Promise<unknown> {
  const print = `const print = (value) => process.stdout.write(JSON.stringify(value))`
  const { stdout } = await run('node', ['--input-type=module', '-e', `${print}\n${code}`], { cwd })
  return JSON.parse(stdout)
}

it('packs only the files that users need', () => {
  const paths = packed.files.map(({ path }) => path)
  const expected =
    /^(dist\/[\w./-]+\.(js|d\.ts)|dist\/THIRD-PARTY-LICENSES\.txt|dist\/cli\/package\.json|dist\/demo\/[\w./-]+\.(html|css|svg)|fixtures\/[\w.-]+\.json|templates\/[\w-]+\.(?:txt|js|bash|zsh|fish)|(?:docs|decisions)\/[\w/-]+\.(md|conf|yaml)|docs\/pictures\/panel-\w+\.webp|(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|Dockerfile|action\.yml|openapi\.json|package\.json)$/

  expect(paths.filter((path) => !expected.test(path))).toEqual([])
  expect(paths).toEqual(
    expect.arrayContaining([
      'CHANGELOG.md',
      'SECURITY.md',
      'LICENSE',
      'README.md',
      'dist/cli/main.js',
      'dist/index.d.ts',
      'dist/index.js',
      'docs/reference/assumptions.md',
      'docs/spec/pipeline-orchestration-api.md',
      'fixtures/demo.json',
      'fixtures/empty.json',
      'fixtures/mage-ui.json',
      'fixtures/fixture.schema.json',
      'openapi.json',
      'package.json',
    ]),
  )
})

it('packs the targets of all links', () => {
  const paths = packed.files.map(({ path }) => path)
  const isPacked = (path: string) =>
    paths.includes(path) || paths.some((packedPath) => packedPath.startsWith(`${path.replace(/\/$/, '')}/`))
  const packedPages = pages.filter(({ path }) => paths.includes(path))
  const deadLinks = packedPages.flatMap(({ path, text }) =>
    [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^https?:/.test(target) && !isPacked(join(dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )

  expect(packedPages.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/msw.md']))
  expect(deadLinks).toEqual([])
})

it('names the types of each subpath for those who do not read exports', () => {
  const typed = Object.entries(manifest.exports).flatMap(([subpath, entry]) =>
    subpath !== '.' && typeof entry === 'object' ? [[subpath.slice(2), [entry.types]]] : [],
  )

  expect(manifest.typesVersions['*']).toEqual(Object.fromEntries(typed))
  expect([manifest.main, manifest.types]).toEqual([
    manifest.exports['.'].default,
    manifest.exports['.'].types,
  ])
})

it('has one version', () => {
  expect(version).toBe(manifest.version)
})

it('is small: under 1,600 KB packed, of which 350 are the live demo', () => {
  expect(packed.size).toBeLessThan(1_600_000)
})

/** Exports of each module; the other entry points export types or have side effects. */
const exported = {
  'pipeline-understudy': ['FaultError', 'FixtureError', 'RecordError', 'UnderstudyError', 'createUnderstudy'],
  'pipeline-understudy/msw': ['createHandlers'],
  'pipeline-understudy/express': ['createApp'],
  'pipeline-understudy/node': ['ListenError', 'createListener', 'serve'],
  'pipeline-understudy/vite': ['understudy'],
  'pipeline-understudy/api': ['isErrorEnvelope'],
  'pipeline-understudy/storage': ['StorageError', 'createStorage'],
  'pipeline-understudy/storage/file': ['fileStorage'],
  'pipeline-understudy/storage/indexed-db': ['indexedDbStorage'],
  'pipeline-understudy/client': ['ClientError', 'createClient'],
  'pipeline-understudy/contract': [
    'CannotVerify',
    'Interrupted',
    'checkTarget',
    'describeContract',
    'parseBaseline',
    'rules',
    'verify',
  ],
  'pipeline-understudy/proxy': ['withProxy'],
  'pipeline-understudy/usage': ['collectUsage'],
  'pipeline-understudy/matchers': ['understudyMatchers'],
  'pipeline-understudy/openapi': ['buildDocument', 'openapiJson', 'openapiYaml'],
  'pipeline-understudy/assumptions': ['assumptions'],
  'pipeline-understudy/scenarios': ['scenarios'],
  'pipeline-understudy/fixtures': ['demo', 'empty'],
  'pipeline-understudy/panel': ['mountPanel'],
  'pipeline-understudy/storybook': ['understudyStories'],
  'pipeline-understudy/playwright': ['expect', 'understudyFixtures', 'usageOf'],
  'pipeline-understudy/profiles': ['mageAi0979', 'profiles'],
  'pipeline-understudy/jest-preset': ['default', 'withUnderstudy'],
}

// All in one process: to start one for each takes longer than to load them.
it('exports these names', async () => {
  const subpaths = Object.keys(exported)
  const code = `const names = async (subpath) => [subpath, Object.keys(await import(subpath)).sort()]
    print(Object.fromEntries(await Promise.all(${JSON.stringify(subpaths)}.map(names))))`

  expect(await evaluate(built, code)).toEqual(exported)
})

it('documents each of these names with an example', async () => {
  const paths = (await readdir(join(built, 'dist'), { recursive: true })).filter((path) =>
    path.endsWith('.d.ts'),
  )
  const types = (await Promise.all(paths.map((path) => readFile(join(built, 'dist', path), 'utf8')))).join(
    '\n',
  )
  const doc = String.raw`/\*\*(?:(?!\*/)[^])*@example(?:(?!\*/)[^])*\*/\n`
  const names = [...new Set(Object.values(exported).flat())].filter((name) => name !== 'default')
  const bare = names.filter(
    (name) => !new RegExp(`${doc}(?:export )?(?:declare )?(?:function|const|class) ${name}\\b`).test(types),
  )

  expect(bare).toEqual([])
})

it('contains the licenses of bundled code', async () => {
  const notices = await readFile(
    join(folder, 'node_modules/pipeline-understudy/dist/THIRD-PARTY-LICENSES.txt'),
    'utf8',
  )

  expect(notices).toMatch(/^supertest 7\.\d+\.\d+ \(MIT\)$/m)
  expect(notices).toMatch(/^commander 14\.\d+\.\d+ \(MIT\)$/m)
  expect(notices).toMatch(/^tinyqueue 3\.\d+\.\d+ \(ISC\)$/m)
  expect(notices).toContain('Permission is hereby granted, free of charge')
})

it('installs without its peers', () => {
  const isInstalled = (name: string) => existsSync(join(folder, 'node_modules', name))

  expect(['zod', '@msw/data', '@noble/hashes', 'commander'].filter((name) => !isInstalled(name))).toEqual([])
  expect(['express', 'msw', 'supertest', 'vitest'].filter(isInstalled)).toEqual([])
})

it('answers a request where no peer is installed', async () => {
  const reply = await evaluate(
    folder,
    `import { createUnderstudy } from 'pipeline-understudy'
     import { demo } from 'pipeline-understudy/fixtures'
     import { profiles } from 'pipeline-understudy/profiles'
     import demoFile from 'pipeline-understudy/fixtures/demo.json' with { type: 'json' }
     import emptyFile from 'pipeline-understudy/fixtures/empty.json' with { type: 'json' }
     import document from 'pipeline-understudy/openapi.json' with { type: 'json' }
     import { buildDocument } from 'pipeline-understudy/openapi'
     import manifest from 'pipeline-understudy/package.json' with { type: 'json' }
     const understudy = createUnderstudy({ fixture: demo })
     const { status, code, body } = understudy.dispatch({ method: 'GET', url: '/api/pipelines/daily_revenue' })
     const empty = createUnderstudy({ fixture: emptyFile }).dispatch({ method: 'GET', url: '/api/pipelines' })
     const session = JSON.stringify({ session: { username: 'mira', password: 'lantern' } })
     const signedIn = await understudy.dispatch({ method: 'POST', url: '/api/sessions', body: session })
     print({
       status, code, uuid: JSON.parse(body).pipeline.uuid, empty: empty.body, name: manifest.name,
       isSame: JSON.stringify(demo) === JSON.stringify(demoFile), profiles: Object.keys(profiles),
       openapi: document.openapi, builds: typeof buildDocument,
       rawToken: JSON.parse(signedIn.body).session.token.split('.').length,
     })`,
  )

  expect(reply).toEqual({
    status: 200,
    code: 200,
    uuid: 'daily_revenue',
    empty: '{"pipelines":[],"metadata":{"count":0,"next":false}}',
    name: 'pipeline-understudy',
    isSame: true,
    profiles: ['mage-ai-0.9.79'],
    openapi: expect.stringMatching(/^3\.[01]\.\d$/),
    builds: 'function',
    rawToken: 3,
  })
})

it('reports a missing peer', async () => {
  const peers = {
    'pipeline-understudy/msw': 'msw',
    'pipeline-understudy/express': 'express',
    'pipeline-understudy/contract': 'vitest',
    'pipeline-understudy/matchers/vitest': 'vitest',
    'pipeline-understudy/vitest': 'msw',
    'pipeline-understudy/storybook': 'msw',
    'pipeline-understudy/playwright': '@playwright/test',
  }

  const failures = await evaluate(
    folder,
    `const load = (subpath) =>
       import(subpath).then(() => [subpath, 'it loads'], ({ code, message }) => [subpath, { code, message }])
     print(Object.fromEntries(await Promise.all(${JSON.stringify(Object.keys(peers))}.map(load))))`,
  )

  expect(failures).toEqual(
    Object.fromEntries(
      Object.entries(peers).map(([subpath, peer]) => [
        subpath,
        {
          code: 'ERR_MODULE_NOT_FOUND',
          message: expect.stringContaining(`Cannot find package '${peer}'`),
        },
      ]),
    ),
  )
})

it('has a command that runs where no peer is installed', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/understudy'), ['--version'])
  const check = await run(join(folder, 'node_modules/.bin/understudy'), ['fixture', 'check', 'demo'], {
    cwd: folder,
  })

  expect(stdout).toBe('0.1.0\n')
  expect(check.stdout).toMatch(/^demo can be loaded: \d+ users, .*\d+ pipelines, /)
})

it('verifies a server without peers', async () => {
  const flags = [
    await listen(createApp(createUnderstudy())),
    '--only',
    'pipeline-fields/*',
    '--sequences',
    '0',
  ]
  const { stdout } = await run(join(folder, 'node_modules/.bin/understudy'), ['verify', ...flags], {
    cwd: folder,
  })

  expect(stdout).toMatch(/^\d+ rules: [1-9]\d* passed, 0 failed, [1-9]\d* skipped/m)
})

itThoroughly('has types that a strict project can use where no peer is installed', async () => {
  await writeFile(
    join(folder, 'consumer.ts'),
    `import { createUnderstudy, type Fixture, type UnderstudyReply } from 'pipeline-understudy'
import { type CreatedBlock, type ErrorEnvelope, isErrorEnvelope, type OperationReply } from 'pipeline-understudy/api'
import { type Controls, createClient } from 'pipeline-understudy/client'
import { demo } from 'pipeline-understudy/fixtures'
import { type RequestPattern, type UnderstudyMatchers, understudyMatchers } from 'pipeline-understudy/matchers'
import { mageAi0979 } from 'pipeline-understudy/profiles'

const fixture: Fixture = { ...demo, clock: '2026-03-01T09:00:00Z' }
const understudy = createUnderstudy({ fixture, seed: 7, profile: mageAi0979 })
export const status: 'completed' | 'failed' | 'cancelled' | 'running' | 'initial' | null | undefined =
  understudy.model.backfills.findFirst((q) => q.where({ id: 1 }))?.status
export const made: Promise<{ readonly uuid: string }> = understudy.factories.pipeline.with('withRuns').create({ name: 'mine' })
export const reply: UnderstudyReply | Promise<UnderstudyReply> | undefined = understudy.dispatch({ method: 'GET', url: '/api' })
const client = createClient('http://127.0.0.1:6789', { world: 'mine' })
export const both: readonly Controls[] = [understudy, client]
export const found: Promise<{ readonly name: string } | undefined> = client.model.pipelines.findFirst((q) => q.where({ uuid: 'mine' }))
// @ts-expect-error: an attribute that no pipeline has
void client.model.pipelines.findFirst((q) => q.where({ colour: 'red' }))
export const pattern: RequestPattern = { params: { backfill_id: 7 }, body: { backfill: { status: 'cancelled' } } }
export const names: readonly (keyof UnderstudyMatchers)[] = Object.keys(understudyMatchers) as (keyof typeof understudyMatchers)[]
// @ts-expect-error: a part that no request has
export const wrong: RequestPattern = { parameters: { backfill_id: 7 } }
// @ts-expect-error: a status that no backfill has
void understudy.factories.backfill.create({ status: 'paused' })
// @ts-expect-error: a trait that no pipeline has
understudy.factories.pipeline.with('withWings')
// @ts-expect-error: an operation that the API does not have
understudy.journal.entries({ operation: 'listProject' })
understudy.journal.entries({ operation: 'listProjects' })
export const countOf = (body: OperationReply<'listBackfills'> | ErrorEnvelope): number =>
  isErrorEnvelope(body) ? body.error.code : (body.backfills[0]?.total_run_count ?? body.metadata.count)
// @ts-expect-error: an attribute that the reply to a new block does not carry
export const key = (block: CreatedBlock): string => block.uuid
// @ts-expect-error: an assumption that has no switch
createUnderstudy({ assumptions: { 'not-found': 'another' } })
${samples('ts').find(({ text }) => text.includes('declare module'))?.text}`,
  )
  const flags = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--exactOptionalPropertyTypes',
  ]
  const { stdout } = await run(
    join(built, 'node_modules/.bin/tsc'),
    [
      '--ignoreConfig',
      ...flags,
      '--skipLibCheck',
      '--types',
      '',
      '--lib',
      'es2023,dom,dom.iterable',
      'consumer.ts',
    ],
    { cwd: folder },
  ).catch((error: { stdout: string; stderr: string }) => error)

  expect(stdout).toBe('')
})

itThoroughly('is clean to publint', async () => {
  const bytes = await readFile(tarball)
  const { messages, pkg } = await publint({
    level: 'suggestion',
    strict: true,
    pack: {
      tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
    },
  })

  expect(pkg.name).toBe('pipeline-understudy')
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

/** Accepted findings of are-the-types-wrong, each with the reason. */
const intended: Partial<Record<ProblemKind, string>> = {
  CJSResolvesToESM: 'The package is ESM only; a CommonJS project loads it by import().',
}

itThoroughly('is clean to are-the-types-wrong, but for being ESM only', async () => {
  // The entry points have the same form, and each costs a second; publint reads the paths of all.
  const some = ['.', './matchers/vitest']
  const result = await checkPackage(createPackageFromTarballData(await readFile(tarball)), {
    entrypoints: some,
  })
  if (result.types === false) throw new Error('The package has no types.')
  const problems = result.problems.filter(({ kind }) => intended[kind] === undefined)

  expect(Object.keys(result.entrypoints)).toEqual(some)
  expect(problems).toEqual([])
})
