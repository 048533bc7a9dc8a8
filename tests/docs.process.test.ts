import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from './support/root.ts'

it('has generated pages of reference that are not stale', () => {
  expect(() =>
    execFileSync('node', ['scripts/update-docs.mjs', '--check'], { cwd: root, stdio: 'pipe' }),
  ).not.toThrow()
})
