import { createWriteStream, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { mockTraffic } from '../../contract-tests/tests/recorded-traffic.ts'
import { checkTraffic } from '../../contract-tests/traffic/check-traffic.ts'
import { readHar } from '../../src/traffic/read-har.ts'
import { harEnd, harStart, toHarEntry } from '../../src/traffic/write-har.ts'

/** Requests of one recorded session, and the pause until the next one, which is on a server of its own. */
const [sessionRequests, pause] = [60, 120_000]

/** Headers that a browser sends and receives besides: they are most of a HAR file of an API. */
const browserHeaders = Object.fromEntries(
  Array.from({ length: 14 }, (_, index) => [
    `x-header-${index}`,
    'a value of about forty characters of text',
  ]),
)

/** Writes a HAR file of at least so many bytes: sessions on servers of their own, one after the other. */
async function writeTraffic(path: string, bytes: number): Promise<void> {
  const session = await mockTraffic({ requests: sessionRequests })
  const file = createWriteStream(path)
  file.write(harStart())
  let written = 0
  for (let number = 0; written < bytes; number++) {
    for (const exchange of session) {
      const url = exchange.request.url.replace('mock.invalid', `mock-${number}.invalid`)
      const startedAt = exchange.startedAt + number * pause
      const headers = { ...browserHeaders, ...exchange.request.headers }
      const entry = toHarEntry({ ...exchange, startedAt, request: { ...exchange.request, url, headers } })
      const text = `${written === 0 ? '' : ',\n'}${JSON.stringify(entry)}`
      written += text.length
      if (!file.write(text)) await new Promise<void>((resolve) => file.once('drain', () => resolve()))
    }
  }
  file.end(harEnd)
  await finished(file)
}

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '100' } } })
const path = join(tmpdir(), `understudy-traffic-${process.pid}.har`)
await writeTraffic(path, Number(values.megabytes) * 1_000_000)
let peak = 0
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 50)
const [start, startedCpu] = [performance.now(), process.cpuUsage()]
const { counts } = await checkTraffic([readHar(path)])
const seconds = (performance.now() - start) / 1_000
const { user, system } = process.cpuUsage(startedCpu)
clearInterval(timer)
console.log({
  megabytes: Math.round(statSync(path).size / 1_000_000),
  exchanges: counts.read,
  followed: counts.followed,
  seconds: Number(seconds.toFixed(1)),
  exchangesPerSecond: Math.round(counts.read / seconds),
  // Of one core: the machine may be busy.
  exchangesPerCpuSecond: Math.round(counts.read / ((user + system) / 1_000_000)),
  peakMegabytes: Math.round(peak / 1_000_000),
})
rmSync(path)
