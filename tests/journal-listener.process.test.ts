import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Runs a module of this folder in a Node process of its own. */
async function run(module: string) {
  const { outputFiles } = await build({
    stdin: { contents: module, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  const child = spawn(process.execPath, ['--input-type=module', '-'], { cwd: root })
  child.stdin.end(outputFiles[0]!.text)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, status }
}

it('does not end the process of a listener that throws or rejects, and says what happened once', async () => {
  const { stdout, stderr, status } = await run(`
    import { createUnderstudy } from './src/index.ts'
    const understudy = createUnderstudy()
    understudy.journal.subscribe(() => { throw new Error('lantern') })
    understudy.journal.subscribe(async () => { throw new Error('oil') })
    for (const url of ['/api/pipelines', '/api/backfills']) {
      console.log((await understudy.dispatch({ method: 'GET', url }))?.code)
    }
    await new Promise((done) => setTimeout(done, 50))
    console.log('still here')`)

  expect(stdout).toBe('200\n200\nstill here\n')
  expect(stderr.match(/Error: (?:lantern|oil)/g)).toEqual(['Error: lantern', 'Error: oil'])
  expect(status).toBe(0)
})
