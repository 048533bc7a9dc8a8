import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { trustFixture } from '../src/factories/given-fixtures.ts'
import { createUnderstudy, type Fixture, FixtureError } from '../src/index.ts'
import { openInMemory, pick, pluck, stateOf } from './support/api.ts'
import { company } from './support/company.ts'

const clock = '2026-03-01T09:00:00Z'

/** What is said of a broken fixture: path, expected, found. */
function flawOf(fixture: unknown): { path: string; expected: string; found: string } {
  try {
    createUnderstudy({ fixture: fixture as Fixture })
  } catch (error) {
    if (error instanceof FixtureError) return error.flaw
    throw error
  }
  throw new Error('The fixture was accepted.')
}

// ── What it may hold ────────────────────────────────────────────────────────────────────────────────────────────────

it.each([
  ['-2d', '2026-02-27 09:00:00.000000+00:00'],
  ['+20s', '2026-03-01 09:00:20.000000+00:00'],
  ['-1.5h', '2026-03-01 07:30:00.000000+00:00'],
  ['+250ms', '2026-03-01 09:00:00.250000+00:00'],
  ['-90m', '2026-03-01 07:30:00.000000+00:00'],
  ['-1w', '2026-02-22 09:00:00.000000+00:00'],
  ['now', '2026-03-01 09:00:00.000000+00:00'],
  ['2026-01-31 12:00:00', '2026-01-31 12:00:00.000000+00:00'],
  ['2026-01-31 12:00:00.123456+00:00', '2026-01-31 12:00:00.123456+00:00'],
])('reads the moment %s', (created_at, expected) => {
  const { model } = createUnderstudy({
    fixture: { clock, pipelines: [{ name: 'a' }], backfills: [{ pipeline_uuid: 'a', created_at }] },
  })

  expect(model.backfills.findFirst()).toMatchObject({ created_at: expected, updated_at: expected })
})

it('counts relative moments from the clock it runs on', () => {
  const fixture = { pipelines: [{ name: 'a' }], backfills: [{ pipeline_uuid: 'a', created_at: '-1d' }] }
  const own = createUnderstudy({ fixture, clock: { now: () => Date.UTC(2030, 5, 2) } })
  const frozen = createUnderstudy({ fixture })

  expect(own.model.backfills.findFirst()?.created_at).toBe('2030-06-01 00:00:00.000000+00:00')
  expect(frozen.model.backfills.findFirst()?.created_at).toBe('2025-12-31 00:00:00.000000+00:00')
})

it.each([
  ['2026-03-01T09:00:00Z', 1_772_355_600_000],
  ['2026-03-01T10:00:00+01:00', 1_772_355_600_000],
  ['2026-03-01 09:00:00', 1_772_355_600_000],
  ['2026-03-01 09:00:00.000000+00:00', 1_772_355_600_000],
])('starts its clock at %s', (start, now) => {
  expect(createUnderstudy({ fixture: { clock: start } }).clock.now()).toBe(now)
})

