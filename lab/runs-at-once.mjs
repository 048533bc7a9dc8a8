// npm run runs-at-once [-- --runs 32 --delay 15]: judges one `pipeline-understudy serve` many times at once, started one after the
// other, through a proxy that holds every reply back. Exit code 1 where a run says something else than a run alone, or
// something is left behind.
import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { serve, temporaryFolder } from './lib/processes.mjs'

const { values: flags } = parseArgs({
  options: { runs: { type: 'string', default: '32' }, delay: { type: 'string', default: '15' } },
})
const [runs, delay] = [Number(flags.runs), Number(flags.delay)]
const env = { ...process.env, TMPDIR: temporaryFolder('runs-at-once') }
const server = await serve([])
const count = async (path, plural) =>
  (await (await fetch(`${server.origin}/api/${path}`)).json())[plural].length
const before = [await count('pipelines', 'pipelines'), await count('backfills', 'backfills')]

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
const target = `http://127.0.0.1:${proxy.address().port}`

function verify() {
  const main = join(import.meta.dirname, '../dist/cli/main.js')
  const child = spawn('node', [main, 'verify', target, '--use-conventions'], { env })
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(`exit ${code}: ${/\d+ passed, .* skipped/.exec(out)?.[0] ?? out}`))
  })
}

const alone = await verify()
console.log(`alone: ${alone}`)
const all = await Promise.all(
  Array.from({ length: runs }, async (_, index) => {
    await wait(index * 170)
    return verify()
  }),
)
const others = all.filter((verdict) => verdict !== alone)
const after = [await count('pipelines', 'pipelines'), await count('backfills', 'backfills')]
for (const verdict of others) console.log(`differs: ${verdict}`)
console.log(
  `${runs} runs at once: ${runs - others.length} agree; pipelines and backfills ${before} before, ${after} after`,
)
proxy.closeAllConnections()
proxy.close()
await server.stop()
process.exitCode = others.length > 0 || String(before) !== String(after) ? 1 : 0
