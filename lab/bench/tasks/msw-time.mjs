// Prints, as JSON, the microseconds an MSW handler takes: ours and a static one of the same bytes, alone and by fetch.
import { readFileSync } from 'node:fs'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createHandlers } from '../../../dist/handlers/index.js'
import { createUnderstudy } from '../../../dist/index.js'
import { median } from '../../lib/statistics.mjs'
import { page, pipeline } from '../lib/workloads.mjs'

const [, , file, rounds] = process.argv
const origin = 'http://localhost'
const understudy = createUnderstudy({ fixture: JSON.parse(readFileSync(file, 'utf8')) })
const [ours] = createHandlers(understudy)
const server = setupServer()
server.listen({ onUnhandledRequest: 'error' })

const results = []
for (const { name, path } of [pipeline, page]) {
  const url = origin + path
  const { body, headers } = understudy.dispatch({ method: 'GET', url: path })
  const statics = http.get('*/api/*', () => new HttpResponse(body, { headers }))
  const viaFetch = async (handler) => {
    server.resetHandlers(handler)
    return timePer(500, async () => (await fetch(url)).text())
  }
  const alone = (handler) =>
    timePer(2_000, async () => {
      const { response } = await handler.run({ request: new Request(url), requestId: 'bench' })
      await response.text()
    })
  for (const [kind, measure] of [
    ['handler.run', alone],
    ['fetch', viaFetch],
  ]) {
    results.push({ name, kind, ...(await interleave(measure, statics)) })
  }
}
server.close()
console.log(JSON.stringify(results))

async function interleave(measure, statics) {
  const samples = { statics: [], ours: [] }
  for (let round = 0; round <= Number(rounds); round++) {
    const taken = [await measure(statics), await measure(ours)]
    // The first round warms up.
    if (round === 0) continue
    samples.statics.push(taken[0])
    samples.ours.push(taken[1])
  }
  return { statics: median(samples.statics), ours: median(samples.ours) }
}

async function timePer(count, run) {
  const start = process.cpuUsage()
  for (let index = 0; index < count; index++) await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}
