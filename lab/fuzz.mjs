// npm run fuzz [-- --requests 100000 --seed N --auth login]: sends seeded invalid requests to a
// `pipeline-understudy serve`. Prints the seed, the replies and the memory of the server, and minimizes wrong
// replies. Exits with 1 if anything is wrong.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { send } from './lib/api-client.mjs'
import { meterMemory } from './lib/memory-meter.mjs'
import { serve, temporaryFile } from './lib/processes.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    auth: { type: 'string', default: 'open' },
  },
})
const [seed, requests] = [Number(flags.seed), Number(flags.requests)]
const { fixture, fuzz, minimize } = await importTypeScript('lab/fuzz/index.ts')

/** In shorter runs, the journals still grow. */
const secondsUntilBounded = 20
const serveFlags = ['--fixture', temporaryFile('fixture.json', fixture), '--auth', flags.auth]
const server = await serve(serveFlags)

console.log(`Seed ${seed}: ${requests} requests at ${server.origin}.`)
const started = performance.now()
const memory = meterMemory(server, 500)
const { sent, outcomes, findings } = await fuzz({ port: server.port, seed, requests, inFlight: 16 })
const seconds = (performance.now() - started) / 1000
console.log(outcomes)
console.log(`${sent} sent in ${seconds.toFixed(1)} s: ${Math.round(sent / seconds)} requests/s.`)
const { text, grows } = memory.stop()
console.log(text)
const isAlive = server.isRunning() && (await answers())
const distinct = [...new Map(findings.map((finding) => [finding.problems.join(' '), finding])).values()]
for (const finding of distinct.slice(0, 5)) await report(finding)
await server.stop()
const failures = [
  ...(grows && seconds > secondsUntilBounded ? ['the memory grows'] : []),
  ...(isAlive ? [] : ['the server does not answer any more']),
  ...(server.complaints() === '' ? [] : [`stderr is not empty: ${server.complaints().slice(0, 2_000)}`]),
  ...(findings.length === 0 ? [] : [`${findings.length} wrong replies of ${distinct.length} kinds`]),
]
console.log(
  failures.length === 0 ? 'Every reply was right.' : `FAILED: ${failures.join('; ')} (seed ${seed}).`,
)
process.exit(failures.length === 0 ? 0 : 1)

async function answers() {
  const { status, body } = await send(server.origin, 'GET', '/api/pipelines')
  return status === 200 && (flags.auth === 'open' ? Array.isArray(body.pipelines) : body.error?.code === 401)
}

async function report(finding) {
  const smallest = await minimize(finding, async () => {
    const fresh = await serve(serveFlags)
    return { port: fresh.port, close: () => fresh.stop('SIGKILL') }
  })
  const file = join(tmpdir(), `understudy-fuzz-${seed}-${finding.index}.sh`)
  // A fresh server that answers correctly needs the requests before it.
  writeFileSync(file, `${smallest?.reproduction ?? JSON.stringify(finding.sent)}\n`)
  console.log(`\nWRONG: ${(smallest ?? finding).problems.join(' ')}\nReproduction: ${file}`)
}
