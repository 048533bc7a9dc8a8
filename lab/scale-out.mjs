// npm run scale-out [-- --worlds 300 --reads 40 --seed 1]: several replicas behind nginx as
// docs/scale-out.md has them. Checks that every world is whole and its own, what happens when a replica goes and comes
// back. Exit code 1 where a world is split, or lacks or shows a record.
import { parseArgs } from 'node:util'
import { asWorld, forms } from './lib/api-client.mjs'
import { startBalancer } from './lib/nginx.mjs'
import { serve } from './lib/processes.mjs'
import { createRandom } from './lib/statistics.mjs'

const { values: flags } = parseArgs({
  options: {
    worlds: { type: 'string', default: '300' },
    reads: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
})
const worlds = Array.from({ length: Number(flags.worlds) }, (_, index) => `world-${index + 1}`)
const random = createRandom(Number(flags.seed))
const backfillsEach = 3
const flaws = { foreign: 0, lost: 0, split: 0, other: 0 }

function flaw(kind, text) {
  // The first few say what is wrong, the others only how often.
  if (flaws[kind]++ < 5) console.error(`${kind}: ${text}`)
}

const say = (text) => console.log(text)
const nameOf = (world, index) => `${world} number ${index}`
const replicas = await Promise.all([1, 2, 3].map(() => serve(['--fixture', 'empty'])))
const ports = replicas.map(({ port }) => port)
const balancer = await startBalancer(ports)

say(
  `${replicas.length} replicas behind nginx on ${balancer.origin}; ${worlds.length} worlds, seed ${flags.seed}.`,
)
await checkWorlds()
const homes = await locate()
await checkAbsence()
await Promise.all([balancer, ...replicas].map((server) => server.stop()))
const isClean = Object.values(flaws).every((count) => count === 0)
say(
  `\nforeign ${flaws.foreign}, lost ${flaws.lost}, split ${flaws.split}, other ${flaws.other}: ${isClean ? 'every world is whole and its own.' : 'FAILED.'}`,
)
process.exit(isClean ? 0 : 1)

/** Fills all worlds at once and reads them many times, in every form of credential. */
async function checkWorlds() {
  const started = performance.now()
  const requests = await Promise.all(worlds.map(playWorld))
  const total = requests.reduce((sum, count) => sum + count, 0)
  const seconds = (performance.now() - started) / 1000
  say(
    `Worlds: ${total} requests in ${seconds.toFixed(1)} s, the world named by ${Object.keys(forms).join(', ')} in turn.`,
  )
}

async function playWorld(world) {
  const ask = asWorld(balancer.origin, world, () => random.pick(Object.keys(forms)))
  let count = 0
  const send = async (...request) => {
    count++
    const { status, body } = await ask(...request)
    if (status !== 200)
      flaw('other', `${world}: ${request.join(' ')}: HTTP ${status} ${JSON.stringify(body)}`)
    return body
  }
  const created = await send('POST', '/api/pipelines', { pipeline: { name: world, type: 'python' } })
  const uuid = created.pipeline?.uuid
  if (uuid === undefined)
    return flaw('lost', `${world}: its pipeline was refused: ${JSON.stringify(created)}`) ?? count
  const block = { block: { name: world, type: 'custom', content: world } }
  const { block: made } = await send('POST', `/api/pipelines/${uuid}/blocks`, block)
  if (made?.content !== world) flaw('lost', `${world}: its block was answered as ${JSON.stringify(made)}`)
  for (let id = 1; id <= backfillsEach; id++) {
    const name = nameOf(world, id)
    const { backfill } = await send('POST', `/api/pipelines/${uuid}/backfills`, { backfill: { name } })
    if (backfill?.name !== name)
      flaw('lost', `${world}: backfill ${id} was answered as ${JSON.stringify(backfill)}`)
    else if (backfill.id !== id)
      flaw('foreign', `${world}: its backfill ${id} got the id ${backfill.id}, as if others had created some`)
  }
  const reads = [readPipelines, readBackfills, readBlock]
  for (let index = 0; index < Number(flags.reads); index++) await random.pick(reads)(world, uuid, send)
  return count
}

async function readPipelines(world, _, send) {
  const { pipelines } = await send('GET', '/api/pipelines')
  compare(
    world,
    'pipelines',
    pipelines?.map(({ name }) => name),
    [world],
  )
}

async function readBackfills(world, _, send) {
  const { backfills } = await send('GET', '/api/backfills')
  const expected = Array.from({ length: backfillsEach }, (_, index) => nameOf(world, index + 1))
  compare(
    world,
    'backfills',
    backfills?.map(({ name }) => name),
    expected,
  )
}

async function readBlock(world, uuid, send) {
  const { block } = await send('GET', `/api/pipelines/${uuid}/blocks/${uuid}`)
  compare(world, 'block', block && [block.content], [world])
}

function compare(world, what, found = [], expected) {
  for (const name of expected)
    if (!found.includes(name)) flaw('lost', `${world}: its ${what} lack ${JSON.stringify(name)}`)
  for (const name of found)
    if (!expected.includes(name)) flaw('foreign', `${world}: its ${what} show ${JSON.stringify(name)}`)
}

/** Asks each replica by itself which worlds it holds; returns the replica of each world. */
async function locate() {
  const holders = await Promise.all(
    worlds.map(async (world) => {
      const found = await Promise.all(replicas.map(({ origin }) => holds(origin, world)))
      return found.flatMap((isThere, index) => (isThere ? [index] : []))
    }),
  )
  for (const [index, world] of worlds.entries()) {
    if (holders[index].length > 1)
      flaw('split', `${world}: its records are in ${holders[index].length} replicas, not in one`)
    if (holders[index].length === 0) flaw('lost', `${world}: no replica has its records`)
  }
  const counts = replicas.map((_, replica) => holders.filter((held) => held[0] === replica).length)
  const share = (count) => `${count} (${((100 * count) / worlds.length).toFixed(0)} %)`
  say(`Spread: ${counts.map((count, index) => `replica ${index + 1}: ${share(count)}`).join(', ')}.`)
  return holders.map(([first]) => first)
}

async function holds(origin, world) {
  const { body } = await asWorld(origin, world, () => 'header')('GET', '/api/pipelines')
  return body.pipelines.some(({ name }) => name === world)
}

/** What clients see while the last replica is away, after it is taken from the list, and when it is back. */
async function checkAbsence() {
  const gone = replicas.length - 1
  await replicas[gone].stop()
  const away = await survey((world, home, { status, body }) => {
    if (home === gone) return status === 502 && body?.error?.code === 502
    return keeps(world, body)
  })
  say(`Replica ${gone + 1} stops: its ${away.gone} worlds answer error 502, the other ${away.others} go on.`)
  await balancer.reconfigure(ports.slice(0, gone))
  const without = await survey((world, home, { body }) =>
    home === gone ? isFresh(body) : keeps(world, body),
  )
  say(
    `It leaves the list: its ${without.gone} worlds start again elsewhere, the other ${without.others} go on.`,
  )
  replicas[gone] = await serve(['--fixture', 'empty', '--port', String(ports[gone])])
  await balancer.reconfigure(ports)
  const back = await survey((world, home, { body }) => (home === gone ? isFresh(body) : keeps(world, body)))
  say(`It is back: its ${back.gone} worlds start again there, the other ${back.others} go on.`)
}

function keeps(world, body) {
  return body.pipelines?.length === 1 && body.pipelines[0].name === world
}

function isFresh(body) {
  return body.pipelines?.length === 0
}

async function survey(isRight) {
  const gone = replicas.length - 1
  const counts = { gone: 0, others: 0 }
  await Promise.all(
    worlds.map(async (world, index) => {
      const ask = asWorld(balancer.origin, world, () => random.pick(Object.keys(forms)))
      const reply = await ask('GET', '/api/pipelines')
      if (isRight(world, homes[index], reply)) counts[homes[index] === gone ? 'gone' : 'others']++
      else
        flaw(
          'other',
          `${world} of replica ${homes[index] + 1}: HTTP ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`,
        )
    }),
  )
  return counts
}
