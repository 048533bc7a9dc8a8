import { setTimeout as sleep } from 'node:timers/promises'
import { serveArguments, startServer } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'
import { aimed, printTable } from '../lib/table.mjs'

const emptyServer = `const server = require('node:http').createServer((_, response) => response.end('{}'))
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

/** Measures the milliseconds from the start of a process to its first reply. */
export async function measure({ rounds }) {
  const measured = await startRounds(serveArguments(['--fixture', 'demo']), rounds)
  const empty = await startRounds(['--eval', emptyServer], rounds)
  printTable(
    'Start, not the first time',
    ['server', 'ms to the first reply', 'aim'],
    [
      ['empty node:http', empty.toFixed(0), ''],
      ['serve, demo fixture', measured.toFixed(0), aimed(measured, 130, false)],
    ],
  )
}

/** Starts a server several times; returns the median. */
async function startRounds(args, rounds) {
  const taken = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    const server = await startServer(args)
    await (await fetch(`${server.origin}/api/pipelines?_limit=1`)).text()
    // The first start fills the compile cache, as on any machine where the command is in use.
    if (round === 0) await sleep(1_000)
    else taken.push(performance.now() - start)
    await server.stop()
  }
  return median(taken)
}
