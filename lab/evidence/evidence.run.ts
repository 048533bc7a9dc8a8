import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { checkTarget } from '../../contract-tests/runner/check-target.ts'
import { answering } from '../../contract-tests/targets/answering.ts'
import { builtIn, createTarget } from '../../contract-tests/targets/built-in.ts'
import { parseBaseline } from '../../contract-tests/verify/baseline.ts'
// @ts-expect-error Scripts have no types.
import { withParts } from '../../scripts/lib/markdown.mjs'
import { mageAi0979 } from '../../src/profiles/index.ts'
import { version } from '../../src/shared/version.ts'
import { verifyTarget } from '../mutants/verify-mutant.ts'
import { type Evidence, evidenceParts } from './page.ts'
import { compareWithSchemathesis, schemathesisVersion } from './schemathesis.ts'

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '115' },
    combinations: { type: 'string', default: '48' },
    compared: { type: 'string', default: '23' },
  },
})

/** Runs the kill matrix and returns its result. */
function killMatrix(...args: string[]): Pick<Evidence, 'kinds' | 'conforming'> {
  const file = join(tmpdir(), `evidence-${process.pid}.json`)
  const command = ['lab/kill-matrix.mjs', '--seed', flags.seed, '--json', file, ...args]
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] })
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  return JSON.parse(text)
}

/** Verifies a server with the specification as its only source. */
async function verifyIndependent(command: string, file: string, auth: string, signIn: object) {
  const child = spawn(command, [`contract-tests/tests/servers/${file}`, '--auth', auth], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await once(createInterface(child.stdout), 'line')
  const apiKey = auth === 'open' ? undefined : `${file.split(/\W|_/)[0]}-key`
  const needs = { otherToken: undefined, expiredToken: undefined }
  const result = await verifyTarget(`http://127.0.0.1:${port}`, { ...needs, ...signIn, apiKey })
  child.stdin.end()
  await once(child, 'exit')
  return {
    name: `${file}, ${auth}`,
    findings: [...result.specified, ...result.flaky, ...(result.reason ? [result.reason] : [])],
  }
}

async function verifyOthers() {
  const mock = async (auth: 'login' | 'open') => {
    const { rules, flaky } = await verifyTarget(answering(createTarget({ auth })))
    return { name: `the mock, ${auth}`, findings: [...rules, ...flaky] }
  }
  const results = [await mock('login'), await mock('open')]
  for (const auth of ['login', 'key', 'open']) {
    const ada = { email: 'ada@example.com', password: 'lovelace' }
    const grace = { email: 'grace@example.com', password: 'hopper' }
    results.push(await verifyIndependent('python3', 'sqlite_server.py', auth, ada))
    results.push(await verifyIndependent(process.execPath, 'event-log-server.mjs', auth, grace))
  }
  return results
}

/** Compares the verdicts about the profile with the baseline of the real server, by section. */
async function compareProfile(): Promise<Evidence['agreement']> {
  const path = 'contract-tests/baselines/mage-ai-0.9.79.json'
  const { deviations } = parseBaseline(readFileSync(path, 'utf8'), path)
  const known = new Map(
    deviations
      .filter(({ modes = ['login'] }) => modes.includes('login'))
      .flatMap((entry) => entry.rules.map((rule) => [rule, entry])),
  )
  const target = answering(createTarget({ profile: mageAi0979, auth: 'login' }))
  const { findings } = await checkTarget({
    ...builtIn,
    allowDestructive: false,
    sequences: 2,
    shrink: false,
    target,
  })
  const bySection = new Map<string, { same: number; different: string[] }>()
  for (const { rule, verdict } of findings) {
    if (verdict.kind !== 'passed' && verdict.kind !== 'failed') continue
    const entry = known.get(rule.id)
    const isSame = entry?.sometimes || (verdict.kind === 'failed') === (entry !== undefined)
    const counts = bySection.get(rule.section) ?? { same: 0, different: [] }
    bySection.set(rule.section, counts)
    if (isSame) counts.same++
    else counts.different.push(rule.id)
  }
  return [...bySection].map(([section, counts]) => ({ section, ...counts }))
}

const installed = await schemathesisVersion()
const { kinds } = killMatrix('--sample', flags.sample, '--bail')
const { conforming } = killMatrix('--conforming', '--combinations', flags.combinations)
const parts = evidenceParts({
  date: new Date().toISOString().slice(0, 10),
  seed: Number(flags.seed),
  versions: [
    `pipeline-understudy ${version}`,
    `Node ${process.versions.node}`,
    ...(installed ? [installed] : []),
  ],
  kinds,
  conforming,
  independent: await verifyOthers(),
  agreement: await compareProfile(),
  compared: installed
    ? await compareWithSchemathesis(Number(flags.seed), Number(flags.compared), kinds)
    : undefined,
})
const page = readFileSync('docs/evidence.md', 'utf8')
writeFileSync('docs/evidence.md', withParts(page, 'npm run evidence', parts))
