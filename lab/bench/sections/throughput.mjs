import { startServer } from '../../lib/processes.mjs'
import { serveArguments, writeRecords } from '../lib/fixtures.mjs'
import { medians, takeRounds } from '../lib/load.mjs'
import { peer } from '../lib/paths.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline, postBackfill, putBackfill, workloads } from '../lib/workloads.mjs'

/** Requests per second and processor time per request, of this package and of what one might use instead. */
export async function measureThroughput({ folder, fixture, rounds, seconds, against }) {
  const records = await writeRecords(folder, fixture)
  const contestants = [
    { name: 'bare node:http', args: [peer('bare-http.mjs'), '{port}', records] },
    { name: 'hand-written Express 5', args: [peer('express.mjs'), '{port}', records] },
    { name: 'createApp in Express', args: [peer('understudy-app.mjs'), '{port}', fixture] },
    { name: 'understudy serve', args: serveArguments(fixture) },
    ...(against ? [{ name: 'the other build', args: serveArguments(fixture, against) }] : []),
  ]
  const samples = new Map(workloads.map((workload) => [workload, contestants.map(() => [])]))
  for (let start = 0; start < rounds; start += roundsOfOne) {
    const servers = await Promise.all(contestants.map(({ args }) => startServer(args, pipeline.path)))
    try {
      if (start === 0) await checkLengths(contestants, servers)
      for (const workload of workloads) {
        const targets = servers.map((server) => ({ server, request: workload }))
        const taken = await takeRounds(targets, { rounds: Math.min(roundsOfOne, rounds - start), seconds })
        for (const [index, all] of samples.get(workload).entries()) all.push(...taken[index])
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  for (const [workload, taken] of samples) print(workload, contestants, taken.map(medians))
}

/** So many rounds with one process of each: two of one program differ by up to a tenth, however long they are asked. */
const roundsOfOne = 2

/** What `serve` must reach, as a ratio to the bare server's requests per second. */
const toBareAtLeast = new Map([
  [pipeline, 0.6],
  [page, 0.6],
  [putBackfill, 0.75],
  [postBackfill, 0.65],
])

/** What each server must reach, as a ratio to another's requests per second. */
function aimOf(name, workload, express, bare) {
  const isRead = workload === pipeline || workload === page
  if (name === 'createApp in Express') return aimed(express, isRead ? 1.2 : 1, true)
  if (name !== 'understudy serve') return ''
  const toBare = `bare ${aimed(bare, toBareAtLeast.get(workload), true)}`
  return isRead ? `${aimed(express, 3, true)}; ${toBare}` : toBare
}

function print(workload, contestants, results) {
  const [bare, express] = results
  printTable(
    workload.name,
    [
      'server',
      'requests/s',
      'to Express',
      'to bare',
      'CPU µs/request',
      'Express CPU /',
      'bare CPU /',
      'aim (requests/s)',
    ],
    contestants.map(({ name }, index) => {
      const { rate, cpu } = results[index]
      const ratios = [rate / express.rate, rate / bare.rate, express.cpu / cpu, bare.cpu / cpu]
      const aim = aimOf(name, workload, ratios[0], ratios[1])
      return [
        name,
        Math.round(rate),
        times(ratios[0]),
        times(ratios[1]),
        cpu.toFixed(0),
        times(ratios[2]),
        times(ratios[3]),
        aim,
      ]
    }),
  )
}

/** Throws unless all servers send replies of the same length: otherwise the comparison is unfair. */
async function checkLengths(contestants, servers) {
  for (const { path } of [pipeline, page]) {
    const lengths = await Promise.all(
      servers.map(async ({ origin }) => (await (await fetch(origin + path)).text()).length),
    )
    for (const [index, { name }] of contestants.entries()) {
      if (lengths[index] === lengths[0]) continue
      throw new Error(`${name} answers ${path} with ${lengths[index]} characters, not ${lengths[0]}.`)
    }
  }
}
