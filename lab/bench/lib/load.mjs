import autocannon from 'autocannon'
import { cpuSeconds } from '../../lib/processes.mjs'
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

/** Loads each target in turn, round after round, after one round to warm up; returns the rounds by target. */
export async function takeRounds(targets, { rounds, seconds }) {
  for (const { server, request } of targets) await loadOnce(server, request, Math.min(seconds, 1))
  const samples = targets.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { server, request }] of targets.entries()) {
      samples[index].push(await loadOnce(server, request, seconds))
    }
  }
  return samples
}

/** The medians of what rounds took. */
export function medians(taken) {
  return { rate: median(taken.map(({ rate }) => rate)), cpu: median(taken.map(({ cpu }) => cpu)) }
}
