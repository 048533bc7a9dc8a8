// Preloaded into a server (--import): on a message, sends the longest block of the event loop since the last
// message, and the total processor time, in milliseconds.
const spent = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

let longest = 0
let last = { at: performance.now(), spent: spent() }

/** Measures a block by its processor time: on a busy machine, more real time may pass. */
function sample() {
  const now = { at: performance.now(), spent: spent() }
  longest = Math.max(longest, Math.min(now.at - last.at, now.spent - last.spent))
  last = now
}

setInterval(sample, 2).unref()
process.on('message', (message) => {
  if (message !== 'loop') return
  sample()
  process.send({ longest, spent: last.spent })
  longest = 0
})
