// The signals, pipes and exit codes of the built command. The rest of it runs in this process: `runCommand` and `runServe`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, it as itInParts, onTestFinished } from 'vitest'
import { firstOf, wholly } from './support/depth.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

const it = wholly(itInParts)

type Env = Readonly<Record<string, string | undefined>>

/** Starts the built command; its output goes to a pipe, or to an open file. */
function command(args: readonly string[], env: Env = {}, output: number | 'pipe' = 'pipe') {
  const { REQUIRE_USER_AUTHENTICATION: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
    env: { ...inherited, ...env },
    stdio: ['pipe', output, 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const text = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    text.out += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    text.err += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...text }))
  return { child, text, ended }
}

const until = (holds: () => unknown) => expect.poll(holds, { timeout: 20_000, interval: 20 })

/** Returns the status of a reply, or undefined while nothing answers. */
const statusAt = (url: string) =>
  fetch(`${url}/api/pipelines`).then(
    ({ status }) => status,
    () => undefined,
  )

/** Starts a server and waits until it answers. */
async function serve(flags: readonly string[], env?: Env, output?: number) {
  const port = await freePort()
  const started = command(['serve', '--port', String(port), ...flags], env, output)
  const url = `http://127.0.0.1:${port}`
  await until(() => statusAt(url)).toBe(200)
  return { ...started, url }
}

it('prints nothing with --quiet', async () => {
  const { url, text } = await serve(['--quiet', '--fixture', 'empty'])
  await fetch(`${url}/api/nothing`)
  await wait(100)

  expect(text).toEqual({ out: '', err: '' })
})

it('exits with 1 for wrong arguments, and with 0 for --help', async () => {
  const [wrong, help] = await Promise.all([
    command(['serve', '--prot', '1']).ended,
    command(['serve', '--help']).ended,
  ])

  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.err).toMatch(/^error: unknown option '--prot'\n/)
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toMatch(/^Usage: pipeline-understudy serve /)
})

itInParts.each(firstOf(2, ['SIGTERM', 'the end of its input', 'SIGINT'] as const))(
  'exits at once with 0 on %s, with connections open and a reply waiting',
  async (sign) => {
    const fault = join(makeFolder(), 'faults.json')
    await writeFile(fault, '[{ "operation": "listBackfills", "latency": 30000 }]')
    const { url, child, ended } = await serve(['--fault', fault, '--until-stdin-ends'])
    const request = get(`${url}/api/backfills`, { agent: false })
    request.on('error', () => {})
    await once(request, 'socket')
    await wait(100)
    const start = Date.now()
    if (sign === 'the end of its input') child.stdin?.end()
    else child.kill(sign)
    const { code, err } = await ended

    expect({ code, err }).toEqual({ code: 0, err: '' })
    // Long before the reply would come.
    expect(Date.now() - start).toBeLessThan(15_000)
  },
)

it.runIf(process.platform === 'linux')('continues when the disk of its log is full', async () => {
  const full = openSync('/dev/full', 'w')
  const { url, text } = await serve([], {}, full)
  closeSync(full)

  expect(await statusAt(url)).toBe(200)
  expect(text.err).toMatch(/^The log drops lines: ENOSPC.* The server continues\.\n$/)
})

it('continues when its log has no reader', async () => {
  const { child, url, text } = await serve(['--json'])
  child.stdout?.destroy()
  expect(await statusAt(url)).toBe(200)

  await until(() => text.err).toMatch(/^The log drops lines: .*EPIPE.* The server continues\.\n$/)
  expect(await statusAt(url)).toBe(200)
})

it('limits the log that waits for its reader, and counts the lines that it drops', async () => {
  const { child, url, text } = await serve(['--json'])
  child.stdout?.pause()
  const query = 'x'.repeat(15_000)
  for (let sent = 0; sent < 160; sent += 16) {
    await Promise.all(Array.from({ length: 16 }, () => fetch(`${url}/api/pipelines?${query}`)))
  }
  await until(() => text.err).not.toBe('')
  child.stdout?.resume()
  await wait(300)
  await statusAt(url)
  await until(() => text.out).toContain('"dropped"')

  const [, dropped] = /\{"dropped":(\d+)\}/.exec(text.out) ?? []
  const written = text.out.split('\n').filter((line) => line.includes(query)).length
  expect(written + Number(dropped)).toBe(160)
})

it('reports a version of Node that is too old', async () => {
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const start = pathToFileURL(join(root, 'dist/cli/main.js')).href
  const code = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' }); await import('${start}')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const [exitCode] = await once(child, 'close')

  const least = engines.node.replace('>=', '')
  expect(printed).toBe(
    `pipeline-understudy needs Node ${least} or newer; this is Node 20.18.3. Install a newer version from https://nodejs.org.\n`,
  )
  expect(exitCode).toBe(1)
})
