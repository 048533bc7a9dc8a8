import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chooseRunner, commandLine, planStart } from '../src/cli/project/plan-start.ts'
import { readProject } from '../src/cli/project/project.ts'
import { writeFiles, writeManifest } from '../src/cli/project/write-start.ts'
import { makeFolder, makeFolderOf } from './support/temporary.ts'

async function planned(files: Readonly<Record<string, unknown>>) {
  const project = await readProject(makeFolderOf(files))
  const plan = planStart(project, chooseRunner(project))
  return {
    project,
    plan,
    files: Object.fromEntries(plan.files(project).map(({ path, text }) => [path, text])),
  }
}

it('sees what a project of Vite is made with', async () => {
  const { project } = await planned({
    'package.json': {
      dependencies: { react: '19' },
      devDependencies: { vite: '8', vitest: '4', jest: '30' },
    },
    'tsconfig.app.json': '{ /* Bundler mode */ "compilerOptions": { "module": "esnext" } }',
    'src/main.tsx': '',
    'pnpm-lock.yaml': '',
    'node_modules/msw/package.json': { version: '2.15.0' },
  })

  expect(project).toMatchObject({
    framework: { title: 'Vite' },
    runners: ['vitest', 'jest'],
    usesTypeScript: true,
    needsEndings: false,
    agent: 'pnpm',
    msw: '2.15.0',
    hasUnderstudy: false,
    sources: 'src',
  })
  expect(commandLine(project, 'add', ['-D', 'msw'])).toBe('pnpm add -D msw')
})

it('plans handlers, a page, a fixture with its schema and a test for Vite', async () => {
  const { plan, files } = await planned({
    'package.json': { devDependencies: { vite: '8', vitest: '4', typescript: '7' } },
    'src/main.ts': '',
    'node_modules/msw/package.json': { version: '2.15.0' },
    'node_modules/msw/lib/mockServiceWorker.js': 'the script of this version',
  })

  expect(plan.install).toEqual(['pipeline-understudy'])
  expect(Object.keys(files)).toEqual([
    'src/mocks/pipelines.fixture.json',
    'src/mocks/handlers.ts',
    'src/mocks/browser.ts',
    'public/mockServiceWorker.js',
    'src/mocks/pipelines.test.ts',
  ])
  expect(files['public/mockServiceWorker.js']).toBe('the script of this version')
  expect(JSON.parse(files['src/mocks/pipelines.fixture.json']!)).toMatchObject({
    $schema: '../../node_modules/pipeline-understudy/fixtures/fixture.schema.json',
  })
})

it.each([
  [
    'SvelteKit',
    { '@sveltejs/kit': '2', vite: '8' },
    ['src/hooks.server.js'],
    'in pages and on the server: add the plugin to vite.config',
  ],
  ['Nuxt', { nuxt: '4' }, ['server/api/[...path].js'], 'in pages and on the server: nuxt dev answers /api'],
  [
    'Angular',
    { '@angular/core': '20' },
    ['src/mocks/browser.js', 'public/mockServiceWorker.js'],
    'in the browser: let src/main.ts wait for the mock',
  ],
  [
    'Astro',
    { astro: '5', vite: '8' },
    [],
    "vite: { plugins: [understudy({ fixture: 'src/mocks/pipelines.fixture.json' })] }",
  ],
  [
    'React Router',
    { '@react-router/dev': '7', vite: '8' },
    [],
    "plugins: [understudy({ fixture: 'src/mocks/pipelines.fixture.json' }), reactRouter()]",
  ],
  ['Remix', { '@remix-run/react': '2' }, [], 'init does not know Remix: it writes no files for pages.'],
])('plans the pages of %s', async (_, dependencies, expected, step) => {
  const { plan, files } = await planned({
    'package.json': { dependencies },
    'src/main.js': '',
    'node_modules/msw/package.json': { version: '2.15.0' },
    'node_modules/msw/lib/mockServiceWorker.js': 'the script of this version',
  })

  const ofPages = Object.keys(files).filter((path) => !/pipelines\.|handlers/.test(path))
  expect(ofPages).toEqual(expected)
  expect(plan.next.join('\n')).toContain(step)
})

it.each([
  ['20.19.0', ['pipeline-understudy', 'msw@2', 'vitest@4']],
  ['24.1.0', ['pipeline-understudy', 'msw', 'vitest']],
])('installs versions that support Node %s', async (node, expected) => {
  const project = await readProject(makeFolderOf({ 'package.json': { dependencies: { vite: '7' } } }))

  expect(planStart(project, 'vitest', node).install).toEqual(expected)
})

