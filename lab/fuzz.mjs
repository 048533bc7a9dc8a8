// npm run fuzz [-- --requests 100000 --seed N --auth login]: sends seeded invalid requests to a
// `pipeline-understudy serve`. Prints the seed, the replies and the memory of the server, and minimizes wrong
// replies. Exits with 1 if anything is wrong.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '../dist/admin/client/index.js'
import { send } from './lib/api-client.mjs'
import { serve, temporaryFolder } from './lib/processes.mjs'
import { thirds } from './lib/statistics.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    'in-flight': { type: 'string', default: '16' },
    auth: { type: 'string', default: 'open' },
    verbose: { type: 'boolean', default: false },
  },
})
const [seed, requests] = [Number(flags.seed), Number(flags.requests)]
const { fixture, fuzz, minimize } = await importTypeScript('lab/fuzz/index.ts')
const fixtureFile = join(temporaryFolder('fuzz'), 'fixture.json')
writeFileSync(fixtureFile, JSON.stringify(fixture))

/** Maximum length of a printed request. */
const shown = 1_500
/** Maximum growth of the memory in use from the first third of the run to the last. */
const growth = { ratio: 1.1, megabytes: 3 }
const serveFlags = ['--fixture', fixtureFile, '--auth', flags.auth]
const probe = ['--expose-gc', '--import', new URL('lib/heap-probe.mjs', import.meta.url).href]
const server = await serve(serveFlags, { nodeFlags: probe, ipc: true })
const understudy = createClient(server.origin)
const say = (text) => console.log(text)
const failures = []
const samples = []

say(`Seed ${seed}: ${requests} requests at ${server.origin}, ${flags['in-flight']} at once.`)
const started = performance.now()
const { sent, outcomes, findings } = await fuzz({
  port: server.port,
  seed,
  requests,
  inFlight: Number(flags['in-flight']),
  between: Math.max(500, Math.floor(requests / 50)),
  pause,
})
const seconds = (performance.now() - started) / 1000
say(`${sent} sent in ${seconds.toFixed(1)} s: ${Math.round(sent / seconds)} requests/s.`)
const kinds = Object.entries(outcomes).toSorted(([one], [other]) => (one < other ? -1 : 1))
for (const [kind, count] of kinds) if (flags.verbose || kind.startsWith('request')) say(`  ${kind}: ${count}`)

checkMemory()
await checkAlive()
const distinct = [...new Map(findings.map((finding) => [finding.flaws.join(' '), finding])).values()]
for (const finding of distinct.slice(0, 5)) await report(finding)
if (distinct.length > 5) say(`… and ${distinct.length - 5} other kinds of wrong answers.`)
await server.stop()
if (server.complaints() !== '') failures.push(`stderr is not empty: ${server.complaints().slice(0, 2_000)}`)
for (const failure of failures) say(`FAILED: ${failure}`)
if (findings.length > 0) say(`FAILED: ${findings.length} wrong answers with seed ${seed}.`)
const isClean = failures.length === 0 && findings.length === 0
if (isClean) say('Every answer was right.')
process.exit(isClean ? 0 : 1)

/** Resets the server to its fixture and measures the remaining memory. */
async function pause() {
  if (!server.isRunning()) return
  await forgetAll()
  server.child.send('weigh')
  const [weight] = await Promise.race([once(server.child, 'message'), server.exited.then(() => [])])
  if (weight !== undefined) samples.push(weight)
}

/** Forgets what requests have created, so that only what leaks stays in memory. */
async function forgetAll() {
  await understudy.reset()
  for (const { name } of await understudy.worlds.list()) {
    if (name !== understudy.name) await understudy.worlds.delete(name)
  }
}

function checkMemory() {
  if (samples.length < 6) return
  const toMegabytes = (bytes) => bytes / 1024 / 1024
  for (const [name, values] of [
    ['heap in use', samples.map(({ heapUsed, external }) => toMegabytes(heapUsed + external))],
    ['resident', samples.map(({ rss }) => toMegabytes(rss))],
  ]) {
    const [first, , last] = thirds(values)
    const ratio = last / first
    say(
      `Memory, ${name}: ${first.toFixed(1)} MB in the first third, ${last.toFixed(1)} MB in the last, ratio ${ratio.toFixed(2)}.`,
    )
    // Node may retain memory from the system; only memory in use counts.
    if (name === 'heap in use' && ratio > growth.ratio && last - first > growth.megabytes)
      failures.push(`the memory in use grows: ${values.map((value) => value.toFixed(1)).join(' ')} MB`)
  }
}

async function checkAlive() {
  if (!server.isRunning()) return failures.push(`the server is dead (${await server.exited}).`)
  const { status, body } = await send(server.origin, 'GET', '/api/pipelines')
  const isAnswer = Array.isArray(body.pipelines) || (flags.auth !== 'open' && body.error?.code === 401)
  if (status !== 200 || !isAnswer)
    failures.push(`after all this GET /api/pipelines is HTTP ${status} ${JSON.stringify(body)}`)
}

async function report(finding) {
  say(`\nWRONG: ${finding.flaws.join(' ')}`)
  const smallest = await minimize(finding, async () => {
    const fresh = await serve(serveFlags)
    return { port: fresh.port, close: () => fresh.stop('SIGKILL') }
  })
  if (smallest === undefined) {
    say('A new server answers it rightly, so it takes what came before; what was sent:')
    return say(cut(JSON.stringify(finding.sent)))
  }
  say(`Smallest: ${smallest.flaws.join(' ')}\n${cut(smallest.reproduction)}`)
  if (smallest.reproduction.length <= shown) return
  const file = join(tmpdir(), `understudy-fuzz-${seed}-${finding.index}.sh`)
  writeFileSync(file, `${smallest.reproduction}\n`)
  say(`The whole of it is in ${file}.`)
}

function cut(text) {
  return text.length > shown ? `${text.slice(0, shown)}…` : text
}
