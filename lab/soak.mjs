// npm run soak [-- --minutes 10 --worlds 200 --seed N]: sends full load from many worlds to one
// `pipeline-understudy serve`, with random faults, resets and restores, and compares every reply with a mock
// in this process. Exits with 1 if a reply is wrong or from another world, or if the memory grows.
import { parseArgs } from 'node:util'
import { createClient } from '../dist/admin/client/index.js'
import { asWorld, rotatingForms } from './lib/api-client.mjs'
import { meterMemory } from './lib/memory-meter.mjs'
import { readLoop, serveProbed, temporaryFile } from './lib/processes.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    worlds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const { ComparedWorld, comparedFixture, countDifferences } =
  await importTypeScript('lab/lib/compared-world.ts')
const [seed, minutes] = [Number(flags.seed), Number(flags.minutes)]
/** In shorter runs, the journals still grow. */
const minutesUntilBounded = 5

const fixture = temporaryFile('fixture.json', comparedFixture)
const serveFlags = ['--fixture', fixture, '--clock', 'frozen', '--max-worlds', flags.worlds]
const server = await serveProbed(serveFlags)
const understudy = createClient(server.origin)
const { differences, onDifference } = countDifferences()
let requests = 0
const waiting = Array.from({ length: Number(flags.worlds) }, (_, index) => {
  const name = `soak-${index + 1}`
  const send = asWorld(server.origin, name, rotatingForms())
  const request = (...given) => {
    requests++
    return send(...given)
  }
  return new ComparedWorld({ name, seed, request, controls: understudy.world(name), onDifference })
})

console.log(`Seed ${seed}: ${flags.worlds} worlds on ${server.origin} for ${minutes} minutes.`)
const started = performance.now()
const end = started + minutes * 60_000
const memory = meterMemory(server, Math.min(3_000, minutes * 2_000))
await Promise.all(Array.from({ length: 32 }, work))
const { text, grows } = memory.stop()
const seconds = (performance.now() - started) / 1000
const block = server.isRunning() ? (await readLoop(server)).longest : 0
console.log(`${requests} requests in ${seconds.toFixed(0)} s: ${Math.round(requests / seconds)} requests/s.`)
console.log(`${text} The loop was blocked for ${block.toFixed(0)} ms at most.`)
const failures = [
  ...Object.entries(differences).flatMap(([kind, number]) => (number > 0 ? [`${number} ${kind}`] : [])),
  ...(server.isRunning() ? [] : ['the server is dead']),
  ...(server.complaints() === '' ? [] : [`stderr is not empty: ${server.complaints().slice(0, 1_000)}`]),
  ...(grows && minutes >= minutesUntilBounded ? ['the memory grows'] : []),
]
console.log(
  `foreign ${differences.foreign}, wrong ${differences.wrong}: ${failures.length === 0 ? 'every reply was right.' : `FAILED: ${failures.join('; ')} (seed ${seed}).`}`,
)
process.exit(failures.length === 0 ? 0 : 1)

/** Runs a step of one world after the other, so that each has at most one request in flight. */
async function work() {
  while (performance.now() < end && server.isRunning()) {
    const world = waiting.shift()
    if (world === undefined) return
    try {
      await world.step()
    } catch (error) {
      onDifference({ kind: 'wrong', text: `${world.name}: ${error.message}` })
    }
    waiting.push(world)
  }
}