it.each([
  ['pnpm add -w', { 'package.json': {}, 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': 'packages: []' }],
  ['yarn add -W', { 'package.json': { workspaces: ['packages/*'] }, 'yarn.lock': '# yarn lockfile v1' }],
  ['npm i', { 'package.json': { workspaces: ['packages/*'] }, 'package-lock.json': '{}' }],
])('adds packages to the root of a workspace: %s', async (command, files) => {
  const { project, plan } = await planned(files)

  expect(commandLine(project, 'add', ['-D', 'msw'])).toBe(`${command} -D msw`)
  expect(commandLine(project, 'run', ['mock'])).not.toContain('-w')
  expect(plan.next[0]).toMatch(/^this is the root of a workspace/)
})

it('installs msw only where a file imports it', async () => {
  const { plan, files } = await planned({ 'package.json': { devDependencies: { '@playwright/test': '1' } } })

  expect(plan.install).toEqual(['pipeline-understudy'])
  expect(Object.values(files).join('')).not.toMatch(/from 'msw/)
})

it('writes for the version of msw that is installed', async () => {
  const test = async (version: string) => {
    const { files } = await planned({
      'package.json': { devDependencies: { vitest: '4' } },
      'node_modules/msw/package.json': { version },
    })
    return files['mocks/pipelines.test.js']
  }

  expect(await test('2.0.0')).toContain("server.listen({ onUnhandledRequest: 'error' })")
  expect(await test('3.0.5')).toContain("server.listen({ onUnhandledFrame: 'error' })")
})

it.each([{}, { vite: '8' }])(
  'writes endings and attributes of imports where TypeScript resolves as Node does: %o',
  async (bundler) => {
    const { files } = await planned({
      'package.json': { devDependencies: { vitest: '4', typescript: '7', ...bundler } },
      'tsconfig.json': '{ "compilerOptions": { "module": "NodeNext" } }',
    })

    expect(files['mocks/handlers.ts']).toContain(
      `import fixture from './pipelines.fixture.json' with { type: 'json' }`,
    )
    expect(files['mocks/pipelines.test.ts']).toContain(`from './handlers.js'`)
  },
)

it('takes the runner of Node where a project has none, and vitest for Vite', async () => {
  const runnerOf = async (devDependencies: object) =>
    chooseRunner(await readProject(makeFolderOf({ 'package.json': { devDependencies } })))

  expect(await runnerOf({})).toBe('node')
  expect(await runnerOf({ vite: '8' })).toBe('vitest')
  expect(await runnerOf({ '@playwright/test': '1' })).toBe('playwright')
})

it.each([
  ['bytes that are no text', Buffer.from('{"name":"\xe9"}', 'latin1'), /it is not UTF-8/],
  ['a value of any depth', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /more than 200 levels deep/],
])('leaves a package.json with %s as it is', async (_, content, reason) => {
  const folder = makeFolder()
  await writeFile(join(folder, 'package.json'), content)

  await expect(readProject(folder)).rejects.toThrow(reason)
})

it('explains a folder without a package.json', async () => {
  const folder = makeFolderOf({})

  await expect(readProject(folder)).rejects.toThrow(
    `There is no package.json in ${folder}. Run \`npm init --yes\` there first, or name the folder of your project.`,
  )
})

it('leaves other files and scripts, and writes the missing ones', async () => {
  const { project, plan } = await planned({
    'package.json': { scripts: { mock: 'my-own' }, devDependencies: { vitest: '4' } },
    'mocks/handlers.js': 'export const handlers = []\n',
  })

  const outcomes = await writeFiles(project.folder, plan.files(project), false)
  const { added, left } = writeManifest(project, plan, false)

  expect(outcomes).toEqual([
    { path: 'mocks/pipelines.fixture.json', state: 'new' },
    { path: 'mocks/handlers.js', state: 'other' },
    { path: 'mocks/pipelines.test.js', state: 'new' },
  ])
  expect(await readFile(join(project.folder, 'mocks/handlers.js'), 'utf8')).toBe(
    'export const handlers = []\n',
  )
  expect({ added, left }).toEqual({ added: ['the script mock:test'], left: ['the script mock'] })
  expect((await readProject(project.folder)).manifest.scripts).toEqual({
    mock: 'my-own',
    'mock:test': 'vitest run mocks/pipelines.test.js',
  })
})

it('writes no file behind a symbolic link that leads out of the project', async () => {
  const outside = makeFolder()
  const folder = makeFolderOf({ 'package.json': { name: 'a', type: 'module' } })
  await symlink(outside, join(folder, 'mocks'))
  const project = await readProject(folder)
  const plan = planStart(project, chooseRunner(project))

  await expect(writeFiles(folder, plan.files(project), false)).rejects.toThrow(
    'a symbolic link leads out of the project',
  )
  expect(await readdir(outside)).toEqual([])
})
