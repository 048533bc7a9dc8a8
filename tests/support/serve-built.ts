import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './root.ts'

/** Starts the built `serve` in a process of its own until the test ends. */
export async function serveBuilt(flags: readonly string[] = [], nodeFlags: readonly string[] = []) {
  const command = [...nodeFlags, join(root, 'dist/cli/main.js'), 'serve', '--port', '0', '--json', ...flags]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number]>
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  child.stdout.resume()
  const { listening: url } = JSON.parse(first.toString().split('\n')[0] ?? '') as { listening: string }
  return { url, child, exited, errors: () => errors }
}
