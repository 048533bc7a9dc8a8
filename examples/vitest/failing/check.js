// Runs the test that fails, and looks at what is printed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'failing/vitest.config.js']
const { status, stdout, stderr } = spawnSync('node', command, { encoding: 'utf8' })
const printed = stdout + stderr

assert.equal(status, 1)
assert.match(printed, /expected 'this' to be 'that'/)
assert.match(printed, /The requests that the understudy has received:/)
assert.match(
  printed,
  /POST \/api\/pipelines \(createPipeline, main, #1, 200\)\n\s+\+ \/pipelines\/daily_sales \{/,
)
assert.match(printed, /GET \/api\/pipelines\/nowhere \(readPipeline, main, #2, 404\)\n\s+record_not_found/)
