// A real nginx with the very configuration of docs/scale-out, but for its ports and folder.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nginxConfiguration } from './nginx-configuration.mjs'
import { freePort, start, temporaryFolder } from './processes.mjs'

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find(existsSync)
// The rights of nobody, where the script has those of root.
const nobody = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Starts nginx before replicas on these ports; `reconfigure` gives it others without a lost request. */
export async function startBalancer(replicaPorts) {
  if (nginx === undefined)
    throw new Error('nginx is missing: apt-get install nginx-light (or nginx), then again.')
  const folder = temporaryFolder('nginx')
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const args = ['-p', folder, '-c', file]
  const write = (ports) => {
    const servers = ports.map((replica) => `127.0.0.1:${replica}`)
    writeFileSync(
      file,
      nginxConfiguration(servers, [
        [/listen 6789;/, `listen 127.0.0.1:${port};`],
        [/\/tmp\//g, `${folder}/`],
      ]),
    )
    execFileSync(nginx, ['-q', '-t', ...args], { stdio: ['ignore', 'ignore', 'inherit'], ...nobody })
  }
  mkdirSync(join(folder, 'logs'))
  write(replicaPorts)
  const server = start(nginx, [...args, '-g', 'daemon off;'], { ...nobody, cwd: folder })
  await accepting(port, server)
  return {
    ...server,
    origin: `http://127.0.0.1:${port}`,
    async reconfigure(ports) {
      const before = workersOf(server.pid)
      write(ports)
      server.child.kill('SIGHUP')
      // The old workers go when they have answered what they had.
      while (workersOf(server.pid).some((worker) => before.includes(worker))) await sleep(20)
    },
  }
}

function workersOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}

async function accepting(port, server) {
  for (;;) {
    if (!server.isRunning()) throw new Error(`nginx ended: ${server.complaints()}`)
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(10)
  }
}
