// npm run scale-out [-- --worlds 300 --steps 40 --seed 1]: several replicas behind nginx as
// docs/scale-out.md has them. Compares every reply with a mock in this process, then stops a replica and
// starts it again. Exit code 1 if a reply is wrong or from another world, or a world is split.
import { parseArgs } from 'node:util'
import { asWorld, forms, rotatingForms } from './lib/api-client.mjs'
import { startBalancer } from './lib/nginx.mjs'
import { serve, temporaryFile } from './lib/processes.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    worlds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
})
const { ComparedWorld, comparedFixture, countFlaws } = await importTypeScript('lab/lib/compared-world.ts')
const names = Array.from({ length: Number(flags.worlds) }, (_, index) => `world-${index + 1}`)
const seed = Number(flags.seed)
const { flaws, onFlaw } = countFlaws()
const say = (text) => console.log(text)
const serveFlags = ['--fixture', temporaryFile('fixture.json', comparedFixture), '--clock', 'frozen']
const replicas = await Promise.all([1, 2, 3].map(() => serve(serveFlags)))
const ports = replicas.map(({ port }) => port)
const balancer = await startBalancer(ports)

say(
  `${replicas.length} replicas behind nginx on ${balancer.origin}; ${names.length} worlds, seed ${flags.seed}.`,
)
await checkWorlds()
const homes = await locate()
await checkAbsence()
await Promise.all([balancer, ...replicas].map((server) => server.stop()))
const isClean = Object.values(flaws).every((count) => count === 0)
say(
  `\nforeign ${flaws.foreign}, wrong ${flaws.wrong}, split ${flaws.split}: ${isClean ? 'every world is whole and its own.' : 'FAILED.'}`,
)
process.exit(isClean ? 0 : 1)

/** Names the world in another form at each request. */
function requestIn(name) {
  return asWorld(balancer.origin, name, rotatingForms())
}

function markOf(name) {
  return `pipeline of ${name}`
}

function isMarked(name, { body }) {
  return body.pipelines?.some((pipeline) => pipeline.name === markOf(name)) === true
}

/** Sends random requests in all worlds at once, and marks each world. */
async function checkWorlds() {
  const started = performance.now()
  await Promise.all(
    names.map(async (name) => {
      const world = new ComparedWorld({ name, seed, request: requestIn(name), onFlaw })
      for (let step = 0; step < Number(flags.steps); step++) await world.step()
      await world.send('POST', '/api/pipelines', { pipeline: { name: markOf(name), type: 'python' } })
    }),
  )
  const seconds = (performance.now() - started) / 1000
  say(
    `Worlds: ${names.length * (Number(flags.steps) + 1)} requests in ${seconds.toFixed(1)} s, the world named by ${Object.keys(forms).join(', ')} in turn.`,
  )
}

/** Asks each replica by itself which worlds it holds; returns the index of the replica of each world. */
function locate() {
  return Promise.all(
    names.map(async (name) => {
      const holds = async ({ origin }) =>
        isMarked(name, await asWorld(origin, name, () => 'header')('GET', '/api/pipelines'))
      const found = await Promise.all(replicas.map(holds))
      const count = found.filter(Boolean).length
      if (count !== 1)
        onFlaw({ kind: 'split', text: `${name}: its records are in ${count} replicas, not in one` })
      return found.indexOf(true)
    }),
  )
}

/**
 * Checks the replies while the last replica is stopped, after its removal from the list, and after its
 * return.
 */
async function checkAbsence() {
  const gone = replicas.length - 1
  await replicas[gone].stop()
  const away = await survey((name, isGone, reply) =>
    isGone ? reply.status === 502 && reply.body?.error?.code === 502 : isMarked(name, reply),
  )
  say(`Replica ${gone + 1} stops: its ${away.gone} worlds answer error 502, the other ${away.others} go on.`)
  await balancer.reconfigure(ports.slice(0, gone))
  const startsAgain = (name, isGone, reply) => reply.status === 200 && isMarked(name, reply) !== isGone
  const without = await survey(startsAgain)
  say(
    `It leaves the list: its ${without.gone} worlds start again elsewhere, the other ${without.others} go on.`,
  )
  replicas[gone] = await serve([...serveFlags, '--port', String(ports[gone])])
  await balancer.reconfigure(ports)
  const back = await survey(startsAgain)
  say(`It is back: its ${back.gone} worlds start again there, the other ${back.others} go on.`)
}

/**
 * Reads the pipelines of every world, and counts the correct replies by whether their replica was stopped.
 */
async function survey(isRight) {
  const counts = { gone: 0, others: 0 }
  await Promise.all(
    names.map(async (name, index) => {
      const isGone = homes[index] === replicas.length - 1
      const reply = await requestIn(name)('GET', '/api/pipelines')
      if (isRight(name, isGone, reply)) counts[isGone ? 'gone' : 'others']++
      else {
        const found = `HTTP ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`
        onFlaw({ kind: 'wrong', text: `${name} of replica ${homes[index] + 1}: ${found}` })
      }
    }),
  )
  return counts
}
