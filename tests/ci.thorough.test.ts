import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { samples } from './support/documents.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'
import { action, runAction } from './support/run-action.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)
const shown = samples('yaml').filter(({ path }) => path === 'docs/ci.md')

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { uses?: string; with?: Record<string, string> }[] }>
  >
}

it('shows workflows that give the action what it takes, and let it run', async () => {
  const steps = shown
    .filter(({ text }) => text.includes('runs-on'))
    .flatMap(({ text }) => Object.values((parse(text) as Workflow).jobs))
    .flatMap((job) => job.steps.filter(({ uses }) => uses?.startsWith('./')))
  const [served, verified, ...others] = steps.map((step) => step.with!)

  expect(steps.map(({ uses }) => uses)).toEqual(Array(2).fill('./node_modules/pipeline-understudy'))
  expect(steps.flatMap((step) => Object.keys(step.with!)).filter((name) => !(name in action.inputs))).toEqual(
    [],
  )
  expect(others).toEqual([])
  const { code, outputs } = await runAction({ ...served, port: '0' })
  expect(code).toBe(0)
  const outcome = await runAction({
    ...verified,
    url: outputs.url!,
    'api-key': 'demo-api-key',
    email: '',
    password: '',
    flags: verified!.flags!.replace('--baseline=contract-baseline.json', '--sequences=0\n--only=backfill-*'),
  })
  expect(outcome.code).toBe(0)
}, 60_000)

/** The required members of an issue in a Code Quality report of GitLab. */
const codeQuality = z.array(
  z.strictObject({
    description: z.string().min(1),
    check_name: z.string().min(1),
    fingerprint: z.string().min(1),
    severity: z.enum(['info', 'minor', 'major', 'critical', 'blocker']),
    location: z.strictObject({
      path: z.string().regex(/^[^./]/),
      lines: z.strictObject({ begin: z.int().min(1) }),
    }),
  }),
)

it('shows a GitLab job that writes its reports to the declared paths', async () => {
  const cwd = makeFolder()
  const sample = shown.find(({ text }) => text.startsWith('contract:'))!
  const { contract } = parse(sample.text) as {
    contract: { script: string[]; artifacts: { reports: { junit: string; codequality: string } } }
  }
  const [install, verify, ...others] = contract.script
  const { outputs } = await runAction({
    command: 'serve',
    port: '0',
    flags: '--auth=key\n--broken=delete-returns-nothing',
  })
  const command = verify!.replace('npx pipeline-understudy', `node ${join(root, 'dist/cli/main.js')}`)
  await writeFile(join(cwd, 'job.sh'), `${command} --sequences 0 --only 'delete-backfill/*'`)
  const env = { ...process.env, STAGING_URL: outputs.url, UNDERSTUDY_API_KEY: 'demo-api-key' }
  const failed = run('bash', ['job.sh'], { cwd, env })
  await expect(failed).rejects.toMatchObject({ code: 1 })
  const { junit, codequality } = contract.artifacts.reports
  const issues = codeQuality.parse(JSON.parse(await readFile(join(cwd, codequality), 'utf8')))

  expect([install, others]).toEqual(['npm ci', []])
  expect(issues.map(({ check_name }) => check_name)).toContain('delete-backfill/envelope')
  expect(await readFile(join(cwd, junit), 'utf8')).toContain('<failure message=')
}, 60_000)

it('shows a job for GitLab that starts a server and waits for it', async () => {
  const cwd = makeFolder()
  const sample = shown.find(({ text }) => text.startsWith('end-to-end:'))!
  const { script } = (parse(sample.text) as { 'end-to-end': { script: string[] } })['end-to-end']
  const [install, ...lines] = script
  const port = await freePort()
  const commands = lines
    .slice(0, -1)
    .join('\n')
    .replace('npx pipeline-understudy serve', `node ${join(root, 'dist/cli/main.js')} serve --port ${port}`)
    .replace('6789', String(port))
  // The job ends its own processes; so does this.
  await writeFile(join(cwd, 'job.sh'), `trap 'kill $!' EXIT\n${commands}`)
  const { stdout } = await run('bash', ['-e', 'job.sh'], { cwd })

  expect([install, lines.at(-1)]).toEqual(['npm ci', 'npm test'])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ok' })
})
