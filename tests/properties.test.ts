import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createUnderstudy, type Fixture, type Understudy } from '../src/index.ts'
import { toUuid } from '../src/shared/uuid-rule.ts'
import { company } from './support/company.ts'
import { samples } from './support/depth.ts'
import { expectSameState } from './support/expect-same-state.ts'

/** Printed in every failure; the same runs every time. */
const seed = 20_260_301

type Body = Record<string, unknown>

async function send(understudy: Understudy, method: string, url: string, json?: unknown): Promise<Body> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const reply = await understudy.dispatch({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    body,
  })
  // Whatever is sent, HTTP 500 would be a defect of ours. Asked of thousands of replies, `expect` alone would cost more than they.
  if (reply!.status !== 200)
    expect({ method, url, status: reply!.status }).toEqual({ method, url, status: 200 })
  return JSON.parse(reply!.body) as Body
}

const reports = (runs: number) => ({ seed, numRuns: samples(runs), verbose: 1 }) as const

const volume: Fixture = {
  pipelines: Array.from({ length: 23 }, (_, index) => ({ name: `p ${index}` })),
  pipeline_schedules: Array.from({ length: 31 }, (_, index) => ({
    pipeline_uuid: `p_${index % 3}`,
    tags: index % 2 === 0 ? ['even'] : [],
  })),
  backfills: Array.from({ length: 57 }, (_, index) => ({
    pipeline_uuid: `p_${index % 5}`,
    created_at: `-${(index * 7) % 11}d`,
  })),
  pipeline_runs: Array.from({ length: 41 }, (_, index) => ({
    pipeline_schedule_id: 1,
    pipeline_uuid: 'p_0',
    status: 'completed',
    created_at: `-${index % 4}h`,
  })),
  custom: { colours: Array.from({ length: 13 }, (_, index) => ({ index })) },
}
const lists: readonly [path: string, plural: string, key: string, total: number][] = [
  ['/api/pipelines?', 'pipelines', 'uuid', 23],
  ['/api/backfills?', 'backfills', 'id', 57],
  ['/api/backfills?pipeline_uuid=p_3&', 'backfills', 'id', 11],
  ['/api/pipelines/p_4/backfills?', 'backfills', 'id', 11],
  ['/api/pipeline_schedules?', 'pipeline_schedules', 'id', 31],
  ['/api/pipelines/p_0/pipeline_schedules?tag[]=even&', 'pipeline_schedules', 'id', 6],
  ['/api/pipeline_runs?', 'pipeline_runs', 'id', 41],
  ['/api/pipeline_schedules/1/pipeline_runs?status=completed&', 'pipeline_runs', 'id', 41],
  ['/api/colours?', 'colours', 'id', 13],
]

it('cuts every list into pages that are disjoint and complete, in the order of the whole', async () => {
  const understudy = createUnderstudy({ fixture: volume })
  const read = async (path: string, plural: string, key: string) => {
    const { [plural]: records, metadata } = (await send(understudy, 'GET', path)) as Record<string, Body[]>
    return { keys: records!.map((record) => record[key]), metadata }
  }

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.integer({ min: 1, max: 70 }),
      fc.nat(70),
      async ([path, plural, key, total], limit, offset) => {
        const whole = (await read(path, plural, key)).keys
        expect(whole).toHaveLength(total)
        expect(new Set(whole).size).toBe(total)
        const seen: unknown[] = []
        for (let start = offset; start === offset || start < total; start += limit) {
          const { keys, metadata } = await read(`${path}_limit=${limit}&_offset=${start}`, plural, key)
          expect(keys.length).toBe(Math.max(0, Math.min(limit, total - start)))
          expect(metadata).toEqual({ count: total, next: start + limit < total })
          seen.push(...keys)
        }
        expect(seen).toEqual(whole.slice(offset))
      },
    ),
    reports(120),
  )
})

