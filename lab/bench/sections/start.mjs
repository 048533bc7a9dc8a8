import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes, startServer } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'
import { serveArguments } from '../lib/fixtures.mjs'
import { demoFixture, peer } from '../lib/paths.mjs'
import { aimed, printTable } from '../lib/table.mjs'

const path = '/api/pipelines?_limit=1'

/** Measures the start of a server, its memory, and the time to load a large fixture. */
export async function measureStart({ largeFixture, rounds }) {
  await keepCompiled(serveArguments(demoFixture))
  const starts = await repeat(rounds, () => startAndStop(serveArguments(demoFixture)))
  const floor = await repeat(rounds, () => startAndStop(['--eval', floorServer, '{port}']))
  const load = await repeat(Math.min(rounds, 3), () => runTask('load-time.mjs', largeFixture))
  const ready = median(starts.map(({ readyAfter }) => readyAfter))
  const resident = median(starts.map((start) => start.resident))
  const bareReady = median(floor.map(({ readyAfter }) => readyAfter))
  const bareResident = median(floor.map((start) => start.resident))
  const loaded = median(load)
  printTable(
    'Start, memory, fixtures',
    ['what', 'measured', 'for comparison', 'aim'],
    [
      [
        'spawn to first reply, demo fixture, not the first time',
        `${ready.toFixed(0)} ms`,
        `${bareReady.toFixed(0)} ms empty node:http`,
        aimed(ready, 130, false),
      ],
      [
        'resident memory then, demo fixture',
        `${resident.toFixed(0)} MB`,
        `${bareResident.toFixed(0)} MB empty node:http`,
        aimed(resident, 150, false),
      ],
      ['createUnderstudy, 100,000 backfills', `${loaded.toFixed(0)} ms`, '', aimed(loaded, 3_000, false)],
    ],
  )
}

const floorServer = `require('node:http').createServer((_, response) => response.end('{}')).listen(process.argv[1], '127.0.0.1')`

/** Starts a server long enough to fill its compile cache, as on any machine where it is in use. */
async function keepCompiled(args) {
  const server = await startServer(args, path)
  await sleep(1_000)
  await server.stop()
}

async function startAndStop(args) {
  const server = await startServer(args, path)
  const resident = residentMegabytes(server.pid)
  await server.stop()
  return { readyAfter: server.readyAfter, resident }
}

/** Runs a task in a process of its own; it prints a number of milliseconds. */
function runTask(name, ...args) {
  return Number(execFileSync(process.execPath, [peer(`../tasks/${name}`), ...args], { encoding: 'utf8' }))
}

async function repeat(times, run) {
  const results = []
  for (let index = 0; index < times; index++) results.push(await run())
  return results
}
