// Processes of a script. They end with the script in any case.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The path of the command. */
export const cli = join(root, 'dist/cli/main.js')

/** Each child leads a separate process group, so that its children end with it. */
const hasGroups = process.platform !== 'win32'
const children = new Set()
const folders = new Set()

process.once('exit', () => {
  for (const child of children) sendSignal(child, 'SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => process.exit(code))
}

/** Creates a folder that is deleted at the end of the script. */
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

/** Starts a process that ends at the latest with this one. `complaints()` returns its output on stderr. */
export function start(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroups, ...options })
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
      sendSignal(child, signal)
      const timer = setTimeout(() => sendSignal(child, 'SIGKILL'), 5_000)
      await exited
      clearTimeout(timer)
    },
  }
}

/** Sends a signal to the child and its children. */
function sendSignal({ pid }, signal) {
  try {
    process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    // It has ended already.
  }
}

/** Starts a server in a separate process. Its `origin` is the first address that it prints. */
export async function startServer(args, options) {
  const server = start(process.execPath, args, options)
  const lines = createInterface({ input: server.child.stdout })
  const [line] = await Promise.race([
    once(lines, 'line'),
    server.exited.then((how) => {
      throw new Error(`node ${args.join(' ')} ended (${how}): ${server.complaints()}`)
    }),
  ])
  const [origin] = /http:\/\/[\w.]+:\d+/.exec(line)
  return { ...server, origin, port: Number(new URL(origin).port) }
}

/** The arguments that serve the mock quietly, by this build of the command or another. */
export const serveArguments = (flags, command = cli) => [
  ...[command, 'serve', '--port', '0', '--quiet', '--json'],
  ...flags,
]

/** Starts `pipeline-understudy serve` on a free port. */
export const serve = (flags) => startServer(serveArguments(flags))

/** Starts the server with a probe of its event loop. */
export function serveProbed(flags) {
  const probe = new URL('loop-probe.mjs', import.meta.url).href
  return startServer(['--import', probe, ...serveArguments(flags)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

/** Reads the longest block of a server's event loop since the last call; `undefined` if the server has ended. */
export async function readLoop({ child, exited }) {
  child.send('loop')
  const [found] = await Promise.race([once(child, 'message'), exited.then(() => [])])
  return found
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

/** The memory of a process, in megabytes. */
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
