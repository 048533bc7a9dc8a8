import { startServer } from '../../lib/processes.mjs'
import { peer, serveArguments, writeRecords } from '../lib/fixtures.mjs'
import { medians, takeRounds } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline, workloads } from '../lib/workloads.mjs'

/** Measures requests per second and processor time per request, of this package and of a bare server. */
export async function measureThroughput({ folder, fixture, rounds, seconds, against }) {
  const records = await writeRecords(folder, fixture)
  const contestants = [
    { name: 'bare node:http', args: [peer('bare-http.mjs'), '{port}', records] },
    { name: 'createApp in Express', args: [peer('understudy-app.mjs'), '{port}', fixture] },
    { name: 'pipeline-understudy serve', args: serveArguments(fixture) },
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

/**
 * Number of rounds with the same processes. Two processes of one program differ by up to a tenth, regardless
 * of the duration.
 */
const roundsOfOne = 2

/** Compares `serve` with the bare server: reads by requests per second, writes by processor time per request. */
function aimOf(name, workload, { rate, cpu }, bare) {
  if (name !== 'pipeline-understudy serve') return ''
  const isRead = workload === pipeline || workload === page
  return isRead ? `rate ${aimed(rate / bare.rate, 1, true)}` : `CPU ${aimed(bare.cpu / cpu, 0.7, true)}`
}

function print(workload, contestants, results) {
  const [bare] = results
  const rows = contestants.map(({ name }, index) => {
    const { rate, cpu } = results[index]
    return [
      name,
      Math.round(rate),
      times(rate / bare.rate),
      cpu.toFixed(0),
      times(bare.cpu / cpu),
      aimOf(name, workload, results[index], bare),
    ]
  })
  const head = ['server', 'requests/s', 'to bare', 'CPU µs/request', 'bare CPU /', 'aim (to bare)']
  printTable(workload.name, head, rows)
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
