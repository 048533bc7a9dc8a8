import { readFileSync } from 'node:fs'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers } from '../../../dist/handlers/index.js'
import { createUnderstudy } from '../../../dist/index.js'
import { median } from '../../lib/statistics.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { page, pipeline } from '../lib/workloads.mjs'

/** Compares the cost of the MSW handler with a handler that returns the same bytes from a constant. */
export async function measure({ fixture, rounds }) {
  const understudy = createUnderstudy({ fixture: JSON.parse(readFileSync(fixture, 'utf8')) })
  const [handler] = createHandlers(understudy)
  const rows = []
  for (const { name, path } of [pipeline, page]) {
    const { body, headers } = understudy.dispatch({ method: 'GET', url: path })
    const constant = http.get('*/api/*', () => new HttpResponse(body, { headers }))
    for (const [kind, measure] of Object.entries({ 'handler.run': runAlone, fetch: runByFetch })) {
      const taken = { constant: [], ours: [] }
      for (let round = 0; round <= rounds; round++) {
        const costs = [await measure(constant, path), await measure(handler, path)]
        // The first round warms up.
        if (round === 0) continue
        taken.constant.push(costs[0])
        taken.ours.push(costs[1])
      }
      const [floor, ours] = [median(taken.constant), median(taken.ours)]
      const ratio = ours / floor
      const cells = [floor.toFixed(1), ours.toFixed(1), times(ratio), aimed(ratio, 1.1, false)]
      rows.push([`${name}, ${kind}`, ...cells])
    }
  }
  const head = ['request', 'static handler', 'createHandlers', 'ratio', 'aim']
  printTable('MSW in Node (CPU µs per request)', head, rows)
}

function runAlone(handler, path) {
  return timePer(2_000, async () => {
    const request = new Request(`http://localhost${path}`)
    const { response } = await handler.run({ request, requestId: 'bench' })
    await response.text()
  })
}

async function runByFetch(handler, path) {
  const server = setupServer(handler)
  server.listen({ onUnhandledRequest: 'error' })
  try {
    return await timePer(500, async () => (await fetch(`http://localhost${path}`)).text())
  } finally {
    server.close()
  }
}

async function timePer(count, run) {
  const start = process.cpuUsage()
  for (let index = 0; index < count; index++) await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}
