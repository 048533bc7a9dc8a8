import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)
const main = join(root, 'dist/cli/main.js')
const env = { ...process.env, NO_COLOR: '1', CI: 'true' }

/** A project as its maker leaves it, with packages of this checkout. */
async function freshProject(manifest: object, packages: readonly string[]): Promise<string> {
  const folder = makeFolder()
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink(root, join(folder, 'node_modules/pipeline-understudy'))
  for (const name of ['msw', ...packages])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of ['vitest', 'tsc'])
    await symlink(join(root, 'node_modules/.bin', name), join(folder, 'node_modules/.bin', name))
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  return folder
}

async function init(folder: string, ...flags: string[]): Promise<string> {
  return (await run('node', [main, 'init', folder, ...flags], { env })).stdout
}

it('begins a project of Vite in TypeScript with a test that passes and files that compile', async () => {
  const folder = await freshProject(
    { private: true, type: 'module', devDependencies: { vite: '8', vitest: '4', typescript: '7' } },
    ['vite', 'vitest', 'typescript'],
  )
  await mkdir(join(folder, 'src'))
  const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, include: ['src'] }),
  )

  const output = await init(folder)

  expect(output).toContain('Found Vite, TypeScript, vitest, msw 2.')
  expect(output).toContain('wrote     src/mocks/browser.ts')
  expect(await readFile(join(folder, 'public/mockServiceWorker.js'), 'utf8')).toBe(
    await readFile(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8'),
  )
  const [tests, types] = await Promise.all([
    run('npm', ['run', 'mock:test'], { cwd: folder, env }),
    run('npx', ['tsc', '-p', '.'], { cwd: folder, env }),
  ])
  expect(tests.stdout).toMatch(/Tests +2 passed/)
  expect(types.stdout).toBe('')
})

it('creates a Node project with a passing test', async () => {
  const folder = await freshProject({ private: true }, [])

  await init(folder)

  const { stdout } = await run('npm', ['run', 'mock:test'], { cwd: folder, env })
  expect(stdout).toMatch(/^(?:#|ℹ) pass 2$/m)
  expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m)
})

it('leaves everything as it is when it is run again', async () => {
  const folder = await freshProject({ private: true }, [])
  await init(folder)
  const before = await readFile(join(folder, 'package.json'), 'utf8')

  const output = await init(folder)

  expect(output).toContain('unchanged mocks/pipelines.test.mjs')
  expect(output).not.toMatch(/\b(?:wrote|changed|left)\b/)
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe(before)
})

it('prints its changes without writing with --dry-run', async () => {
  const folder = await freshProject({ private: true }, [])

  const output = await init(folder, '--dry-run')

  expect(output).toContain('would write  mocks/pipelines.fixture.json')
  expect(output).toContain('would change package.json: the script mock, the script mock:test')
  expect(await readdir(folder)).toEqual(['node_modules', 'package.json'])
})
