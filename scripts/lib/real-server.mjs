// Installs Mage AI 0.9.79, an independent server of this API, in a separate folder, and starts it in either mode.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, root, start, temporaryFolder } from '../../lab/lib/processes.mjs'

export const version = '0.9.79'

// The key of that server's own frontend, and the user it creates for itself.
export const signIn = {
  apiKey: 'zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2',
  email: 'admin@admin.com',
  password: 'admin',
}

/** Its two modes with the credentials: without users, and with a login. */
const modes = { open: {}, login: signIn }

const environment = process.env.MAGE_VENV ?? join(root, '.venv-mage')
const command = join(environment, 'bin/mage')

/** Installs it from PyPI if it is missing, in about two minutes. */
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
  for (const mode of onlyMode === undefined ? Object.keys(modes) : [onlyMode]) {
    const server = await startRealServer(mode)
    try {
      await run({ target: server.url, mode, credentials: modes[mode] })
    } finally {
      await server.stop()
    }
  }
}

/** Starts a fresh one in a mode. */
async function startRealServer(mode) {
  const port = await freePort()
  const folder = temporaryFolder('real')
  const env = {
    ...process.env,
    REQUIRE_USER_AUTHENTICATION: mode === 'login' ? '1' : '0',
    MAGE_DATA_DIR: join(folder, 'data'),
  }
  mkdirSync(env.MAGE_DATA_DIR)
  const project = `demo-${mode}`
  execFileSync(command, ['init', project], { cwd: folder, env, stdio: 'ignore' })
  // It would report to its makers at every request.
  const settings = join(folder, project, 'metadata.yaml')
  const silent = readFileSync(settings, 'utf8').replace('help_improve_mage: true', 'help_improve_mage: false')
  writeFileSync(settings, silent)
  const log = join(folder, 'log')
  const output = openSync(log, 'w')
  const line = `ulimit -n 4096; exec nice -n 5 "${command}" start ${project} --host 127.0.0.1 --port ${port}`
  const server = start('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', output, output] })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 120; attempt++) {
    await wait(1_000)
    const reply = fetch(`${url}/api/status`, { signal: AbortSignal.timeout(2_000) })
    const answers = await reply.then(() => true, () => false) // biome-ignore format: one line
    // It answers before its tables have all columns. Its scheduler waits for them.
    if (answers && readFileSync(log, 'utf8').includes('Active pipeline runs')) return { ...server, url }
  }
  await server.stop()
  throw new Error(`Mage AI was not ready within two minutes:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
}
