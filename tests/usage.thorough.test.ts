import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { readUsage } from '../contract-tests/traffic/usage.ts'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)
const page = await readFile(join(root, 'docs/verify-for-consumers.md'), 'utf8')

/** The block of code in the documentation that contains a text. */
function sample(text: string): string {
  const code = [...page.matchAll(/^```[jt]s\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  return code.find((block) => block.includes(text)) ?? ''
}

const vitest = (name: string, paths: readonly string[]) => `
  import { test } from 'pipeline-understudy/vitest'
  test('${name}', async ({ understudy }) => {
    for (const path of ${JSON.stringify(paths)}) await fetch('http://localhost' + path)
    await understudy.world('other').fetch('http://localhost/api/pipelines/${name}')
  })`
const playwright = (name: string, paths: readonly string[]) => `
  import { test as base } from '@playwright/test'
  import { understudyFixtures } from 'pipeline-understudy/playwright'
  const test = base.extend(understudyFixtures())
  test('${name}', async ({ understudy }) => {
    for (const path of ${JSON.stringify(paths)}) await understudy.fetch('http://localhost' + path)
    await understudy.world('other').fetch('http://localhost/api/pipelines/${name}')
  })`

it.each([
  ['vitest', ['vitest/vitest.mjs', 'run'], 'vitest.config.js', sample('test: { globalSetup'), vitest],
  [
    'Playwright',
    ['@playwright/test/cli.js', 'test', '--workers', '2'],
    'playwright.config.js',
    sample("from '@playwright/test'"),
    playwright,
  ],
] as const)(
  'collects the usage of all tests of a run: %s',
  async (_, [command, ...args], config, text, write) => {
    // Within the package, which its tests import by its name.
    const folder = makeFolder(onTestFinished, join(root, 'tests'))
    await mkdir(join(folder, 'tests'))
    await Promise.all([
      writeFile(join(folder, 'package.json'), '{ "type": "module" }'),
      writeFile(join(folder, config), text),
      writeFile(join(folder, 'usage-setup.js'), sample('collectUsage')),
      writeFile(join(folder, 'tests/one.test.js'), write('one', ['/api/backfills?_limit=5', '/api/other'])),
      writeFile(join(folder, 'tests/two.test.js'), write('two', ['/api/backfills?pipeline_uuid=x'])),
    ])
    const env = { PATH: process.env.PATH, TMPDIR: folder }
    await run('node', [join(root, 'node_modules', command), ...args], { cwd: folder, env })

    expect(await readUsage([join(folder, 'web-app.json')])).toEqual({
      listBackfills: {
        requests: 2,
        parameters: ['_limit', 'pipeline_uuid'],
        sent: [],
        received: [],
        errors: [],
      },
      readPipeline: { requests: 2, parameters: [], sent: [], received: [], errors: [404] },
    })
  },
)
