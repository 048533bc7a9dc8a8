// Verifies Mage AI 0.9.79, an independent server of this API, against the baseline: installs and starts it in
// both modes, verifies it fresh, used, and with destructive probes, and writes docs/real-server.md.
// `npm run verify:real`
// --mode open|login   one mode only, without the page
// --update            updates the baseline; write the missing reasons into it afterwards
// --record            records the exchanges for the tests
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkTarget, verify } from '../dist/contract-tests/index.js'
import { importTypeScript } from '../lab/lib/typescript.mjs'
import { withParts } from './lib/markdown.mjs'
import { onRealServers, signIn, version } from './lib/real-server.mjs'
import { realServerParts } from './lib/real-server-page.mjs'

const baseline = `contract-tests/baselines/mage-ai-${version}.json`
const limits = `contract-tests/baselines/mage-ai-${version}.limits.json`
const { values } = parseArgs({
  options: {
    mode: { type: 'string' },
    update: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

/** Each run is on the server of the previous one. The last may damage it. */
const runs = [
  { name: 'fresh', useConventions: true, allowDestructive: false },
  { name: 'used', useConventions: true, allowDestructive: false },
  { name: 'used, without --use-conventions', useConventions: false, allowDestructive: false },
  { name: 'used, with --allow-destructive', useConventions: true, allowDestructive: true },
]

/** The deviations of a failed rule. */
const deviationsOf = (verdict) => (verdict.kind === 'failed' ? [verdict.evidence, ...verdict.further] : [])

async function verifyOnce(mode, { name, ...flags }, options) {
  const { report, exitCode } = await verify({
    ...options,
    ...flags,
    baseline,
    updateBaseline: values.update,
  })
  const { findings, gone, harm, leftBehind } = report
  const of = (kind) => findings.filter(({ verdict }) => verdict.kind === kind).length
  const summary = `${of('passed')} passed, ${of('failed')} failed, ${of('flaky')} flaky, ${of('blocked')} blocked, ${of('skipped')} skipped; ${report.requests} requests, ${leftBehind.length} records left behind`
  console.log(`${mode}, ${name}: ${summary}; exit code ${exitCode}`)
  for (const rule of gone) console.log(`  the baseline is out of date: ${rule} passes now.`)
  for (const { rule, verdict } of findings)
    for (const { known, received, request } of deviationsOf(verdict))
      if (known === undefined) console.log(`  ${rule.id}: ${received} (${request})`)
  for (const line of [...harm, ...leftBehind].slice(0, 5)) console.log(`  ${line}`)
  // Only destructive probes may damage the server. Tokens of sessions remain until they expire, and
  // without the conventions pipelines remain.
  const { allowDestructive, useConventions } = flags
  const mayStay = leftBehind.filter(
    (path) => path === '/api/oauth_access_tokens' || (!useConventions && path.startsWith('/api/pipelines/')),
  )
  const isHarmless = allowDestructive || (harm.length === 0 && leftBehind.length === mayStay.length)
  if (exitCode === 1 || gone.length > 0 || !isHarmless) process.exitCode = 1
  return { mode, name, summary, findings, harm, leftBehind }
}

async function record(mode, options) {
  const prefix = `recorded${mode}`
  const exchanges = []
  await checkTarget({
    ...options,
    prefix,
    // One after the other, so that two recordings differ only if the server does.
    sequences: 0,
    concurrency: 1,
    // The runs confirm findings, so the recording does not.
    confirm: false,
    onExchange: (exchange) => exchanges.push(exchange),
  })
  const recording = toRecording(`Mage AI ${version}, ${mode}`, prefix, exchanges, [signIn.apiKey])
  const file = `fixtures/recorded/mage-ai-${version}/${mode}.json`
  writeFileSync(file, `${JSON.stringify(recording, null, 1)}\n`)
}

/** The example app before it, by the tests that it has on the understudy. */
function tryFrontend(url) {
  const { apiKey, email, password } = signIn
  const env = {
    ...process.env,
    REAL_SERVER: url,
    REAL_API_KEY: apiKey,
    REAL_EMAIL: email,
    REAL_PASSWORD: password,
  }
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'real'], { env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

const { toRecording } = await importTypeScript('lab/real-server/recording.ts')
const verified = []
await onRealServers(values.mode, async ({ target, mode, credentials }) => {
  // It handles one request after the other.
  const options = { target, ...credentials, useConventions: true, concurrency: 1, timeout: 120_000 }
  for (const run of runs) {
    // The last run may damage the server, so use it before.
    if (run.allowDestructive && mode === 'login') tryFrontend(target)
    // Before the run whose pipelines remain, which would be in every list.
    if (!run.useConventions && values.record) await record(mode, options)
    verified.push(await verifyOnce(mode, run, options))
  }
})
if (values.mode === undefined) {
  const stated = JSON.parse(readFileSync(limits, 'utf8')).limits
  const page = readFileSync('docs/real-server.md', 'utf8')
  const parts = realServerParts(verified, stated)
  writeFileSync('docs/real-server.md', withParts(page, 'npm run verify:real', parts))
}
