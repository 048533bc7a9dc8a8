import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../lib/api-client.mjs'
import { readLoop, serveArguments, serveProbed, temporaryFolder } from '../../lib/processes.mjs'
import { median } from '../../lib/statistics.mjs'
import { writeFixture } from '../lib/fixtures.mjs'
import { compareServers } from '../lib/load.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'
import { workloads } from '../lib/workloads.mjs'

/** Maximum exponent of the time, maximum block of the event loop in milliseconds, and maximum ratio of the costs. */
const aims = { power: 1.2, apiBlock: 100, adminBlock: 1_000, records: 1.2 }
const admin = '/__understudy__/api/worlds/main'
/** A state is stored within about a second, in milliseconds. */
const untilStored = 2_500
/** Four numbers that double up to a limit, for the slope. */
const upTo = (limit) => [limit / 8, limit / 4, limit / 2, limit].map(Math.floor)

const listOf = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const blocksOf = (count) => listOf(count, (index) => ({ name: `b${index}`, type: 'custom' }))
const many = { name: 'many', blocks: [{ name: 'load', type: 'data_loader' }] }
const clock = '2026-01-01T00:00:00Z'
/** Creates a state of one pipeline with a number of backfills. */
const stateOf = (count) => ({
  clock,
  pipelines: [many],
  backfills: listOf(count, (index) => ({
    id: index + 1,
    name: `backfill ${index}`,
    pipeline_uuid: 'many',
    created_at: '2026-01-01 00:00:00',
  })),
})
const putState = (request, state) => request('PUT', `${admin}/state`, state)
const withBackfills = (request, count) => putState(request, stateOf(count))

/** API requests at the limits of SECURITY.md: the preparation of the server, and the measured request. */
const apiWorks = [
  {
    name: 'conditionals in one body',
    numbers: upTo(500),
    measure: (request, count) =>
      request('POST', '/api/pipelines', {
        pipeline: {
          name: 'conditional',
          type: 'python',
          conditionals: listOf(count, (index) => ({ name: `c${index}` })),
        },
      }),
  },
  {
    name: 'values of a body',
    numbers: upTo(19_000),
    prepare: (request) => withBackfills(request, 1),
    measure: (request, count) =>
      request('PUT', '/api/backfills/1', {
        backfill: { variables: Object.fromEntries(listOf(count, (index) => [`v${index}`, index])) },
      }),
  },
  {
    name: 'records of a whole list',
    numbers: upTo(10_000),
    prepare: withBackfills,
    measure: (request) => request('GET', '/api/backfills'),
  },
  {
    name: 'dependants of what is deleted',
    numbers: upTo(19_000),
    prepare: withBackfills,
    measure: (request) => request('DELETE', '/api/pipelines/many'),
  },
  {
    name: 'records when the first is written after a snapshot',
    numbers: upTo(100_000),
    async prepare(request, count) {
      await withBackfills(request, count)
      await request('PUT', `${admin}/snapshots/kept`, {})
    },
    measure: (request) => request('PUT', '/api/backfills/1', { backfill: { name: 'written' } }),
  },
  {
    name: 'blocks of a pipeline when one is added before them',
    numbers: upTo(1_999),
    prepare: (request, count) =>
      putState(request, { pipelines: [{ name: 'many', blocks: blocksOf(count) }] }),
    measure: (request) =>
      request('POST', '/api/pipelines/many/blocks', {
        block: { name: 'first', type: 'custom', priority: 0 },
      }),
  },
  {
    name: 'pipelines of 100 blocks in which one block is placed',
    numbers: upTo(48),
    prepare: (request, count) =>
      putState(request, {
        pipelines: listOf(count, (index) => ({ name: `p${index}`, blocks: blocksOf(100) })),
      }),
    measure: (request, count) =>
      request('POST', '/api/pipelines/p0/blocks', {
        block: {
          name: 'first',
          type: 'custom',
          priority: 0,
          pipelines: listOf(count, (index) => `p${index}`),
        },
      }),
  },
]