it('gives every record the defaults of what it lacks', async () => {
  const api = await openInMemory({
    fixture: {
      clock,
      users: [{}, { email: 'a@example.com' }],
      pipelines: [{ name: 'my pipeline' }, { uuid: 'bare' }],
      blocks: [{ pipeline_uuid: 'bare', name: 'a block' }],
      pipeline_schedules: [{ pipeline_uuid: 'bare' }],
      backfills: [{ pipeline_uuid: 'bare' }],
      pipeline_runs: [{ pipeline_uuid: 'bare', pipeline_schedule_id: 1 }],
      logs: [{ pipeline_uuid: 'bare' }],
    },
  })
  const now = '2026-03-01 09:00:00.000000+00:00'

  const pipelines = await api.get('/api/pipelines')
  expect(pipelines.records).toHaveLength(2)
  expect(pick(pipelines.records, 'uuid', 'bare')).toMatchObject({
    name: 'bare',
    type: 'python',
    executor_count: 1,
  })
  expect(pick(pipelines.records, 'uuid', 'my_pipeline')).toMatchObject({ name: 'my pipeline' })
  expect((await api.get('/api/pipelines/bare/blocks/a_block')).record).toMatchObject({
    type: 'custom',
    language: 'python',
    content: '',
    outputs: [],
  })
  expect((await api.get('/api/backfills/1')).record).toEqual({
    id: 1,
    name: 'backfill 1',
    pipeline_uuid: 'bare',
    pipeline_schedule_id: null,
    block_uuid: null,
    start_datetime: null,
    end_datetime: null,
    interval_type: null,
    interval_units: null,
    status: null,
    variables: null,
    metrics: null,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
    failed_at: null,
  })
  expect((await api.get('/api/pipeline_schedules/1')).record).toMatchObject({
    name: 'trigger 1',
    schedule_interval: '@once',
    status: 'inactive',
    start_time: now,
    token: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect((await api.get('/api/pipeline_runs/1')).record).toMatchObject({
    status: 'running',
    execution_date: now,
    variables: {},
  })
  expect((await api.get('/api/pipelines/bare/logs')).records).toMatchObject([
    { pipeline_run_logs: [{ name: 'pipeline.log', content: '' }], total_pipeline_run_log_count: 1 },
  ])
  expect(api.understudy.model.users.findMany()).toMatchObject([
    { id: 1, username: 'user1', email: 'user1@example.com' },
    { id: 2, username: 'a', email: 'a@example.com' },
  ])
})

it('takes blocks inside their pipeline and beside it alike', async () => {
  const blocks = [
    { name: 'load it', type: 'data_loader' },
    { name: 'use it', type: 'transformer', upstream_blocks: ['load_it'] },
  ]
  const nested = createUnderstudy({ fixture: { pipelines: [{ name: 'a', blocks }] } })
  const beside = createUnderstudy({
    fixture: {
      pipelines: [{ name: 'a' }],
      blocks: blocks.map((block, priority) => ({ ...block, pipeline_uuid: 'a', priority })),
    },
  })

  expect(stateOf(nested)).toEqual(stateOf(beside))
  expect(nested.model.blocks.findMany()).toMatchObject([
    { uuid: 'load_it', downstream_blocks: ['use_it'], all_upstream_blocks_executed: true, priority: 0 },
    { uuid: 'use_it', upstream_blocks: ['load_it'], all_upstream_blocks_executed: false, priority: 1 },
  ])
})

it('gives ids to records that have none without using one that is taken', () => {
  const { model } = createUnderstudy({
    fixture: {
      clock,
      pipelines: [{ name: 'a' }],
      backfills: [
        { pipeline_uuid: 'a', name: 'first' },
        { pipeline_uuid: 'a', name: 'second', id: 2 },
        { pipeline_uuid: 'a', name: 'third' },
      ],
    },
  })

  expect(model.backfills.findMany().map(({ id, name }) => [id, name])).toEqual([
    [3, 'first'],
    [2, 'second'],
    [4, 'third'],
  ])
})

it('takes records in any order and lists them by time', async () => {
  const run = (created_at: string) => ({
    pipeline_uuid: 'a',
    pipeline_schedule_id: 1,
    status: 'completed',
    created_at,
  })
  const api = await openInMemory({
    fixture: {
      clock,
      pipelines: [{ name: 'a' }],
      pipeline_schedules: [{ pipeline_uuid: 'a' }],
      pipeline_runs: [run('-1d'), run('-3d'), run('-2d')],
    },
  })

  expect(pluck((await api.get('/api/pipeline_runs')).records, 'id')).toEqual([1, 3, 2])
})

it('ends a run of a fixture when it says so', async () => {
  const api = await openInMemory({
    fixture: {
      clock,
      pipelines: [{ name: 'a' }],
      pipeline_schedules: [{ pipeline_uuid: 'a' }],
      pipeline_runs: [
        {
          pipeline_uuid: 'a',
          pipeline_schedule_id: 1,
          created_at: '-1m',
          ends_at: '+20s',
          ends_as: 'failed',
        },
      ],
    },
  })
  api.understudy.clock.advance('20s')

  expect((await api.get('/api/pipeline_runs/1')).record).toMatchObject({
    status: 'failed',
    completed_at: '2026-03-01 09:00:20.000000+00:00',
  })
})

it('keeps names in every script', async () => {
  const api = await openInMemory({
    fixture: { pipelines: [{ name: 'Übersicht – 東京 🚀', blocks: [{ name: 'ładuj' }] }] },
  })

  expect((await api.get(`/api/pipelines/${encodeURIComponent('übersicht___東京__')}`)).record).toMatchObject({
    name: 'Übersicht – 東京 🚀',
    blocks: [{ uuid: 'ładuj' }],
  })
})

it('loads an empty fixture, and one that only names its schema', () => {
  expect(createUnderstudy({ fixture: {} }).model.pipelines.count()).toBe(0)
  expect(createUnderstudy({ fixture: { $schema: './fixture.schema.json' } }).model.pipelines.count()).toBe(0)
})

// ── What is broken ──────────────────────────────────────────────────────────────────────────────────────────────────

const a = { name: 'a' }
it.each<readonly [what: string, fixture: unknown, path: string, expected: RegExp, found: string]>([
  ['an array', [], '$', /object/, '[]'],
  ['null', null, '$', /object/, 'null'],
  ['an unknown key', { pipeline: [] }, '$.pipeline', /pipelines/, '[]'],
  ['a session', { sessions: [] }, '$.sessions', /pipelines/, '[]'],
  ['an object for a list', { pipelines: {} }, '$.pipelines', /list/, '{}'],
  ['null for a list', { backfills: null }, '$.backfills', /list/, 'null'],
  ['null for a record', { pipelines: [a, null] }, '$.pipelines[1]', /object/, 'null'],
  ['a text for a record', { users: ['mira'] }, '$.users[0]', /object/, '"mira"'],
  ['a pipeline without a name', { pipelines: [{}] }, '$.pipelines[0].name', /string/, 'nothing'],
  ['a number for a name', { pipelines: [a, { name: 7 }] }, '$.pipelines[1].name', /string/, '7'],
  [
    'an unknown pipeline type',
    { pipelines: [{ ...a, type: 'batch' }] },
    '$.pipelines[0].type',
    /integration, pyspark, python, streaming/,
    '"batch"',
  ],
  [
    'an unknown attribute',
    { pipelines: [{ ...a, tpye: 'python' }] },
    '$.pipelines[0].tpye',
    /type/,
    '"python"',
  ],
  [
    'an unknown attribute of a nested block',
    { pipelines: [{ ...a, blocks: [{ name: 'x' }, { name: 'y', upstream: [] }] }] },
    '$.pipelines[0].blocks[1].upstream',
    /upstream_blocks/,
    '[]',
  ],
  [
    'an unknown type of a nested block',
    { pipelines: [{ ...a, blocks: [{ name: 'x', type: 'loader' }] }] },
    '$.pipelines[0].blocks[0].type',
    /data_loader/,
    '"loader"',
  ],
  [
    'an object for nested blocks',
    { pipelines: [{ ...a, blocks: { x: {} } }] },
    '$.pipelines[0].blocks',
    /list/,
    '{"x":{}}',
  ],
  [
    'a number among upstream blocks',
    { pipelines: [{ ...a, blocks: [{ name: 'x', upstream_blocks: [1] }] }] },
    '$.pipelines[0].blocks[0].upstream_blocks[0]',
    /string/,
    '1',
  ],
  [
    'an upstream block that is not there',
    { pipelines: [{ ...a, blocks: [{ name: 'x', upstream_blocks: ['nowhere'] }] }] },
    '$.pipelines[0].blocks[0].upstream_blocks[0]',
    /block/,
    '"nowhere"',
  ],
  [
    'two pipelines with one uuid',
    { pipelines: [{ name: 'a b' }, { name: 'a-b' }] },
    '$.pipelines[1].uuid',
    /no other record/,
    '"a_b"',
  ],
  [
    'two blocks with one uuid',
    { pipelines: [{ ...a, blocks: [{ name: 'x y' }, { name: 'x-y' }] }] },
    '$.pipelines[0].blocks[1].uuid',
    /no other record/,
    '"x_y"',
  ],
  [
    'two backfills with one id',
    {
      pipelines: [a],
      backfills: [
        { id: 3, pipeline_uuid: 'a' },
        { id: 3, pipeline_uuid: 'a' },
      ],
    },
    '$.backfills[1].id',
    /no other record/,
    '3',
  ],
  [
    'an id that is no number',
    { pipelines: [a], backfills: [{ id: 'x', pipeline_uuid: 'a' }] },
    '$.backfills[0].id',
    /number/,
    '"x"',
  ],
  [
    'an id below 1',
    { pipelines: [a], backfills: [{ id: 0, pipeline_uuid: 'a' }] },
    '$.backfills[0].id',
    /at least 1/,
    '0',
  ],
  [
    'a backfill without a pipeline',
    { backfills: [{ name: 'x' }] },
    '$.backfills[0].pipeline_uuid',
    /string/,
    'nothing',
  ],
  [
    'a backfill of an unknown pipeline',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'b' }] },
    '$.backfills[0].pipeline_uuid',
    /pipelines/,
    '"b"',
  ],
  [
    'a run of an unknown schedule',
    { pipelines: [a], pipeline_runs: [{ pipeline_uuid: 'a', pipeline_schedule_id: 9 }] },
    '$.pipeline_runs[0].pipeline_schedule_id',
    /pipeline_schedules/,
    '9',
  ],
  [
    'a token of an unknown user',
    { oauth_access_tokens: [{ token: 't', expires: '+1d', user_id: 1 }] },
    '$.oauth_access_tokens[0].user_id',
    /users/,
    '1',
  ],
  [
    'a moment that is none',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: 'yesterday' }] },
    '$.backfills[0].created_at',
    /2026-01-31 12:00:00.*-2d/,
    '"yesterday"',
  ],
  [
    'a day that is not in the calendar',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: '2026-02-30 00:00:00' }] },
    '$.backfills[0].created_at',
    /datetime/,
    '"2026-02-30 00:00:00"',
  ],
  [
    'a number for a moment',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: 5 }] },
    '$.backfills[0].created_at',
    /string/,
    '5',
  ],
  [
    'a script with an unknown end',
    { pipelines: [{ ...a, run_script: { ends_as: 'soon' } }] },
    '$.pipelines[0].run_script.ends_as',
    /completed, failed, cancelled, never/,
    '"soon"',
  ],
  [
    'a script with a duration that is none',
    { pipelines: [{ ...a, run_script: { after: 'soon' } }] },
    '$.pipelines[0].run_script.after',
    /5s/,
    '"soon"',
  ],
  ['a text for the keys', { api_keys: 'key' }, '$.api_keys', /list/, '"key"'],
  ['a number among the keys', { api_keys: ['a', 1] }, '$.api_keys[1]', /text/, '1'],
  ['an empty key', { api_keys: [''] }, '$.api_keys[0]', /text/, '""'],
  ['a clock that is none', { clock: 'soon' }, '$.clock', /2026-01-31T12:00:00Z/, '"soon"'],
  ['a number for a clock', { clock: 5 }, '$.clock', /moment/, '5'],
  ['a number in a text for a clock', { clock: '5' }, '$.clock', /moment/, '"5"'],
  ['an array for the custom resources', { custom: [] }, '$.custom', /object/, '[]'],
  ['an object for a custom list', { custom: { teams: {} } }, '$.custom.teams', /list/, '{}'],
  ['a text for a custom record', { custom: { teams: ['a'] } }, '$.custom.teams[0]', /object/, '"a"'],
  ['a custom name with a slash', { custom: { 'a/b': [] } }, '$.custom.a/b', /plural name/, '"a/b"'],
  [
    'a custom name that is documented',
    { custom: { pipelines: [] } },
    '$.custom.pipelines',
    /document/,
    '"pipelines"',
  ],
  [
    'a custom id that is no number',
    { custom: { teams: [{ id: 'x' }] } },
    '$.custom.teams[0].id',
    /number/,
    '"x"',
  ],
  [
    'an unknown resource among the next ids',
    { next_ids: { teams: 2 } },
    '$.next_ids.teams',
    /resource/,
    '"teams"',
  ],
  [
    'a next id that is no number',
    { next_ids: { backfills: 'x' } },
    '$.next_ids.backfills',
    /positive integer/,
    '"x"',
  ],
])(
  'refuses a fixture with %s, naming the place, what was expected and what was found',
  (_, fixture, path, expected, found) => {
    const flaw = flawOf(fixture)

    expect(flaw.path).toBe(path)
    expect(flaw.expected).toMatch(expected)
    expect(flaw.found).toBe(found)
  },
)

