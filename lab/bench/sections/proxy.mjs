import { once } from 'node:events'
import { Agent, request as send } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cli, startServer } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'
import { peer, writeReplies } from '../lib/fixtures.mjs'
import { aimed, printTable } from '../lib/table.mjs'
import { page, pipeline, putBackfill } from '../lib/workloads.mjs'

/** Maximum added latency in milliseconds, and maximum ratio to a bare proxy. */
const aims = { added: 1, ratio: 1.1 }
/** Milliseconds between two requests of a typical app. */
const pause = 4
/** Number of requests to each server before the measurement. */
const warmUp = 1_000

/** Measures the latency that `proxy` adds while it records, beside a proxy that only pipes. */
export async function measure({ folder, fixture, rounds, seconds }) {
  const target = await startServer([peer('bare-http.mjs'), await writeReplies(folder, fixture)])
  const out = join(folder, 'traffic.har')
  const [bare, ours] = await Promise.all([
    startServer([peer('bare-proxy.mjs'), target.origin]),
    startServer([cli, 'proxy', target.origin, '--port', '0', '--out', out]),
  ])
  const servers = [target, bare, ours]
  const rows = []
  try {
    for (const workload of [pipeline, page, putBackfill]) {
      const taken = servers.map(() => [])
      const clients = servers.map(({ origin }) => createClient(origin))
      for (const client of clients) for (let round = 0; round < warmUp; round++) await client(workload)
      const count = Math.round((seconds * 1_000) / (pause + 1))
      for (let round = 0; round < rounds * count; round++)
        for (const [index, client] of clients.entries()) {
          const milliseconds = await client(workload)
          taken[index].push(milliseconds)
          await sleep(pause)
        }
      const [direct, piped, recorded] = taken.map(median)
      const cells = [direct, piped, recorded].map((value) => value.toFixed(3))
      const added = recorded - direct
      const ratio = recorded / piped
      rows.push([
        workload.name,
        ...cells,
        added.toFixed(3),
        aimed(added, aims.added, false),
        ratio.toFixed(2),
        aimed(ratio, aims.ratio, false),
      ])
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const head = ['request', 'direct ms', 'bare proxy', 'proxy --out', 'added', 'aim', 'to bare', 'aim']
  printTable('latency through a proxy, medians', head, rows)
}

/** Creates a function that sends a request on one connection, and returns how long the reply took. */
function createClient(origin) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async ({ method, path, body }) => {
    const start = performance.now()
    const text = body && JSON.stringify(body)
    const headers = text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const [reply] = await once(send(origin + path, { method, agent, headers }).end(text), 'response')
    await once(reply.resume(), 'end')
    return performance.now() - start
  }
}
