// Preloaded into a server (--import): on a message, collects garbage and sends the memory usage.
process.on('message', () => {
  for (let round = 0; round < 3; round++) globalThis.gc()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send({ rss, heapUsed, external })
})
