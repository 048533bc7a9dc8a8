import { startServer } from '../../scripts/lib/processes.mjs'
import { serveArguments } from '../lib/fixtures.mjs'
import { loadInterleaved } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, workloads } from '../lib/workloads.mjs'

/** What requests cost when there are a hundred times as many records. */
export async function measureVolume({ fixture, largeFixture, rounds, seconds }) {
  const [small, large] = await Promise.all(
    [fixture, largeFixture].map((file) => startServer(serveArguments(file), '/api/backfills?_limit=1')),
  )
  const deep = (offset) => ({
    ...page,
    name: 'last page',
    path: `/api/backfills?_limit=20&_offset=${offset}`,
  })
  const pairs = [
    ...workloads.slice(0, 2).map((workload) => [workload, workload]),
    [deep(980), deep(99_980)],
    ...workloads.slice(2).map((workload) => [workload, workload]),
  ]
  try {
    const rows = []
    for (const [one, other] of pairs) {
      const targets = [
        { server: small, request: one },
        { server: large, request: other },
      ]
      const [few, many] = await loadInterleaved(targets, { rounds, seconds })
      const ratio = many.cpu / few.cpu
      const aim = aimed(ratio, one.method === 'GET' ? 1.3 : 2, false)
      rows.push([
        one.name,
        few.cpu.toFixed(0),
        many.cpu.toFixed(0),
        times(ratio),
        times(few.rate / many.rate),
        aim,
      ])
    }
    printTable(
      'A hundred times the records (understudy serve)',
      ['request', 'CPU µs at 1,000', 'at 100,000', 'CPU ratio', 'by requests/s', 'aim (CPU)'],
      rows,
    )
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}
