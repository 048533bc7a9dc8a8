// Runs the tests that fail, and looks at what is attached to them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

const command = ['playwright', 'test', '--config', 'failing.config.ts', '--reporter', 'json']
const { status, stdout, stderr } = spawnSync('npx', command, { encoding: 'utf8', maxBuffer: 2 ** 26 })
assert.equal(status, 1, stderr)

const { specs } = JSON.parse(stdout).suites[0]
assert.deepEqual(specs.map(({ title }) => title).sort(), ['fails in process', 'fails served'])
for (const { tests } of specs) {
  const [{ attachments }] = tests[0].results
  const read = (wanted) => {
    const found = attachments.find(({ name }) => name === wanted)
    return Buffer.from(found.body, 'base64').toString()
  }
  assert.match(
    read('journal'),
    /POST \/api\/pipelines \(createPipeline, .*\n\s+\+ \/pipelines\/daily_sales \{/,
  )
  const { log } = JSON.parse(read('journal.har'))
  assert.deepEqual(
    log.entries.map(({ request }) => request.method).filter((method) => method !== 'OPTIONS'),
    ['GET', 'POST', 'GET'],
  )
}
