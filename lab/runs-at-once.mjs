// npm run runs-at-once [-- --runs 32 --delay 15]: verifies one `pipeline-understudy serve` many times at once, through a
// proxy that delays every reply. Exits with 1 if a run has another result than a run alone, or leaves a record behind.
import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { serve, temporaryFolder } from './lib/processes.mjs'

const { values: flags } = parseArgs({
  options: { runs: { type: 'string', default: '32' }, delay: { type: 'string', default: '15' } },
})
const [runs, delay] = [Number(flags.runs), Number(flags.delay)]
const server = await serve([])
const proxy = createServer((incoming, outgoing) => {
  const options = { method: incoming.method, headers: incoming.headers }
  const passed = request(`${server.origin}${incoming.url}`, options, async (reply) => {
    await wait(delay)
    outgoing.writeHead(reply.statusCode, reply.headers)
    reply.pipe(outgoing)
  })
  incoming.pipe(passed)
})
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))

/** Verifies the server; returns the totals of the report. */
async function verify() {
  const target = `http://127.0.0.1:${proxy.address().port}`
  const args = [
    join(import.meta.dirname, '../dist/cli/main.js'),
    'verify',
    target,
    '--use-conventions',
    '--json',
  ]
  const env = { ...process.env, TMPDIR: temporaryFolder('runs-at-once') }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 28 })
  const { totals, leftBehind } = JSON.parse(stdout)
  return JSON.stringify({ totals, leftBehind })
}

const alone = await verify()
console.log(`alone: ${alone}`)
const others = await Promise.all(Array.from({ length: runs }, (_, index) => wait(index * 170).then(verify)))
const different = others.filter((result) => result !== alone)
for (const result of different) console.log(`differs: ${result}`)
console.log(`${runs} runs at once: ${runs - different.length} have the same result.`)
proxy.closeAllConnections()
proxy.close()
await server.stop()
process.exitCode = different.length > 0 ? 1 : 0
