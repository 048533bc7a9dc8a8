// npm run soak [-- --minutes 10 --worlds 200 --seed N]: sends full load from many worlds to one
// `pipeline-understudy serve`, with random faults, resets and restores, and compares every reply with a mock
// in this process. Prints memory, speed, blocks of the event loop, and flaws. Exits with 1 if a reply is
// wrong or from another world, or if the memory grows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '../dist/admin/client/index.js'
import { asWorld, forms } from './lib/api-client.mjs'
import { readLoop, residentMegabytes, serveProbed, temporaryFolder } from './lib/processes.mjs'
import { quantile, thirds } from './lib/statistics.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    worlds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    'in-flight': { type: 'string', default: '32' },
  },
})
const { ComparedWorld, comparedFixture } = await importTypeScript('lab/lib/compared-world.ts')
const [seed, minutes] = [Number(flags.seed), Number(flags.minutes)]
const milliseconds = minutes * 60_000
/** Interval of the memory samples, in milliseconds. */
const every = Math.min(3_000, milliseconds / 30)
/**
 * Maximum growth from the middle third to the last one. In longer runs, all bounded data has reached its
 * limit by then, the journals last.
 */
const growth = { ratio: 1.1, megabytes: 15, minutes: 5 }

const fixtureFile = join(temporaryFolder('soak'), 'fixture.json')
writeFileSync(fixtureFile, JSON.stringify(comparedFixture))
const serveFlags = ['--fixture', fixtureFile, '--clock', 'frozen', '--max-worlds', flags.worlds]
const server = await serveProbed(serveFlags)
const understudy = createClient(server.origin)

const flaws = { foreign: 0, wrong: 0 }
const counts = {}
const times = []
const samples = []
const blocks = []
let requests = 0
const onFlaw = ({ kind, text }) => {
  // Print only the first flaws of each kind.
  if (flaws[kind]++ < 5) console.error(`${kind}: ${text}`)
}
const names = Array.from({ length: Number(flags.worlds) }, (_, index) => `soak-${index + 1}`)
const waiting = names.map((name, index) => {
  const keys = Object.keys(forms)
  const ask = asWorld(server.origin, name, () => keys[(requests + index) % keys.length])
  const request = async (...given) => {
    const start = performance.now()
    const reply = await ask(...given)
    requests++
    // Every eighth is enough for the percentiles, and the list stays short.
    if (requests % 8 === 0) times.push(performance.now() - start)
    return reply
  }
  return new ComparedWorld({ name, seed, request, controls: understudy.world(name), onFlaw })
})

console.log(
  `Seed ${seed}: ${names.length} worlds on ${server.origin} for ${minutes} minutes, ${flags['in-flight']} at once.`,
)
const started = performance.now()
const elapsed = () => performance.now() - started
const meter = setInterval(measure, every)
measure()
await Promise.all(Array.from({ length: Number(flags['in-flight']) }, work))
clearInterval(meter)
if (server.isRunning()) measure()
report()

/** Plays a step of one world after the other: each has one request under way at most, many have one at once. */
async function work() {
  while (elapsed() < milliseconds && server.isRunning()) {
    const world = waiting.shift()
    if (world === undefined) return
    try {
      const control = await world.step()
      if (control !== undefined) counts[control] = (counts[control] ?? 0) + 1
    } catch (error) {
      onFlaw({ kind: 'wrong', text: `${world.name}: ${error.message}` })
    }
    waiting.push(world)
  }
}

function measure() {
  if (!server.isRunning()) return
  void readLoop(server).then((found) => found && blocks.push(found))
  const megabytes = residentMegabytes(server.pid)
  samples.push(megabytes)
  const each = Math.max(1, Math.round(milliseconds / every / 20))
  if (samples.length % each !== 1 && each > 1) return
  const seconds = elapsed() / 1000
  console.log(
    `  ${seconds.toFixed(0).padStart(5)} s  ${megabytes.toFixed(0).padStart(4)} MB  ${requests} requests`,
  )
}

function report() {
  const seconds = elapsed() / 1000
  const [first, middle, last] = thirds(samples)
  console.log(
    `${requests} requests in ${seconds.toFixed(0)} s: ${Math.round(requests / seconds)} requests/s, p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms.`,
  )
  console.log(
    `In between: ${
      Object.entries(counts)
        .map(([what, number]) => `${what} ${number}`)
        .join(', ') || 'nothing'
    }.`,
  )
  console.log(
    `Memory: ${first.toFixed(0)} MB in the first third, ${middle.toFixed(0)} MB in the middle, ${last.toFixed(0)} MB in the last.`,
  )
  const longest = blocks.reduce((one, other) => (other.longest > one.longest ? other : one))
  const half = quantile(
    blocks.map((block) => block.longest),
    0.5,
  )
  console.log(
    `The loop was blocked for ${longest.longest.toFixed(0)} ms at most (garbage was collected for up to ${longest.collected.toFixed(0)} ms then), and for up to ${half.toFixed(0)} ms in half of the spans of ${(every / 1000).toFixed(1)} s.`,
  )
  const failures = [
    ...Object.entries(flaws).flatMap(([kind, number]) => (number > 0 ? [`${number} ${kind}`] : [])),
    ...(server.isRunning() ? [] : ['the server is dead']),
    ...(server.complaints() === '' ? [] : [`stderr is not empty: ${server.complaints().slice(0, 1_000)}`]),
    ...(minutes >= growth.minutes && last / middle > growth.ratio && last - middle > growth.megabytes
      ? ['the memory grows']
      : []),
  ]
  console.log(
    `foreign ${flaws.foreign}, wrong ${flaws.wrong}: ${failures.length === 0 ? 'every reply was right.' : `FAILED: ${failures.join('; ')} (seed ${seed}).`}`,
  )
  process.exit(failures.length === 0 ? 0 : 1)
}