it('tells what the user wrote or left out, and not what follows from it', () => {
  const flawsOf = (fixture: unknown) => {
    try {
      createUnderstudy({ fixture: fixture as Fixture })
    } catch (error) {
      if (error instanceof FixtureError) return error.flaws.map(({ path }) => path)
    }
    return undefined
  }

  expect(flawsOf({ pipelines: [{ nam: 'a' }] })).toEqual(['$.pipelines[0].nam', '$.pipelines[0].name'])
  expect(flawsOf({ pipelines: [{ name: '' }] })).toEqual(['$.pipelines[0].name'])
})

it('says all of it in the message', () => {
  expect(() => createUnderstudy({ fixture: { pipelines: [{ name: 7 }] } })).toThrow(
    '[understudy] The fixture is broken at $.pipelines[0].name: expected a string; found 7.',
  )
})

it('does not show the whole of a long value that is wrong', () => {
  expect(flawOf({ pipelines: [{ name: 'a', type: 'x'.repeat(5_000) }] }).found.length).toBeLessThan(100)
})

it('loads nothing of a broken fixture, wherever it is broken', () => {
  const understudy = createUnderstudy({ fixture: company })
  const before = stateOf(understudy)
  const broken = [
    { ...company, logs: [{ pipeline_uuid: 'nowhere' }] },
    { ...company, api_keys: [1] },
    { ...company, next_ids: { nothing: 1 } },
    { ...company, custom: { teams: [{ id: 0 }] } },
  ]

  for (const fixture of broken)
    expect(() => understudy.import(fixture as unknown as Fixture)).toThrow(FixtureError)
  expect(stateOf(understudy)).toEqual(before)
  expect(understudy.apiKeys).toEqual(['test-key'])
  expect(understudy.endpoints.some(({ route }) => route.path === '/api/teams')).toBe(false)
})

