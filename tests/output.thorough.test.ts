import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

const planted = `
import { expect, it, vi } from 'vitest'

it('prints', () => console.log('hello'))
it('is warned', () => process.emitWarning('careful'))
it('is silent', () => undefined)
it('declares that it prints', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  console.warn('as expected')
  expect(warn).toHaveBeenCalledWith('as expected')
})
`

it('fails a test that prints or causes a warning, unless declared', async () => {
  const folder = makeFolder(onTestFinished, join(root, 'tests'))
  await writeFile(join(folder, 'planted.test.ts'), planted)
  const test = { include: ['*.test.ts'], setupFiles: [join(root, 'tests/support/fail-on-output.ts')] }
  await writeFile(join(folder, 'vitest.config.js'), `export default ${JSON.stringify({ test })}`)

  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--root', folder, '--reporter', 'json'],
    { env: { ...process.env, NO_COLOR: '1' } },
  ).catch((failed: { stdout: string }) => failed)
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    testResults: { assertionResults: { title: string; status: string }[] }[]
  }

  expect(report.testResults[0]?.assertionResults.map(({ title, status }) => [title, status])).toEqual([
    ['prints', 'failed'],
    ['is warned', 'failed'],
    ['is silent', 'passed'],
    ['declares that it prints', 'passed'],
  ])
})
