import { residentMegabytes } from './processes.mjs'
import { thirds } from './statistics.mjs'

/** Maximum growth from the middle third of a run to the last one. */
const growth = { ratio: 1.1, megabytes: 15 }

/** Samples the memory of a server at an interval, in milliseconds; `stop` returns a summary. */
export function meterMemory(server, every) {
  const samples = []
  const sample = () => server.isRunning() && samples.push(residentMegabytes(server.pid))
  sample()
  const timer = setInterval(sample, every)
  return {
    stop() {
      clearInterval(timer)
      sample()
      const [first, middle, last] = thirds(samples)
      return {
        text: `Memory: ${first.toFixed(0)} MB in the first third, ${middle.toFixed(0)} MB in the middle, ${last.toFixed(0)} MB in the last.`,
        grows: last / middle > growth.ratio && last - middle > growth.megabytes,
      }
    },
  }
}