it('takes a key named __proto__ for no record and no table', () => {
  expect(flawOf(JSON.parse('{"__proto__":[]}')).path).toBe('$.__proto__')
  expect(flawOf(JSON.parse('{"pipelines":[{"name":"a","__proto__":{"type":"python"}}]}')).path).toBe(
    '$.pipelines[0].__proto__',
  )
})

it.each([
  ['{"pipelines":[{"name":"a","extensions":{"__proto__":{}}}]}', '$.pipelines[0].extensions.__proto__'],
  [
    '{"pipelines":[{"name":"a","spark_config":{"a":[{"__proto__":1}]}}]}',
    '$.pipelines[0].spark_config.a[0].__proto__',
  ],
  ['{"custom":{"teams":[{"id":1,"kept":{"__proto__":1}}]}}', '$.custom.teams[0].kept.__proto__'],
  ['{"custom":{"teams":[{"id":1,"__proto__":{}}]}}', '$.custom.teams[0].__proto__'],
  [
    '{"pipelines":[{"name":"a","blocks":[{"name":"b","type":"custom","configuration":{"__proto__":{}}}]}]}',
    '$.pipelines[0].blocks[0].configuration.__proto__',
  ],
])('drops no key silently: %s', (text, path) => {
  expect(flawOf(JSON.parse(text))).toEqual({ path, expected: 'no such key', found: 'one' })
})

