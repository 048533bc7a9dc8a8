// npm run scale-out [-- --worlds 300 --steps 40 --seed 1]: several replicas behind nginx as
// docs/scale-out.md has them. Compares every reply with a mock in this process, then stops a replica and
// starts it again. Exit code 1 if a reply is wrong or from another world: so is each reply of a split world.
import { parseArgs } from 'node:util'
import { asWorld, forms, rotatingForms, send } from './lib/api-client.mjs'
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
const { ComparedWorld, comparedFixture, countDifferences } =
  await importTypeScript('lab/lib/compared-world.ts')
const { differences, onDifference } = countDifferences()
const serveFlags = ['--fixture', temporaryFile('fixture.json', comparedFixture), '--clock', 'frozen']
const replicas = await Promise.all([1, 2, 3].map(() => serve(serveFlags)))
const ports = replicas.map(({ port }) => port)
const balancer = await startBalancer(ports)
const names = Array.from({ length: Number(flags.worlds) }, (_, index) => `world-${index + 1}`)
const worlds = new Map()
const formNames = Object.keys(forms).join(', ')

startAgain(names)
await play(`${replicas.length} replicas behind nginx, each world named by ${formNames} in turn`)

await replicas[2].stop()
const lost = await namesOfLost()
const others = names.filter((name) => !lost.includes(name))
await play(`${lost.length} worlds answer error 502; the others continue`, others)

await balancer.reconfigure(ports.slice(0, 2))
startAgain(lost)
await play('Without this replica, its worlds start again elsewhere; the others continue')

replicas[2] = await serve([...serveFlags, '--port', String(ports[2])])
await balancer.reconfigure(ports)
startAgain(lost)
await play('It is back: its worlds start again there; the others continue')

await Promise.all([balancer, ...replicas].map((server) => server.stop()))
const isClean = differences.foreign + differences.wrong === 0
console.log(
  `foreign ${differences.foreign}, wrong ${differences.wrong}: ${isClean ? 'every reply was right.' : 'FAILED.'}`,
)
process.exit(isClean ? 0 : 1)

/** Expects that these worlds are equal to the fixture. */
function startAgain(these) {
  for (const name of these) {
    // Each request names the world in another form.
    const request = asWorld(balancer.origin, name, rotatingForms())
    worlds.set(name, new ComparedWorld({ name, seed: Number(flags.seed), request, onDifference }))
  }
}

/** Sends random requests in all these worlds at once. */
async function play(what, these = names) {
  console.log(`${what}: ${these.length} worlds, ${flags.steps} requests in each.`)
  const steps = Array.from({ length: Number(flags.steps) })
  await Promise.all(
    these.map(async (name) => {
      for (const _ of steps) await worlds.get(name).step()
    }),
  )
}

/** The worlds of the stopped replica. */
async function namesOfLost() {
  const isLost = async (name) => {
    const headers = { 'x-understudy-world': name }
    const { status, body } = await send(balancer.origin, 'GET', '/api/pipelines', { headers })
    return status === 502 && body.error?.code === 502
  }
  const found = await Promise.all(names.map(isLost))
  return names.filter((_, index) => found[index])
}
