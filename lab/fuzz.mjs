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
    'in-flight': { type: 'string', default: '16' },
    auth: { type: 'string', default: 'open' },
    verbose: { type: 'boolean', default: false },
  },
})
const [seed, requests] = [Number(flags.seed), Number(flags.requests)]
const { fixture, fuzz, minimize } = await importTypeScript('lab/fuzz/index.ts')

/** In shorter runs, the journals still grow. */
const secondsUntilBounded = 20
/** Maximum length of a printed request. */
const shown = 1_500
const serveFlags = ['--fixture', temporaryFile('fixture.json', fixture), '--auth', flags.auth]
const server = await serve(serveFlags)
const say = (text) => console.log(text)
const failures = []

say(`Seed ${seed}: ${requests} requests at ${server.origin}, ${flags['in-flight']} at once.`)
const started = performance.now()
const memory = meterMemory(server, 500)
const { sent, outcomes, findings } = await fuzz({
  port: server.port,
  seed,
  requests,
  inFlight: Number(flags['in-flight']),
})
const seconds = (performance.now() - started) / 1000
say(`${sent} sent in ${seconds.toFixed(1)} s: ${Math.round(sent / seconds)} requests/s.`)
const kinds = Object.entries(outcomes).toSorted(([one], [other]) => (one < other ? -1 : 1))
for (const [kind, count] of kinds) if (flags.verbose || kind.startsWith('request')) say(`  ${kind}: ${count}`)

const { text, grows } = memory.stop()
say(text)
if (grows && seconds > secondsUntilBounded) failures.push('the memory grows')
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
