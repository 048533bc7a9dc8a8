import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './support/root.ts'

const run = promisify(execFile)

it('runs the quick examples from the packed package', { timeout: 120_000 }, async () => {
  const { stdout } = await run('node', ['scripts/examples.mjs', '--here'], { cwd: root })

  expect(stdout).toContain('node-test: works')
})
