// Judges Mage AI 0.9.79, an independent server of this API: installs it, starts it in both modes, verifies it against
// the baseline, records the exchanges, writes docs/real-server.md, stops it and cleans up. `npm run verify:real`
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { judge, verify } from '../dist/contract-tests/index.js'
import { toRecording } from '../dist/contract-tests/targets/recording.js'

const version = '0.9.79'
const baseline = `contract-tests/baselines/mage-ai-${version}.json`
// The key of that server's own frontend, and the user it creates for itself.
const signIn = {
  apiKey: 'zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2',
  email: 'admin@admin.com',
  password: 'admin',
}
const modes = [
  { mode: 'open', port: 6790, credentials: {} },
  { mode: 'login', port: 6791, credentials: signIn },
]
const venv = process.env.MAGE_VENV ?? join(process.cwd(), '.venv-mage')
const folder = mkdtempSync(join(tmpdir(), 'understudy-real-'))
const isRecording = process.argv.includes('--record')

function install() {
  try {
    execFileSync(join(venv, 'bin/mage'), ['--help'], { stdio: 'ignore' })
  } catch {
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' })
    // Newer pyarrow and pandas break its imports.
    const packages = [`mage-ai==${version}`, 'pyarrow<19', 'pandas<2.3']
    execFileSync(join(venv, 'bin/pip'), ['install', '--quiet', ...packages], { stdio: 'inherit' })
  }
}

async function start({ mode, port }) {
  const log = openSync(join(folder, `${mode}.log`), 'w')
  const env = {
    ...process.env,
    REQUIRE_USER_AUTHENTICATION: mode === 'login' ? '1' : '0',
    MAGE_DATA_DIR: join(folder, `data-${mode}`),
  }
  mkdirSync(env.MAGE_DATA_DIR, { recursive: true })
  const command = `ulimit -n 4096; exec "${join(venv, 'bin/mage')}" start demo-${mode} --host 127.0.0.1 --port ${port}`
  const server = spawn('bash', ['-c', command], {
    cwd: folder,
    env,
    stdio: ['ignore', log, log],
    detached: true,
  })
  for (let attempt = 0; attempt < 120; attempt++) {
    await wait(1_000)
    const isReady = await fetch(`http://127.0.0.1:${port}/api/status`, {
      signal: AbortSignal.timeout(2_000),
    }).then(
      () => true,
      () => false,
    )
    if (isReady) return server
  }
  throw new Error(`Mage AI was not ready within two minutes; see ${join(folder, `${mode}.log`)}.`)
}

function row({ rule, verdict, known }) {
  const what = known === undefined ? verdict.kind : 'deviates'
  const why = known ?? verdict.missing ?? verdict.flag ?? ''
  return `| \`${rule.id}\` | ${rule.section} | ${what} | ${why.replaceAll('|', '\\|')} |`
}

const pages = []
let exitCode = 0
install()
for (const target of modes) {
  const { mode, port, credentials } = target
  const server = await start(target)
  try {
    const url = `http://127.0.0.1:${port}`
    const options = { target: url, ...credentials, useConventions: true, baseline, timeout: 30_000 }
    const verified = await verify(options)
    exitCode ||= verified.exitCode
    const { findings, gone } = verified.report
    for (const rule of gone) console.log(`${mode}: the baseline is out of date: ${rule} holds now.`)
    for (const { rule, verdict, known } of findings) {
      if (verdict.kind === 'broken' && known === undefined)
        console.log(`${mode}: ${rule.id}: ${verdict.evidence.received}`)
    }
    const of = (kind) => findings.filter(({ verdict }) => verdict.kind === kind).length
    const summary = `${of('holds')} hold, ${of('broken')} deviate, ${of('not reached')} not reached, ${of('skipped')} skipped`
    console.log(`${mode}: ${summary}; exit code ${verified.exitCode}`)
    pages.push(
      `## ${mode === 'open' ? 'Without authentication' : 'With authentication'}\n\n${summary}.\n\n| rule | section | verdict | why |\n|---|---|---|---|\n${findings.map(row).join('\n')}\n`,
    )
    if (isRecording) {
      const prefix = `recorded${mode}`
      const exchanges = []
      await judge({
        ...options,
        prefix,
        onExchange: (exchange) => exchanges.push(exchange),
      })
      const recording = toRecording(`Mage AI ${version}, ${mode}`, prefix, exchanges, [signIn.apiKey])
      mkdirSync(`fixtures/recorded/mage-ai-${version}`, { recursive: true })
      writeFileSync(
        `fixtures/recorded/mage-ai-${version}/${mode}.json`,
        `${JSON.stringify(recording, null, 1)}\n`,
      )
    }
  } finally {
    // The server has children; its group goes with it.
    process.kill(-server.pid, 'SIGTERM')
    await wait(1_000)
    try {
      process.kill(-server.pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}
if (isRecording) {
  writeFileSync(
    'docs/real-server.md',
    `# A real server, judged\n\nMage AI ${version}, an independent server of this API, judged by \`npm run verify:real\` (generated; do not edit). Known\ndeviations, with their reasons, are in \`${baseline}\`.\n\n${pages.join('\n')}`,
  )
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = exitCode
