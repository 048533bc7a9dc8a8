import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { adminRoutes } from '../src/admin/index.ts'
import { assumptions, createUnderstudy, type Fixture } from '../src/index.ts'
import { errorCodes } from '../src/wire/errors.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const readme = await readFile(join(root, 'README.md'), 'utf8')

/** The fenced samples of a language, in order. */
function samples(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1]!,
  )
}

it('shows vitest samples that pass when pasted', async () => {
  const folder = await mkdtemp(join(root, 'tests', '.samples-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tests = samples('ts').filter((sample) => /from 'vitest'|describeContract/.test(sample))
  for (const [index, sample] of tests.entries())
    await writeFile(join(folder, `sample-${index}.test.ts`), sample)
  await writeFile(join(folder, 'vitest.config.js'), 'export default { test: { include: ["*.test.ts"] } }')

  const { stdout } = await run(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--root', folder, '--reporter', 'json'],
    { env: { ...process.env, NO_COLOR: '1' } },
  )
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<
    'numFailedTests' | 'numPassedTests',
    number
  >

  expect(tests.length).toBe(9)
  // Eight tests of the samples' own, and the rules of the contract that can be reached without a sign-in.
  expect(report.numPassedTests).toBeGreaterThan(200)
  expect(report.numFailedTests).toBe(0)
})

it('shows a browser sample that bundles', async () => {
  const { build } = await import('esbuild')
  const sample = samples('ts').find((text) => text.includes("from 'msw/browser'"))!
  const bundle = await build({
    stdin: { contents: sample, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  })

  expect(bundle.errors).toEqual([])
})

it('shows a fixture that loads', () => {
  const fixture = JSON.parse(samples('json')[0]!) as Fixture
  const understudy = createUnderstudy({ fixture })

  expect(understudy.model.backfills.findFirst()?.created_at).toBe('2026-02-27 09:00:00.000000+00:00')
})

it('shows a tour with curl that ends with a completed run and its log', async () => {
  const server = spawn('node', ['dist/cli/main.js', 'serve', '--fixture', 'empty', '--port', '0', '--json'], {
    cwd: root,
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [first] = (await once(server.stdout, 'data')) as [Buffer]
  const { listening } = JSON.parse(first.toString().split('\n')[0]!) as { listening: string }
  const tour = samples('sh').find((sample) => sample.startsWith('api='))!
  const script = tour.replace('http://127.0.0.1:6789', listening)
  const folder = await mkdtemp(join(tmpdir(), 'understudy-tour-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'tour.sh'), script)

  const { stdout } = await run('bash', [join(folder, 'tour.sh')])
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

it('lists every error type with its code', () => {
  const rows = [...readme.matchAll(/^\| (\d{3}) \| `([a-z_]+)` \|/gm)].map(([, code, type]) => [
    type,
    Number(code),
  ])

  expect(Object.fromEntries(rows)).toEqual(errorCodes)
})

it('lists every assumption', () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` \| [A-Z]/gm)].map(([, id]) => id)

  expect(listed).toEqual(Object.keys(assumptions))
})

it('lists every route of the admin API', () => {
  const rows = [...readme.matchAll(/^\| `(\/[a-z.:/]+)` \| ((?:[A-Z]+(?:, )?)+) \|/gm)]
  const listed = rows.flatMap(([, path, methods]) =>
    methods!.split(', ').map((method) => `${method} ${path}`),
  )

  expect(listed.sort()).toEqual(
    adminRoutes.map(({ method, path }) => `${method} ${path.replace(/^\/worlds\/:world(?=\/)/, '')}`).sort(),
  )
})
