// Processes of a script: whatever it starts ends with it, however it ends.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The path of the command, or of another build in UNDERSTUDY_CLI. */
export const cli = process.env.UNDERSTUDY_CLI ?? join(root, 'dist/cli/main.js')

const children = new Set()
const folders = new Set()

process.once('exit', () => {
  for (const child of children) child.kill(child.lastSignal)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => process.exit(code))
}

/** A folder that is gone when the script is. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `understudy-${name}-`))
  folders.add(folder)
  return folder
}

/** Writes a value as JSON into a temporary file; returns its path. */
export function temporaryFile(name, value) {
  const file = join(temporaryFolder('file'), name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/**
 * Starts a process that ends at the latest with this one, by `lastSignal`. A process with children needs a
 * signal that it can pass on. `complaints()` returns its output on stderr.
 */
export function start(command, args, { lastSignal = 'SIGKILL', ...options } = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  child.lastSignal = lastSignal
  children.add(child)
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      children.delete(child)
      resolve(signal ?? code)
    })
    child.once('error', (error) => {
      children.delete(child)
      complaints += error.message
      resolve(error.code)
    })
  })
  return {
    child,
    pid: child.pid,
    exited,
    complaints: () => complaints,
    isRunning: () => children.has(child),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exited
      clearTimeout(timer)
    },
  }
}

/** Starts `pipeline-understudy serve` on a free port and waits until it listens. */
export async function serve(flags = [], { nodeFlags = [], ipc = false } = {}) {
  if (!existsSync(cli)) throw new Error(`${cli} is missing: run npm run build first.`)
  const args = [...nodeFlags, cli, 'serve', '--port', '0', '--quiet', '--json', ...flags]
  const server = start(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])] })
  const lines = createInterface({ input: server.child.stdout })
  const [line] = await Promise.race([
    once(lines, 'line'),
    server.exited.then((how) => {
      throw new Error(`pipeline-understudy serve ${flags.join(' ')} ended (${how}): ${server.complaints()}`)
    }),
  ])
  const { listening } = JSON.parse(line)
  return { ...server, origin: listening, port: Number(new URL(listening).port) }
}

/** Starts the server with a probe of its event loop. */
export function serveProbed(flags) {
  const probe = new URL('loop-probe.mjs', import.meta.url).href
  return serve(flags, { nodeFlags: ['--import', probe], ipc: true })
}

/** Reads the longest block of a server's event loop since the last call; `undefined` if the server has ended. */
export async function readLoop({ child, exited }) {
  child.send('loop')
  const [found] = await Promise.race([once(child, 'message'), exited.then(() => [])])
  return found
}

/**
 * Starts any server in a process of its own, `{port}` in its arguments filled in, and waits until it answers `path`
 * with HTTP 200. `readyAfter` is the milliseconds from spawn to that reply.
 */
export async function startServer(args, path) {
  const port = await freePort()
  const filled = args.map((argument) => argument.replace('{port}', String(port)))
  const began = performance.now()
  const server = start(process.execPath, filled, { stdio: ['ignore', 'ignore', 'pipe'] })
  const origin = `http://127.0.0.1:${port}`
  while ((await statusOf(`${origin}${path}`)) !== 200) {
    if (!server.isRunning()) throw new Error(`${filled.join(' ')} ended: ${server.complaints()}`)
    if (performance.now() - began > 60_000) throw new Error(`${filled.join(' ')} does not answer ${path}.`)
    await sleep(2)
  }
  return { ...server, origin, readyAfter: performance.now() - began, stop: () => server.stop('SIGKILL') }
}

const lonely = new Agent({ keepAlive: false })

function statusOf(url) {
  return new Promise((resolve) => {
    const sent = request(url, { agent: lonely }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

/** A port that was free just now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** The memory a process holds, in megabytes. */
export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}

/** The processor time a process has used so far, all its threads and the kernel's share, in seconds. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

let ticksPerSecond
