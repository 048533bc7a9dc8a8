import { startServer } from '../../scripts/lib/processes.mjs'
import { serveArguments } from '../lib/fixtures.mjs'
import { loadInterleaved } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline, postBackfill, putBackfill } from '../lib/workloads.mjs'

/** What keeping a journal costs. */
export async function measureJournal({ fixture, rounds, seconds }) {
  const none = [...serveArguments(fixture), '--journal', '0']
  const contestants = [
    { name: 'no journal', args: none },
    { name: 'journal of 1,000', args: serveArguments(fixture) },
  ]
  const servers = await Promise.all(contestants.map(({ args }) => startServer(args, pipeline.path)))
  const rows = []
  try {
    for (const workload of [pipeline, page, putBackfill, postBackfill]) {
      const targets = servers.map((server) => ({ server, request: workload }))
      const [without, kept] = await loadInterleaved(targets, { rounds, seconds })
      const ratios = [kept.rate / without.rate, without.cpu / kept.cpu]
      rows.push([workload.name, times(ratios[0]), times(ratios[1]), aimed(ratios[0], 0.75, true)])
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
  printTable(
    'a journal of 1,000 requests, to none',
    ['request', 'requests/s', 'CPU (none / kept)', 'aim (requests/s)'],
    rows,
  )
}
