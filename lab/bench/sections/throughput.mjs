import { serveArguments } from '../../lib/processes.mjs'
import { peer, writeReplies } from '../lib/fixtures.mjs'
import { compareServers } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline, workloads } from '../lib/workloads.mjs'

/** Measures requests per second and processor time per request, of this package and of a bare server. */
export async function measure({ folder, fixture, against, ...effort }) {
  const contestants = {
    'bare node:http': [peer('bare-http.mjs'), await writeReplies(folder, fixture)],
    'pipeline-understudy serve': serveArguments(['--fixture', fixture]),
    ...(against && { 'the other build': serveArguments(['--fixture', fixture], against) }),
  }
  const results = await compareServers(Object.values(contestants), workloads, effort)
  for (const [index, workload] of workloads.entries()) {
    const [bare] = results[index]
    const rows = Object.keys(contestants).map((name, column) => {
      const { rate, cpu } = results[index][column]
      const [rateRatio, cpuRatio] = [rate / bare.rate, bare.cpu / cpu]
      const aim = column === 0 ? '' : aimOf(workload, rateRatio, cpuRatio)
      return [name, Math.round(rate), times(rateRatio), cpu.toFixed(0), times(cpuRatio), aim]
    })
    const head = ['server', 'requests/s', 'to bare', 'CPU µs/request', 'bare CPU /', 'aim (to bare)']
    printTable(workload.name, head, rows)
  }
}

/** Compares reads by requests per second, and writes by processor time per request. */
function aimOf(workload, rateRatio, cpuRatio) {
  const isRead = workload === pipeline || workload === page
  return isRead ? `rate ${aimed(rateRatio, 1, true)}` : `CPU ${aimed(cpuRatio, 0.7, true)}`
}