it('cuts the files of a log entry into pages that are disjoint and complete', async () => {
  const understudy = createUnderstudy({
    fixture: {
      pipelines: [{ name: 'p', blocks: [{ name: 'b', type: 'custom' }] }],
      logs: Array.from({ length: 37 }, (_, index) => ({
        pipeline_uuid: 'p',
        name: `${index}.log`,
        block_uuid: index % 3 === 0 ? 'b' : null,
        created_at: `-${index % 5}h`,
      })),
    },
  })
  type Entry = { block_run_logs: Body[]; pipeline_run_logs: Body[] }
  const read = async (query: string) => {
    const { logs } = (await send(understudy, 'GET', `/api/pipelines/p/logs?${query}`)) as { logs: [Entry] }
    return [logs[0].block_run_logs.map(({ name }) => name), logs[0].pipeline_run_logs.map(({ name }) => name)]
  }
  const [blocks, pipelines] = await read('')
  expect([blocks!.length, pipelines!.length]).toEqual([13, 24])

  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
      const seen: unknown[][] = [[], []]
      for (let start = 0; start < 37; start += limit) {
        for (const [index, names] of (await read(`_limit=${limit}&_offset=${start}`)).entries()) {
          seen[index]!.push(...names)
        }
      }
      expect(seen).toEqual([blocks, pipelines])
    }),
    reports(40),
  )
})

const names = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('a', 'B', '9', '-', ' ', '_', 'Ü', 'ß', 'İ', '数', '🚚', '/', '.'),
    minLength: 1,
  }),
)

it('makes uuids of letters, digits and underscores, in which hyphens and spaces are underscores', () => {
  fc.assert(
    fc.property(names, (name) => {
      const uuid = toUuid(name)
      expect(uuid).toMatch(/^[\p{L}\p{N}_]+$/u)
      expect(uuid).toBe(uuid.toLowerCase())
      expect(toUuid(uuid)).toBe(uuid)
      expect(toUuid(name.replaceAll('-', ' '))).toBe(uuid)
      expect(toUuid(name.replaceAll(/[- ]/g, '_'))).toBe(uuid)
    }),
    reports(500),
  )
})

it('finds a pipeline and a block of any name by the uuid that its creation derived', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const understudy = createUnderstudy()
      const created = (await send(understudy, 'POST', '/api/pipelines', {
        pipeline: { name, type: 'python' },
      })) as {
        pipeline: Body
      }
      const { uuid } = created.pipeline
      const path = `/api/pipelines/${encodeURIComponent(String(uuid))}`
      await send(understudy, 'POST', `${path}/blocks`, { block: { name, type: 'custom' } })
      const read = (await send(understudy, 'GET', path)) as { pipeline: Body & { blocks: Body[] } }
      const block = (await send(understudy, 'GET', `${path}/blocks/${encodeURIComponent(String(uuid))}`)) as {
        block: Body
      }

      expect(read.pipeline.name).toBe(name)
      expect(read.pipeline.blocks.map((shown) => shown.uuid)).toEqual([uuid])
      expect(block.block.name).toBe(name)
    }),
    reports(150),
  )
})

const blockName = fc.constantFrom('a', 'b', 'c', 'd')
const pipelineUuid = fc.constantFrom('one', 'two')
const blockStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('create' as const),
      pipeline: pipelineUuid,
      name: blockName,
      upstream: fc.array(fc.oneof(blockName, fc.constant('nobody'), fc.constant('')), { maxLength: 4 }),
      priority: fc.option(fc.nat(7), { nil: undefined }),
      alsoIn: fc.subarray(['one', 'two']),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('update' as const),
      pipeline: pipelineUuid,
      name: blockName,
      upstream: fc.option(fc.array(blockName, { maxLength: 4 }), { nil: undefined }),
      priority: fc.option(fc.nat(7), { nil: undefined }),
      status: fc.option(fc.constantFrom('executed', 'failed'), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('delete' as const),
      pipeline: pipelineUuid,
      name: blockName,
      force: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('clone' as const), pipeline: pipelineUuid }) },
)

const linked: Fixture = {
  pipelines: ['one', 'two'].map((uuid) => ({
    uuid,
    blocks: [
      { name: 'a', type: 'data_loader' },
      { name: 'b', type: 'transformer', upstream_blocks: ['a'] },
      { name: 'c', type: 'data_exporter', upstream_blocks: ['a', 'b'] },
    ],
  })),
}

