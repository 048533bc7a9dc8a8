import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes, startServer } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'
import { serveArguments } from '../lib/fixtures.mjs'
import { aimed, printTable } from '../lib/table.mjs'

const path = '/api/pipelines?_limit=1'
const floorServer = `require('node:http').createServer((_, response) => response.end('{}')).listen(process.argv[1], '127.0.0.1')`

/** Measures the start of a server, its memory, and the time to load a large fixture. */
export async function measureStart({ largeFixture, rounds }) {
  const ours = await startRounds(serveArguments('demo'), rounds)
  const floor = await startRounds(['--eval', floorServer, '{port}'], rounds)
  const loaded = await measureLoad(largeFixture)
  printTable(
    'Start, memory, fixtures',
    ['what', 'measured', 'for comparison', 'aim'],
    [
      [
        'spawn to first reply, demo fixture, not the first time',
        `${ours.ready.toFixed(0)} ms`,
        `${floor.ready.toFixed(0)} ms empty node:http`,
        aimed(ours.ready, 130, false),
      ],
      [
        'resident memory then, demo fixture',
        `${ours.resident.toFixed(0)} MB`,
        `${floor.resident.toFixed(0)} MB empty node:http`,
        aimed(ours.resident, 150, false),
      ],
      ['createUnderstudy, 100,000 backfills', `${loaded.toFixed(0)} ms`, '', aimed(loaded, 3_000, false)],
    ],
  )
}

/** Starts a server several times; returns the medians of the time to its first reply, and of its memory. */
async function startRounds(args, rounds) {
  const starts = []
  for (let round = 0; round <= rounds; round++) {
    const server = await startServer(args, path)
    const resident = residentMegabytes(server.pid)
    // The first start fills the compile cache, as on any machine where the command is in use.
    if (round === 0) await sleep(1_000)
    else starts.push({ ready: server.readyAfter, resident })
    await server.stop()
  }
  return {
    ready: median(starts.map(({ ready }) => ready)),
    resident: median(starts.map(({ resident }) => resident)),
  }
}

async function measureLoad(file) {
  const { createUnderstudy } = await import('../../../dist/index.js')
  const fixture = JSON.parse(readFileSync(file, 'utf8'))
  const start = performance.now()
  createUnderstudy({ fixture })
  return performance.now() - start
}
