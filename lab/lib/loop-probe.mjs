// Loaded into a server before anything else (--import): says, when asked, the longest time for which its loop has served
// nobody since it was asked last, the longest collection of garbage among that, and the processor time it has used until
// then, in milliseconds.
import { PerformanceObserver } from 'node:perf_hooks'

const spent = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

let longest = 0
let collected = 0
let last = { at: performance.now(), spent: spent() }

/** A turn of the loop took so long as it was at work: on a busy machine, more may pass while nothing is done. */
function look() {
  const now = { at: performance.now(), spent: spent() }
  longest = Math.max(longest, Math.min(now.at - last.at, now.spent - last.spent))
  last = now
}

setInterval(look, 2).unref()
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collected = Math.max(collected, duration)
}).observe({ entryTypes: ['gc'] })
process.on('message', (message) => {
  if (message !== 'loop') return
  look()
  process.send({ longest, collected, spent: last.spent })
  longest = 0
  collected = 0
})