it('preserves symmetric links of blocks through random changes', async () => {
  const seen = { links: 0, unlinked: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(blockStep, { minLength: 8, maxLength: 25, size: 'max' }), async (steps) => {
      const understudy = createUnderstudy({
        fixture: linked,
      })
      let before = 0
      for (const [index, step] of steps.entries()) {
        const path = `/api/pipelines/${step.pipeline}/blocks`
        if (step.does === 'create') {
          const { name, upstream, priority, alsoIn } = step
          const block = { name, type: 'custom', upstream_blocks: upstream, priority, pipelines: alsoIn }
          await send(understudy, 'POST', path, { block })
        } else if (step.does === 'update') {
          const { upstream, priority, status } = step
          await send(understudy, 'PUT', `${path}/${step.name}`, {
            block: { upstream_blocks: upstream, priority, status },
          })
        } else if (step.does === 'delete') {
          await send(understudy, 'DELETE', `${path}/${step.name}${step.force ? '?force=True' : ''}`)
        } else {
          const pipeline = { name: `copy ${index}`, type: 'python', clone_pipeline_uuid: step.pipeline }
          await send(understudy, 'POST', '/api/pipelines', { pipeline })
        }
        const links = expectWholeLinks(understudy)
        if (links < before && step.does === 'delete') seen.unlinked++
        seen.links = Math.max(seen.links, links)
        before = links
      }
    }),
    reports(150),
  )
  // The sequences must have come to something, or the checks above would have had nothing to see.
  expect(seen.links).toBeGreaterThan(8)
  expect(seen.unlinked).toBeGreaterThan(samples(100))
})

/** Checks the links of all blocks, and counts them. */
function expectWholeLinks({ model }: Understudy): number {
  let count = 0
  for (const { uuid: pipeline } of model.pipelines.findMany()) {
    const blocks = model.blocks.findMany((q) => q.where({ pipeline_uuid: pipeline }))
    const links = (attribute: 'upstream_blocks' | 'downstream_blocks') =>
      blocks.flatMap((block) => block[attribute].map((other) => [block.uuid, other] as const))
    const upstream = links('upstream_blocks')
    const known = new Set(blocks.map(({ uuid }) => uuid))
    const executed = new Set(blocks.filter(({ status }) => status === 'executed').map(({ uuid }) => uuid))

    expect(upstream.filter(([, other]) => !known.has(other))).toEqual([])
    expect(new Set(upstream.map(([block, other]) => `${other} -> ${block}`)).size).toBe(upstream.length)
    expect(upstream.map(([block, other]) => `${other} -> ${block}`).sort()).toEqual(
      links('downstream_blocks')
        .map(([block, other]) => `${block} -> ${other}`)
        .sort(),
    )
    expect(blocks.map(({ priority }) => priority).sort()).toEqual(blocks.map((_, index) => index))
    expect(blocks.map((block) => [block.uuid, block.all_upstream_blocks_executed])).toEqual(
      blocks.map((block) => [block.uuid, block.upstream_blocks.every((other) => executed.has(other))]),
    )
    count += upstream.length
  }
  return count
}

type WrittenRequest = readonly [method: string, url: string, json?: unknown]

