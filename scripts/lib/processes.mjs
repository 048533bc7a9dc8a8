// Processes of a script: whatever it starts ends with it, however it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The command, as a user runs it; another build of it where the variable says so. */
const cli = process.env.UNDERSTUDY_CLI ?? join(root, 'dist/cli/main.js')

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

/**
 * Starts a process that ends with this one at the latest, by `lastSignal`: one that has children of its own needs a
 * signal that it can pass on. `complaints()` is what it has written to stderr.
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

/** Starts `understudy serve` on a free port and waits until it listens. */
export async function serve(flags = [], { nodeFlags = [], ipc = false } = {}) {
  if (!existsSync(cli)) throw new Error(`${cli} is missing: run npm run build first.`)
  const args = [...nodeFlags, cli, 'serve', '--port', '0', '--quiet', '--json', ...flags]
  const server = start(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])] })
  const lines = createInterface({ input: server.child.stdout })
  const [line] = await Promise.race([
    once(lines, 'line'),
    server.exited.then((how) => {
      throw new Error(`understudy serve ${flags.join(' ')} ended (${how}): ${server.complaints()}`)
    }),
  ])
  const { listening } = JSON.parse(line)
  return { ...server, origin: listening, port: Number(new URL(listening).port) }
}

/** A port that was free a moment ago. */
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
