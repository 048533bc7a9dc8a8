import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { expressTarget } from '../targets/built-in.ts'
import { listen, type WhenOver } from './listen.ts'
import { folder } from './run-verify.ts'

const root = join(import.meta.dirname, '../..')

interface Suite {
  readonly status: 'passed' | 'failed'
  /** The messages of the failed tests. */
  readonly messages: string
}

/** Runs suites of one call to `describeContract` each, in one separate run of vitest; returns the result of each. */
async function runSuites(
  path: string,
  all: Readonly<Record<string, object>>,
): Promise<(name: string) => Suite> {
  for (const [name, options] of Object.entries(all)) {
    const suite = `import { describeContract } from ${JSON.stringify(join(root, 'dist/contract-tests/index.js'))}
describeContract(${JSON.stringify(options)})\n`
    await writeFile(join(path, `${name}.test.js`), suite)
  }
  // One after the other, with what they import in common.
  const flags = ['--root', path, '--reporter', 'json', '--no-isolate', '--maxWorkers', '1']
  const out = await new Promise<string>((resolve) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    execFile('node', [vitest, 'run', ...flags], { maxBuffer: 1 << 26 }, (_, out) => resolve(out))
  })
  const { testResults } = JSON.parse(out) as {
    testResults: (Omit<Suite, 'messages'> & {
      name: string
      message: string
      assertionResults: { failureMessages: string[] }[]
    })[]
  }
  return (name) => {
    const { status, message, assertionResults } = testResults.find((suite) =>
      suite.name.endsWith(`/${name}.test.js`),
    )!
    const failures = assertionResults.flatMap(({ failureMessages }) => failureMessages)
    return { status, messages: [message, ...failures].join('\n') }
  }
}

let suite: (name: string) => Suite

beforeAll(async () => {
  const closing: Parameters<WhenOver>[0][] = []
  const later: WhenOver = (close) => void closing.push(close)
  const good = await listen(expressTarget(), later)
  const app = expressTarget()
  let count = 0
  const stopping = await listen((request, response) => {
    if (++count <= 5) app(request, response)
    else response.destroy()
  }, later)
  suite = await runSuites(await folder(later), {
    good: { target: good, useConventions: true, scenarios: ['pipelines', 'credentials'] },
    skipped: { target: good, readOnly: true, scenarios: ['damage'] },
    stopping: { target: stopping, scenarios: ['pipelines'] },
  })
  return async () => void (await Promise.all(closing.map((close) => close())))
})

it('passes where no rule fails, and skips rules that need a user', () => {
  expect(suite('good')).toEqual({ status: 'passed', messages: '' })
})

it('fails where every rule is skipped', () => {
  const { status, messages } = suite('skipped')

  expect(messages).toMatch(/No rule was checked\. .*--read-only/)
  expect(status).toBe('failed')
})

it('fails where the target stops answering after the preflight requests', () => {
  const { status, messages } = suite('stopping')

  expect(messages).toContain('Not checked: POST /api/pipelines: the connection was dropped.')
  expect(status).toBe('failed')
})
