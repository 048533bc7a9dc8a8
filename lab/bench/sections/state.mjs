import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readLoop, serveProbed } from '../../lib/processes.mjs'
import { loadInterleaved } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline, postBackfill, putBackfill } from '../lib/workloads.mjs'

/**
 * Maximum ratio of the processor time with and without a stored state, and maximum block of a write in
 * milliseconds.
 */
const aims = { cpu: 1.2, block: { '1,000': 100, '100,000': 1_000 } }

/**
 * Measures the cost of storing the state with few and with many records. The state is written once per
 * second.
 */
export async function measureState({ folder, fixture, largeFixture, rounds, seconds }) {
  for (const [size, path] of [
    ['1,000', fixture],
    ['100,000', largeFixture],
  ]) {
    await measure(size, path, { file: join(folder, `state-${size}.json`), rounds, seconds })
  }
}

async function measure(size, fixture, { file, rounds, seconds }) {
  const kinds = [[], ['--state', file]]
  const servers = await Promise.all(kinds.map((flags) => serveProbed(['--fixture', fixture, ...flags])))
  const rows = []
  try {
    for (const workload of [pipeline, page, putBackfill, postBackfill]) {
      const longest = [0, 0]
      const targets = servers.map((server) => ({ server, request: workload }))
      for (const server of servers) await readLoop(server)
      const [without, kept] = await loadInterleaved(targets, { rounds, seconds })
      for (const [index, server] of servers.entries()) longest[index] = (await readLoop(server)).longest
      const ratio = kept.cpu / without.cpu
      rows.push([
        workload.name,
        without.cpu.toFixed(0),
        kept.cpu.toFixed(0),
        times(ratio),
        aimed(ratio, aims.cpu, false),
        ...longest.map((block) => block.toFixed(0)),
        aimed(longest[1], aims.block[size], false),
      ])
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  printTable(
    `keeping the state of ${size} backfills (${(statSync(file).size / 2 ** 20).toFixed(1)} MB at the end)`,
    [
      'request',
      'CPU µs, none',
      'CPU µs, kept',
      'ratio',
      'aim',
      'longest block ms, none',
      'kept',
      'aim (kept)',
    ],
    rows,
  )
}
