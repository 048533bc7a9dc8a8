import autocannon from 'autocannon'
import { cpuSeconds, startServer } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'

const connections = 32

/** Loads a server for a while; returns its requests per second and its microseconds of processor time per request. */
async function loadOnce({ origin, pid }, { method, path, body }, seconds) {
  const before = cpuSeconds(pid)
  const start = performance.now()
  const result = await autocannon({
    url: `${origin}${path}`,
    method,
    connections,
    duration: seconds,
    sampleInt: 100,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const elapsed = (performance.now() - start) / 1000
  const answered = result.requests.total
  if (result.errors > 0 || result.non2xx > 0 || answered === 0) {
    throw new Error(
      `${method} ${origin}${path}: ${result.errors} errors, ${result.non2xx} of ${answered} not 2xx`,
    )
  }
  return { rate: answered / elapsed, cpu: ((cpuSeconds(pid) - before) * 1e6) / answered }
}

/**
 * Loads each server with each request in turn. Returns the medians of several rounds by request, and below by
 * server.
 *
 * @param {readonly (readonly string[])[]} servers - the arguments for Node that start each server
 */
export async function compareServers(servers, requests, { rounds, seconds }) {
  const taken = requests.map(() => servers.map(() => []))
  for (let round = 0; round < rounds; round++) {
    // Two processes of one program differ by up to a tenth, so each round has its own.
    const started = await Promise.all(servers.map((args) => startServer(args)))
    for (const [row, request] of requests.entries())
      for (const [column, server] of started.entries()) {
        await loadOnce(server, request, 1)
        taken[row][column].push(await loadOnce(server, request, seconds))
      }
    await Promise.all(started.map((server) => server.stop()))
  }
  const mediansOf = (samples) => ({
    rate: median(samples.map(({ rate }) => rate)),
    cpu: median(samples.map(({ cpu }) => cpu)),
  })
  return taken.map((columns) => columns.map(mediansOf))
}