const id = fc.integer({ min: 1, max: 9 })
const date = fc.constantFrom('2026-02-26 00:00:00', '2026-02-27 12:00:00', '2026-03-01 00:00:00')
const anyWrite: fc.Arbitrary<WrittenRequest> = fc.oneof(
  fc.constant(['POST', '/api/pipeline_schedules/2/pipeline_runs/hand-token', { a: 1 }] as const),
  fc.constant(['POST', '/api/pipeline_schedules/1/pipeline_runs', { pipeline_run: {} }] as const),
  fc
    .tuple(id, fc.constantFrom('running', 'initial', 'completed', 'failed', 'cancelled'))
    .map(([id, status]): WrittenRequest => ['PUT', `/api/pipeline_runs/${id}`, { pipeline_run: { status } }]),
  fc
    .tuple(id, fc.constantFrom('initial', 'cancelled', 'running', 'failed', 'completed'))
    .map(([id, status]): WrittenRequest => ['PUT', `/api/backfills/${id}`, { backfill: { status } }]),
  fc
    .tuple(date, date, fc.constantFrom('day', 'hour', 'week', 'custom'))
    .map(
      ([start_datetime, end_datetime, interval_type]): WrittenRequest => [
        'POST',
        '/api/pipelines/daily_sales/backfills',
        { backfill: { name: 'write', start_datetime, end_datetime, interval_type, interval_units: 6 } },
      ],
    ),
  id.map((id): WrittenRequest => ['DELETE', `/api/backfills/${id}`]),
  id.map((id): WrittenRequest => ['DELETE', `/api/pipeline_runs/${id}`]),
  fc.constant([
    'POST',
    '/api/pipelines/daily_sales/blocks',
    { block: { name: 'new', type: 'custom' } },
  ] as const),
  fc.constant(['DELETE', '/api/pipelines/daily_sales/blocks/sum_up?force=1'] as const),
  fc
    .constantFrom('archive', 'daily_sales')
    .map((uuid): WrittenRequest => ['DELETE', `/api/pipelines/${uuid}`]),
  fc.constant(['DELETE', '/api/pipeline_schedules/1'] as const),
  fc.constant(['POST', '/api/sessions', { session: { username: 'mira', password: 'lantern' } }] as const),
  fc.constant(['POST', '/api/projects', { project: { name: 'write' } }] as const),
)
const reads: readonly WrittenRequest[] = [
  ['GET', '/api/pipelines?include_schedules=1'],
  ['GET', '/api/backfills?include_run_count=true'],
  ['GET', '/api/pipeline_schedules'],
  ['GET', '/api/pipeline_runs'],
  ['GET', '/api/pipelines/daily_sales/blocks'],
  ['GET', '/api/pipelines/daily_sales/logs'],
  ['GET', '/api/projects'],
]
const wait = fc.integer({ min: 0, max: 9_000 })
const steps = fc.array(fc.record({ write: anyWrite, wait }), { minLength: 2, maxLength: 12, size: 'max' })

async function sendAll(understudy: Understudy, requests: readonly WrittenRequest[]): Promise<Body[]> {
  const replies: Body[] = []
  for (const [method, url, json] of requests) replies.push(await send(understudy, method, url, json))
  return replies
}

it('imports its own export, and behaves the same afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const one = createUnderstudy({ fixture: company })
      for (const { write, wait } of before) {
        await sendAll(one, [write])
        one.clock.advance(wait)
      }
      const written = JSON.stringify(one.export())
      const other = createUnderstudy({ fixture: JSON.parse(written) as Fixture })
      const third = createUnderstudy({ clock: { now: () => one.clock.now() } })
      third.import(JSON.parse(written) as Fixture)

      expect(JSON.stringify(other.export())).toBe(written)
      expect(JSON.stringify(third.export())).toBe(written)
      for (const { write, wait } of after) {
        const reply = await sendAll(one, [write, ...reads])
        expectSameState(await sendAll(other, [write, ...reads]), reply)
        expectSameState(await sendAll(third, [write, ...reads]), reply)
        one.clock.advance(wait)
        other.clock.advance(wait)
      }
      expect(await sendAll(other, reads)).toEqual(await sendAll(one, reads))
    }),
    reports(60),
  )
})

it('leaves no reference to a deleted record after random changes', async () => {
  const references: readonly [
    plural: 'backfills' | 'pipeline_runs' | 'logs' | 'pipeline_schedules' | 'blocks',
    string,
    string,
    string,
  ][] = [
    ['blocks', 'pipeline_uuid', 'pipelines', 'uuid'],
    ['pipeline_schedules', 'pipeline_uuid', 'pipelines', 'uuid'],
    ['backfills', 'pipeline_uuid', 'pipelines', 'uuid'],
    ['backfills', 'pipeline_schedule_id', 'pipeline_schedules', 'id'],
    ['pipeline_runs', 'pipeline_schedule_id', 'pipeline_schedules', 'id'],
    ['pipeline_runs', 'pipeline_uuid', 'pipelines', 'uuid'],
    ['pipeline_runs', 'backfill_id', 'backfills', 'id'],
    ['logs', 'pipeline_uuid', 'pipelines', 'uuid'],
    ['logs', 'pipeline_run_id', 'pipeline_runs', 'id'],
  ]
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const understudy = createUnderstudy({ fixture: company })
      for (const { write, wait } of steps) {
        await sendAll(understudy, [write])
        understudy.clock.advance(wait)
      }
      const state = understudy.export() as Record<string, Body[]>
      for (const [plural, attribute, parents, key] of references) {
        const known = new Set([null, ...state[parents]!.map((record) => record[key])])
        expect(state[plural]!.filter((record) => !known.has(record[attribute] as never))).toEqual([])
      }
    }),
    reports(80),
  )
})