it('drops no key of a record silently that is made or changed', async () => {
  const { factories, model } = createUnderstudy({ fixture: { pipelines: [{ name: 'a' }] } })
  const extensions = JSON.parse('{"__proto__":{}}') as Record<string, unknown>
  const says = /extensions\.__proto__: expected no such key/

  await expect(factories.pipeline.create({ name: 'b', extensions })).rejects.toThrow(says)
  await expect(
    model.pipelines.update((q) => q.where({ name: 'a' }), {
      data: (pipeline) => void Object.assign(pipeline, { extensions }),
    }),
  ).rejects.toThrow(says)
})

// ── What ships with the package ─────────────────────────────────────────────────────────────────────────────────────

it.each(['demo', 'empty'])('loads %s unchecked as it loads it checked', (name) => {
  const read = () =>
    JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')) as Fixture
  const known = read()
  trustFixture(known)

  const unchecked = textsIn(createUnderstudy({ fixture: known }).export())
  const checked = textsIn(createUnderstudy({ fixture: read() }).export())

  expect(unchecked.filter((text, index) => text !== checked[index])).toEqual([])
  expect(unchecked).toHaveLength(checked.length)
})

/** Each record of a fixture as text, the order of its attributes included, and whatever else there is. */
function textsIn(fixture: Fixture): string[] {
  return Object.entries(fixture).flatMap(([name, value]) =>
    [value].flat().map((part) => `${name} ${JSON.stringify(part)}`),
  )
}

it('checks no less of a fixture that is made of one known to be right', () => {
  const known: Fixture = { pipelines: [{ name: 'a' }] }
  trustFixture(known)

  expect(flawOf({ ...known, backfills: [{ pipeline_uuid: 'b' }] }).path).toBe('$.backfills[0].pipeline_uuid')
})
