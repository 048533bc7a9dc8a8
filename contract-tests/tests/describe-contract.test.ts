import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expressTarget } from '../targets/built-in.ts'
import { listen } from './listen.ts'
import { folder } from './run-verify.ts'

const root = join(import.meta.dirname, '../..')

/** Runs a suite of one call to `describeContract` in a vitest of its own. */
async function runSuite(options: object): Promise<{ code: number; out: string }> {
  const path = await folder()
  const suite = `import { describeContract } from ${JSON.stringify(join(root, 'dist/contract-tests/index.js'))}
describeContract(${JSON.stringify(options)})\n`
  await writeFile(join(path, 'suite.test.js'), suite)
  return new Promise((resolve) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const child = execFile('node', [vitest, 'run', '--root', path], { maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out: out + err }),
    )
  })
}

it('passes where what is judged holds, and skips what needs a user', async () => {
  const target = await listen(expressTarget())
  const { code, out } = await runSuite({
    target,
    useConventions: true,
    scenarios: ['pipelines', 'credentials'],
  })

  expect(out).not.toContain('Not judged')
  expect(code).toBe(0)
}, 60_000)

it('fails where every rule is skipped', async () => {
  const target = await listen(expressTarget())
  const { code, out } = await runSuite({ target, readOnly: true, scenarios: ['stories'] })

  expect(out).toMatch(/No rule was judged\. .*--read-only/)
  expect(code).toBe(1)
}, 60_000)

it('fails where the target stops answering after the first look', async () => {
  const app = expressTarget()
  let count = 0
  const target = await listen((request, response) => {
    if (++count <= 5) app(request, response)
    else response.destroy()
  })
  const { code, out } = await runSuite({ target, scenarios: ['pipelines'] })

  expect(out).toContain('Not judged: POST /api/pipelines: the connection was dropped.')
  expect(code).toBe(1)
}, 60_000)
