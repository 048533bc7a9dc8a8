// Installs Mage AI 0.9.79, an independent server of this API, in a folder of its own, and starts it in either mode.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export const version = '0.9.79'

// The key of that server's own frontend, and the user it creates for itself.
export const signIn = {
  apiKey: 'zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2',
  email: 'admin@admin.com',
  password: 'admin',
}

/** Its two modes: without users, and with a login. */
export const modes = [
  { mode: 'open', credentials: {} },
  { mode: 'login', credentials: signIn },
]

const environment = process.env.MAGE_VENV ?? join(process.cwd(), '.venv-mage')
const command = join(environment, 'bin/mage')

/** Installs it from PyPI, where it is not there yet: about two minutes. */
function install() {
  if (existsSync(command)) return
  execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' })
  // Newer pyarrow and pandas break its imports.
  const packages = [`mage-ai==${version}`, 'pyarrow<19', 'pandas<2.3']
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', ...packages], { stdio: 'inherit' })
}

/** Runs a function on a fresh server in each mode, or only in the given one. */
export async function onRealServers(onlyMode, run) {
  install()
  for (const target of modes.filter(({ mode }) => onlyMode === undefined || mode === onlyMode)) {
    const server = await startRealServer(target)
    try {
      await run(server.url, target)
    } finally {
      await server.stop()
    }
  }
}

/** Starts a fresh one in a mode; `stop` ends it with all its children, and removes what it has written. */
async function startRealServer({ mode }) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'understudy-real-'))
  const env = {
    ...process.env,
    REQUIRE_USER_AUTHENTICATION: mode === 'login' ? '1' : '0',
    MAGE_DATA_DIR: join(folder, 'data'),
  }
  mkdirSync(env.MAGE_DATA_DIR, { recursive: true })
  const project = `demo-${mode}`
  execFileSync(command, ['init', project], { cwd: folder, env, stdio: 'ignore' })
  // It would report to its makers at every request.
  const settings = join(folder, project, 'metadata.yaml')
  const silent = readFileSync(settings, 'utf8').replace('help_improve_mage: true', 'help_improve_mage: false')
  writeFileSync(settings, silent)
  const log = openSync(join(folder, 'log'), 'w')
  const line = `ulimit -n 4096; exec nice -n 5 "${command}" start ${project} --host 127.0.0.1 --port ${port}`
  const server = spawn('bash', ['-c', line], {
    cwd: folder,
    env,
    stdio: ['ignore', log, log],
    detached: true,
  })
  const stop = async () => {
    signal(server, 'SIGTERM')
    await wait(1_000)
    signal(server, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 120; attempt++) {
    await wait(1_000)
    const answers = fetch(`${url}/api/status`, { signal: AbortSignal.timeout(2_000) })
    // It answers before its tables have all columns. Its scheduler waits for them.
    const isMigrated = readFileSync(join(folder, 'log'), 'utf8').includes('Active pipeline runs')
    if ((await answers.then(() => true, () => false)) && isMigrated) return { url, folder, project: join(folder, project), stop } // biome-ignore format: one line
  }
  const said = readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)
  await stop()
  throw new Error(`Mage AI was not ready within two minutes:\n${said}`)
}

/** Returns a port that no program listens on. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** The server has children; its group goes with it. */
function signal({ pid }, name) {
  try {
    process.kill(-pid, name)
  } catch {
    // It is gone already.
  }
}