/** The admin requests whose work grows with a number. */
const adminWorks = [
  {
    name: 'dates of a backfill on 9 blocks',
    numbers: upTo(1_000),
    async prepare(request, count) {
      const end = new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString()
      await putState(request, {
        clock,
        pipelines: [{ name: 'many', blocks: blocksOf(9) }],
        backfills: [
          {
            pipeline_uuid: 'many',
            name: 'long',
            start_datetime: '2026-01-01 00:00:00',
            end_datetime: end.slice(0, 19).replace('T', ' '),
            interval_type: 'minute',
            interval_units: 1,
          },
        ],
      })
      await request('POST', `${admin}/clock/freeze`, {})
      await request('PUT', '/api/backfills/1', { backfill: { status: 'initial' } })
    },
    measure: (request) => request('POST', `${admin}/clock/advance`, { duration: '1m' }),
  },
  {
    name: 'hours of an advance with 100 schedules',
    numbers: upTo(20),
    async prepare(request) {
      const hourly = { pipeline_uuid: 'many', status: 'active', schedule_interval: '@hourly' }
      const pipeline_schedules = listOf(100, (index) => ({ name: `hourly ${index}`, ...hourly }))
      await putState(request, { clock, pipelines: [many], pipeline_schedules })
      await request('POST', `${admin}/clock/freeze`, {})
    },
    measure: (request, count) => request('POST', `${admin}/clock/advance`, { duration: `${count}h` }),
  },
  {
    name: 'records of a stored state, after a change',
    numbers: upTo(100_000),
    flags: () => ['--state', join(temporaryFolder('state'), 'state.json')],
    async prepare(request, count) {
      await withBackfills(request, count)
      await sleep(untilStored)
    },
    async measure(request) {
      await request('PUT', '/api/backfills/1', { backfill: { name: 'written' } })
      await sleep(untilStored)
    },
  },
  { name: 'records of an import', numbers: upTo(100_000), measure: withBackfills },
  {
    name: 'records of an export',
    numbers: upTo(100_000),
    prepare: withBackfills,
    measure: (request) => request('GET', `${admin}/state`),
  },
  {
    name: 'records of a scenario',
    numbers: upTo(100_000),
    measure: (request, count) =>
      request('POST', `${admin}/scenarios/start`, { description: 'Many records.', fixture: stateOf(count) }),
  },
  {
    name: 'records that a factory makes',
    numbers: upTo(10_000),
    prepare: (request) => putState(request, stateOf(0)),
    measure: (request, count) => request('POST', `${admin}/factories/backfill`, { count, values: {} }),
  },
  {
    name: 'requests of a journal as HAR, 60 KB each',
    numbers: upTo(800),
    async prepare(request, count) {
      await putState(request, stateOf(1))
      await request('DELETE', `${admin}/journal`)
      const variables = Object.fromEntries(listOf(1_500, (index) => [`v${index}`, 'x'.repeat(28)]))
      for (let index = 0; index < count; index++) {
        await request('PUT', '/api/backfills/1', { backfill: { name: `write ${index}`, variables } })
      }
    },
    measure: (request) => request('GET', `${admin}/journal.har`),
  },
]

/** Measures how the cost of requests grows with the records and with other numbers, and how long others wait. */
export async function measure({ folder, fixture, rounds, seconds }) {
  const fixtures = [fixture, writeFixture(folder, 100_000)]
  const servers = fixtures.map((file) => serveArguments(['--fixture', file]))
  const results = await compareServers(servers, workloads, { rounds, seconds })
  printTable(
    'CPU µs per request, with 1,000 and with 100,000 records',
    ['request', '1,000', '100,000', 'growth', 'aim'],
    results.map(([small, large], index) => {
      const ratio = large.cpu / small.cpu
      const cells = [
        small.cpu.toFixed(0),
        large.cpu.toFixed(0),
        times(ratio),
        aimed(ratio, aims.records, false),
      ]
      return [workloads[index].name, ...cells]
    }),
  )
  const rows = []
  for (const work of [...apiWorks, ...adminWorks]) {
    const found = []
    for (const number of work.numbers) found.push(await measureAt(work, number, Math.min(rounds, 3)))
    const power = slope(work.numbers, found)
    const longest = Math.max(...found.map(({ longest }) => longest))
    rows.push([
      `${work.name} (${work.numbers.at(-1)})`,
      found.map(({ spent }) => spent.toFixed(0)).join(', '),
      power.toFixed(2),
      aimed(power, aims.power, false),
      longest.toFixed(0),
      aimed(longest, adminWorks.includes(work) ? aims.adminBlock : aims.apiBlock, false),
    ])
  }
  printTable(
    'One request, at an eighth, a quarter, half and all of what it asks for',
    ['request', 'CPU ms', 'power', 'aim', 'longest block ms', 'aim'],
    rows,
  )
}

/** Measures the processor time of a request, and the longest delay of others: medians of several servers. */
async function measureAt({ flags = () => [], prepare, measure }, number, rounds) {
  const found = []
  for (let round = 0; round < rounds; round++) {
    const server = await serveProbed(['--fixture', 'empty', ...flags()])
    try {
      const request = async (method, path, json) => {
        const { status, body } = await send(server.origin, method, path, { json })
        if (status >= 300 || body?.error) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
      }
      await prepare?.(request, number)
      const before = await readLoop(server)
      await measure(request, number)
      const after = await readLoop(server)
      found.push({ spent: after.spent - before.spent, longest: after.longest })
    } finally {
      await server.stop('SIGKILL')
    }
  }
  return {
    spent: median(found.map(({ spent }) => spent)),
    longest: median(found.map(({ longest }) => longest)),
  }
}

/** Returns the exponent of growth: the slope of a line through the logarithms. */
function slope(numbers, found) {
  const points = numbers.map((number, index) => [Math.log(number), Math.log(found[index].spent)])
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  return above / below
}
