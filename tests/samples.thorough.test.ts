import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { samples } from './support/documents.ts'
import { root } from './support/root.ts'
import { serveBuilt } from './support/serve-built.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)

const serve = async (...flags: string[]) => (await serveBuilt(flags)).url

/** Runs lines of a shell against a server instead of the one they name, and gives what they print. */
async function paste(script: string, listening: string): Promise<string> {
  const folder = makeFolder()
  await writeFile(join(folder, 'sample.sh'), script.replaceAll('http://127.0.0.1:6789', listening))
  return (await run('bash', ['-e', join(folder, 'sample.sh')])).stdout
}

it('shows vitest samples that pass when pasted', async () => {
  const folder = makeFolder(onTestFinished, join(root, 'tests'))
  const tests = samples('ts').filter(({ text }) =>
    /from '(?:pipeline-understudy\/)?vitest'|describeContract/.test(text),
  )
  for (const [index, { path, text }] of tests.entries())
    await writeFile(join(folder, `${index}-${path.replaceAll(/\W/g, '-')}.test.ts`), text)
  await writeFile(
    join(folder, 'vitest.config.js'),
    'export default { test: { isolate: false, maxWorkers: 2, include: ["*.test.ts"] } }',
  )

  const { stdout } = await run(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--root', folder, '--reporter', 'json'],
    { env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 1 << 26 },
  ).catch((failed: { stdout: string }) => failed)
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    numPassedTests: number
    testResults: { name: string; message: string; assertionResults: { failureMessages: string[] }[] }[]
  }
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) =>
    [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)]
      .filter((text) => text !== '')
      .map((text) => `${name}: ${text}`),
  )

  expect(failures).toEqual([])
  expect(tests.length).toBeGreaterThan(20)
  // The tests of the samples' own, and the rules of the contract that can be reached without a sign-in.
  expect(report.numPassedTests).toBeGreaterThan(200)
})

it('shows a tour with curl that ends with a completed run and its log', async () => {
  const example = samples('sh').find(({ text }) => text.includes('post pipelines '))!

  const stdout = await paste(example.text, await serve('--fixture', 'empty'))
  const replies = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)
  const codes = replies.map((reply) => (reply.error as { code: number } | undefined)?.code ?? 200)

  expect(codes).toEqual([200, 200, 200, 400, 200, 200, 200, 200, 200, 200, 200])
  expect(replies[8]).toMatchObject({ pipeline_run: { status: 'running', event_variables: { from: 'curl' } } })
  expect(replies[9]).toMatchObject({ pipeline_runs: [{ status: 'completed' }] })
  expect(replies[10]).toMatchObject({
    logs: [{ total_pipeline_run_log_count: 1, total_block_run_log_count: 1 }],
  })
})

it('shows lines with curl that sign in, and use the token in both of its forms', async () => {
  const signIn = samples('sh').find(({ text }) => text.includes('decoded='))!

  const replies = (await paste(signIn.text, await serve('--auth', 'login'))).trim().split('\n')

  expect(replies.map((line) => Object.keys(JSON.parse(line) as object)[0])).toEqual([
    'pipelines',
    'pipelines',
  ])
})

it('shows curl commands for existing routes of the admin API', async () => {
  const admin = samples('sh').find(({ text }) => text.startsWith('admin='))!

  const stdout = await paste(admin.text, await serve())

  expect(stdout).toContain('"status":"failed"')
  expect(stdout).toContain('"now":')
  expect(stdout).not.toContain('"title"')
})

it('shows curl commands that isolate a tester and list her requests', async () => {
  const alice = samples('sh').find(({ text }) => text.includes('~alice'))!

  const stdout = await paste(alice.text, await serve('--fixture', 'demo', '--auth', 'key'))

  expect(stdout).toContain('{"backfill":{"id":1,')
  expect(stdout).toContain('"operation":"deleteBackfill"')
  expect(stdout).not.toContain('"title"')
})

it('shows a browser sample that bundles', async () => {
  const sample = samples('ts').find(({ text }) => text.includes("from 'msw/browser'"))!
  const bundle = await build({
    stdin: { contents: sample.text, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
    // Resolves the exports of the package to its sources, without a build.
    alias: {
      'pipeline-understudy': join(root, 'src/index.ts'),
      'pipeline-understudy/fixtures': join(root, 'src/fixtures/index.ts'),
      'pipeline-understudy/msw': join(root, 'src/handlers/index.ts'),
    },
  })

  expect(bundle.errors).toEqual([])
})
