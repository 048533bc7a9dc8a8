import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const agent = new Agent({ keepAlive: false })

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts a server in a process of its own and waits for its first reply to `path`.
 *
 * @returns its origin, its process id, and the milliseconds from spawn to that reply.
 */
export async function startServer(args, path) {
  const port = await freePort()
  const filled = args.map((argument) => argument.replace('{port}', String(port)))
  const start = performance.now()
  const child = spawn(process.execPath, filled, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const exited = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  while ((await statusOf(`${origin}${path}`)) !== 200) {
    if (child.exitCode !== null) throw new Error(`${filled.join(' ')} ended: ${complaints}`)
    if (performance.now() - start > 60_000) throw new Error(`${filled.join(' ')} does not answer ${path}.`)
    await sleep(2)
  }
  return {
    origin,
    pid: child.pid,
    readyAfter: performance.now() - start,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The processor time a process has used so far, all its threads and the kernel's share, in seconds. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The memory a process holds, in megabytes. */
export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}

function statusOf(url) {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}
