// A real nginx with the configuration of docs/scale-out, except for its ports and folder.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, root, start, temporaryFolder } from './processes.mjs'

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find(existsSync)
// The user nobody, if the script runs as root.
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
    const servers = ports.map((replica) => `    server 127.0.0.1:${replica} max_fails=0;\n`).join('')
    const configuration = readFileSync(join(root, 'docs/scale-out/nginx.conf'), 'utf8')
      .replace(/(?: {4}server \S+ max_fails=0;\n)+/, servers)
      .replace('listen 6789;', `listen 127.0.0.1:${port};`)
      .replaceAll('/tmp/', `${folder}/`)
    writeFileSync(file, configuration)
    execFileSync(nginx, ['-q', '-t', ...args], { stdio: ['ignore', 'ignore', 'inherit'], ...nobody })
  }
  mkdirSync(join(folder, 'logs'))
  write(replicaPorts)
  const server = start(nginx, [...args, '-g', 'daemon off;'], { ...nobody, cwd: folder })
  const origin = `http://127.0.0.1:${port}`
  while (!(await answers(origin))) {
    if (!server.isRunning()) throw new Error(`nginx ended: ${server.complaints()}`)
    await sleep(10)
  }
  return {
    ...server,
    origin,
    async reconfigure(ports) {
      const before = workersOf(server.pid)
      write(ports)
      server.child.kill('SIGHUP')
      // The old workers end after their last replies.
      while (workersOf(server.pid).some((worker) => before.includes(worker))) await sleep(20)
    },
  }
}

function workersOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}

const answers = (url) => fetch(url).then(({ ok }) => ok, () => false) // biome-ignore format: one line
