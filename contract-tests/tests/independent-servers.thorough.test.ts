import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { affectsExitCode, newDeviations, type Report } from '../reports/report.ts'
import { verify } from '../verify/index.ts'
import type { WhenOver } from './listen.ts'
import { folder } from './run-verify.ts'

/** A server that was written from the specification alone, without knowledge of the mock. */
interface IndependentServer {
  readonly command: string
  readonly file: string
  readonly apiKey: string
  /** The user of the verifier, and that of another client. */
  readonly user: { readonly email: string; readonly password: string }
  readonly other: { readonly email: string; readonly password: string }
}

const sqlite: IndependentServer = {
  command: 'python3',
  file: 'sqlite_server.py',
  apiKey: 'sqlite-key',
  user: { email: 'ada@example.com', password: 'lovelace' },
  other: { email: 'alan@example.com', password: 'turing' },
}
const eventLog: IndependentServer = {
  command: process.execPath,
  file: 'event-log-server.mjs',
  apiKey: 'event-key',
  user: { email: 'grace@example.com', password: 'hopper' },
  other: { email: 'barbara@example.com', password: 'liskov' },
}

/** The others are verified by `npm run evidence`. */
it.concurrent.for([
  ['event log, login', eventLog, 'login'],
  ['SQLite, key', sqlite, 'key'],
] as const)(
  'finds no violation in a server written from the specification alone: %s',
  { timeout: 600_000 },
  async (row, context) => {
    const [, { command, file, apiKey, user, other }, auth] = row
    if (!isInstalled(command)) context.skip(`${command} is not installed: ${file} was not checked.`)
    const { onTestFinished } = context
    const target = await start(command, join(import.meta.dirname, 'servers', file), auth, onTestFinished)
    const options = { target, apiKey, ...user, temporary: await folder(onTestFinished) }

    // The verification below plays the same generated sequences, and sends almost all other requests too.
    if (auth === 'login')
      expect(accused(await verify({ ...options, sequences: 0 }))).toEqual({ exitCode: 0, findings: [] })

    const stop = writeMeanwhile(target, apiKey, other)
    const again = await verify({ ...options, useConventions: true, allowDestructive: true })
    await stop()

    expect(accused(again)).toEqual({ exitCode: 0, findings: [] })
  },
)

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts a server that prints its port, and ends it after the test. */
async function start(command: string, file: string, auth: string, whenOver: WhenOver): Promise<string> {
  const child: ChildProcess = spawn(command, [file, '--auth', auth], { stdio: ['pipe', 'pipe', 'inherit'] })
  whenOver(async () => {
    child.stdin?.end()
    if (child.exitCode === null) await once(child, 'exit')
  })
  if (child.stdout === null) throw new Error(`${command} has no standard output.`)
  const [port] = await once(createInterface(child.stdout), 'line')
  return `http://127.0.0.1:${port}`
}

/** The findings that affect the exit code, in short. */
function accused({ report, exitCode }: { readonly report: Report; readonly exitCode: number }) {
  const findings = newDeviations(report.findings)
    .filter((finding) => affectsExitCode(finding, report))
    .map(({ rule, evidence }) => ({ rule: rule.id, ...evidence }))
  return { exitCode, findings }
}

/** Creates, changes and deletes records of its own until it is stopped, one request after the other. */
function writeMeanwhile(
  target: string,
  apiKey: string,
  user: IndependentServer['user'],
): () => Promise<void> {
  let isOver = false
  const writing = (async () => {
    let cookie = ''
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, cookie }
      const reply = await fetch(`${target}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return JSON.parse(await reply.text())
    }
    const { session, token } = await send('POST', '/api/sessions', { session: user })
    cookie = `oauth_token=${token ?? session.token}`
    for (let number = 1; !isOver; number++) {
      const name = `other client ${number}`
      const { pipeline } = await send('POST', '/api/pipelines', { pipeline: { name, type: 'python' } })
      const home = `/api/pipelines/${pipeline?.uuid}`
      await send('POST', `${home}/blocks`, { block: { name: 'load', type: 'data_loader' } })
      const { backfill } = await send('POST', `${home}/backfills`, { backfill: { name } })
      await send('PUT', `${home}/backfills/${backfill?.id}`, { backfill: { interval_units: number } })
      await wait(20)
      if (number % 2 === 0) await send('DELETE', `/api/backfills/${backfill?.id}`)
    }
  })()
  return async () => {
    isOver = true
    await writing
  }
}
