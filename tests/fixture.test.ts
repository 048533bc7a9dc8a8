import { expect, it } from 'vitest'
import { createUnderstudy, type Fixture, FixtureError } from '../src/index.ts'
import { openInMemory, pick, stateOf } from './support/api.ts'
import { company } from './support/company.ts'

const clock = '2026-03-01T09:00:00Z'

/** The error of an invalid fixture. */
function errorOf(fixture: unknown): FixtureError {
  try {
    createUnderstudy({ fixture: fixture as Fixture })
  } catch (error) {
    if (error instanceof FixtureError) return error
    throw error
  }
  throw new Error('The fixture was accepted.')
}

/** The first problem of an invalid fixture: path, expected, found. */
const flawOf = (fixture: unknown) => errorOf(fixture).flaw

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
])('reads the time %s', (created_at, expected) => {
  const { model } = createUnderstudy({
    fixture: { clock, pipelines: [{ name: 'a' }], backfills: [{ pipeline_uuid: 'a', created_at }] },
  })

  expect(model.backfills.findFirst()).toMatchObject({ created_at: expected, updated_at: expected })
})

it('counts relative times from the clock it runs on', () => {
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

it('reads blocks inside their pipeline like blocks beside it', async () => {
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

it('assigns ids that are not taken to records without one', () => {
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

it('loads an empty fixture, and one that only names its schema', () => {
  expect(createUnderstudy({ fixture: {} }).model.pipelines.count()).toBe(0)
  expect(createUnderstudy({ fixture: { $schema: './fixture.schema.json' } }).model.pipelines.count()).toBe(0)
})

const a = { name: 'a' }
it.each<[string, unknown]>([
  ['$: expected an object; found [].', []],
  ['$: expected an object; found null.', null],
  [
    '$.pipeline: expected the key "pipelines", or one of $schema, clock, api_keys, custom, custom_keys, next_ids, users, oauth_access_tokens, blocks, pipeline_schedules, backfills, pipeline_runs, logs; found an unknown key.',
    { pipeline: [] },
  ],
  [
    '$.sessions: expected one of the keys $schema, clock, api_keys, custom, custom_keys, next_ids, users, oauth_access_tokens, pipelines, blocks, pipeline_schedules, backfills, pipeline_runs, logs; found an unknown key.',
    { sessions: [] },
  ],
  ['$.pipelines: expected a list of records; found {}.', { pipelines: {} }],
  ['$.backfills: expected a list of records; found null.', { backfills: null }],
  ['$.pipelines[1]: expected an object; found null.', { pipelines: [a, null] }],
  ['$.users[0]: expected an object; found "mira".', { users: ['mira'] }],
  ['$.pipelines[0].name: expected a string; found nothing.', { pipelines: [{}] }],
  ['$.pipelines[1].name: expected a string; found 7.', { pipelines: [a, { name: 7 }] }],
  [
    '$.pipelines[0].type: expected one of integration, pyspark, python, streaming; found "batch".',
    { pipelines: [{ ...a, type: 'batch' }] },
  ],
  [
    '$.pipelines[0].tpye: expected the key "type", or one of uuid, name, description, data_integration, executor_config, executor_count, executor_type, notification_config, spark_config, updated_at, extensions, run_script, tags, blocks; found an unknown key.',
    { pipelines: [{ ...a, tpye: 'python' }] },
  ],
  [
    '$.pipelines[0].blocks[1].upstream: expected one of the keys uuid, name, type, language, color, configuration, upstream_blocks, downstream_blocks, all_upstream_blocks_executed, executor_config, executor_type, has_callback, retry_config, status, content, outputs, config, extension_uuid, priority, pipeline_uuid; found an unknown key.',
    { pipelines: [{ ...a, blocks: [{ name: 'x' }, { name: 'y', upstream: [] }] }] },
  ],
  [
    '$.pipelines[0].blocks[0].type: expected one of callback, chart, conditional, custom, data_exporter, data_loader, dbt, extension, global_data_product, markdown, scratchpad, sensor, transformer; found "loader".',
    { pipelines: [{ ...a, blocks: [{ name: 'x', type: 'loader' }] }] },
  ],
  [
    '$.pipelines[0].blocks: expected a list of records; found {"x":{}}.',
    { pipelines: [{ ...a, blocks: { x: {} } }] },
  ],
  [
    '$.pipelines[0].blocks[0].upstream_blocks[0]: expected a string; found 1.',
    { pipelines: [{ ...a, blocks: [{ name: 'x', upstream_blocks: [1] }] }] },
  ],
  [
    '$.pipelines[0].blocks[0].upstream_blocks[0]: expected the uuid of a block of the same pipeline; found "nowhere".',
    { pipelines: [{ ...a, blocks: [{ name: 'x', upstream_blocks: ['nowhere'] }] }] },
  ],
  [
    '$.pipelines[1].uuid: expected a value that no other record has; found "a_b".',
    { pipelines: [{ name: 'a b' }, { name: 'a-b' }] },
  ],
  [
    '$.pipelines[0].blocks[1].uuid: expected a value that no other record has; found "x_y".',
    { pipelines: [{ ...a, blocks: [{ name: 'x y' }, { name: 'x-y' }] }] },
  ],
  [
    '$.backfills[1].id: expected a value that no other record has; found 3.',
    {
      pipelines: [a],
      backfills: [
        { id: 3, pipeline_uuid: 'a' },
        { id: 3, pipeline_uuid: 'a' },
      ],
    },
  ],
  [
    '$.backfills[0].id: expected a number; found "x".',
    { pipelines: [a], backfills: [{ id: 'x', pipeline_uuid: 'a' }] },
  ],
  [
    '$.backfills[0].id: expected at least 1; found 0.',
    { pipelines: [a], backfills: [{ id: 0, pipeline_uuid: 'a' }] },
  ],
  ['$.backfills[0].pipeline_uuid: expected a string; found nothing.', { backfills: [{ name: 'x' }] }],
  [
    '$.backfills[0].pipeline_uuid: expected the key of one of the pipelines; found "b".',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'b' }] },
  ],
  [
    '$.pipeline_runs[0].pipeline_schedule_id: expected the key of one of the pipeline_schedules; found 9.',
    { pipelines: [a], pipeline_runs: [{ pipeline_uuid: 'a', pipeline_schedule_id: 9 }] },
  ],
  [
    '$.oauth_access_tokens[0].user_id: expected the key of one of the users; found 1.',
    { oauth_access_tokens: [{ token: 't', expires: '+1d', user_id: 1 }] },
  ],
  [
    '$.backfills[0].created_at: expected a datetime such as 2026-01-31 12:00:00, or one relative to the clock such as -2d; found "yesterday".',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: 'yesterday' }] },
  ],
  [
    '$.backfills[0].created_at: expected a datetime such as 2026-01-31 12:00:00, or one relative to the clock such as -2d; found "2026-02-30 00:00:00".',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: '2026-02-30 00:00:00' }] },
  ],
  [
    '$.backfills[0].created_at: expected a string; found 5.',
    { pipelines: [a], backfills: [{ pipeline_uuid: 'a', created_at: 5 }] },
  ],
  [
    '$.pipelines[0].run_script.ends_as: expected one of completed, failed, cancelled, never; found "soon".',
    { pipelines: [{ ...a, run_script: { ends_as: 'soon' } }] },
  ],
  [
    '$.pipelines[0].run_script.after: expected milliseconds, or a duration such as 5s; found "soon".',
    { pipelines: [{ ...a, run_script: { after: 'soon' } }] },
  ],
  ['$.api_keys: expected a list of texts; found ***.', { api_keys: 'key' }],
  ['$.api_keys[1]: expected a text; found 1.', { api_keys: ['a', 1] }],
  ['$.api_keys[0]: expected a text; found "".', { api_keys: [''] }],
  ['$.clock: expected a time such as 2026-01-31T12:00:00Z; found "soon".', { clock: 'soon' }],
  ['$.clock: expected a time such as 2026-01-31T12:00:00Z; found 5.', { clock: 5 }],
  ['$.clock: expected a time such as 2026-01-31T12:00:00Z; found "5".', { clock: '5' }],
  ['$.custom: expected an object of lists; found [].', { custom: [] }],
  ['$.custom.teams: expected a list of records; found {}.', { custom: { teams: {} } }],
  ['$.custom.teams[0]: expected an object; found "a".', { custom: { teams: ['a'] } }],
  [
    '$.custom.a/b: expected a plural name in lower case, such as projects; found "a/b".',
    { custom: { 'a/b': [] } },
  ],
  [
    '$.custom.pipelines: expected a name that the specification does not use; found "pipelines".',
    { custom: { pipelines: [] } },
  ],
  ...['metadata', 'error', 'errors'].map((plural): [string, unknown] => [
    `$.custom.${plural}: expected a name that the specification does not use; found "${plural}".`,
    { custom: { [plural]: [{ id: 1 }] } },
  ]),
  ['$.custom.teams[0].id: expected a number; found "x".', { custom: { teams: [{ id: 'x' }] } }],
  ['$.next_ids.teams: expected the plural name of a resource; found "teams".', { next_ids: { teams: 2 } }],
  [
    '$.next_ids.backfills: expected a positive integer, at most 6755399441055744; found "x".',
    { next_ids: { backfills: 'x' } },
  ],
])('refuses a fixture that is broken at %s', (message, fixture) => {
  expect(() => createUnderstudy({ fixture: fixture as Fixture })).toThrow(
    `[understudy] The fixture is broken at ${message}`,
  )
})

it('reports all problems at once, without consequential ones', () => {
  const invalid = {
    clock: 'yesterday',
    pipline: [],
    pipelines: [{ name: 'sales', type: 'ruby', colour: 'red' }, 7, { name: 'ok' }, { nam: 'a' }],
    backfills: [
      { pipeline_uuid: 'sales', created_at: 'soon' },
      { pipeline_uuid: 'nowhere', status: 'odd' },
    ],
    pipeline_runs: [{ pipeline_uuid: 'sales', status: 'paused' }],
    api_keys: ['fine', ''],
    next_ids: { backfills: -1 },
  }
  const { flaws, message } = errorOf(invalid)

  expect(flaws.map(({ path }) => path)).toEqual([
    '$.clock',
    '$.pipline',
    '$.pipelines[1]',
    '$.pipelines[0].colour',
    '$.pipelines[0].type',
    '$.pipelines[3].nam',
    '$.pipelines[3].name',
    '$.backfills[0].created_at',
    '$.backfills[1].status',
    '$.pipeline_runs[0].pipeline_schedule_id',
    '$.pipeline_runs[0].status',
    '$.next_ids.backfills',
    '$.api_keys[1]',
  ])
  expect(flaws[1]!.expected).toMatch(/^the key "pipelines", or one of /)
  expect(message).toMatch(/^\[understudy\] The fixture is broken at \$\.clock: .* 12 more errors: /)
})

it.each<[string, unknown, string]>([
  ['a promise', Promise.resolve({}), 'expected an object; found a promise: await it first.'],
  [
    'a module',
    await import('../fixtures/demo.json'),
    'expected an object; found a module: import its default.',
  ],
  ['code', { pipelines: [{ name: () => 'sales' }] }, 'expected data alone, as JSON has it; found "'],
])('rejects %s as a fixture, with the fix', (_, given, expected) => {
  const { import: load, worlds } = createUnderstudy()
  const fixture = given as Fixture
  const message = `[understudy] The fixture is broken at $: ${expected}`

  expect(() => createUnderstudy({ fixture })).toThrow(message)
  expect(() => load(fixture)).toThrow(message)
  expect(() => worlds.create('alice', { fixture })).toThrow(message)
})

it('does not show the whole of a long value that is wrong', () => {
  expect(flawOf({ pipelines: [{ name: 'a', type: 'x'.repeat(5_000) }] }).found.length).toBeLessThan(100)
})

it('loads no part of an invalid fixture', () => {
  const understudy = createUnderstudy({ fixture: company })
  const before = stateOf(understudy)
  const invalid = [
    { ...company, logs: [{ pipeline_uuid: 'nowhere' }] },
    { ...company, api_keys: [1] },
    { ...company, next_ids: { nothing: 1 } },
    { ...company, custom: { teams: [{ id: 0 }] } },
  ]

  for (const fixture of invalid)
    expect(() => understudy.import(fixture as unknown as Fixture)).toThrow(FixtureError)
  expect(stateOf(understudy)).toEqual(before)
  expect(understudy.apiKeys).toEqual(['test-key'])
  expect(understudy.endpoints.some(({ route }) => route.path === '/api/teams')).toBe(false)
})

it('reads a key named __proto__ as neither a record nor a table', () => {
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
  const refusal = /extensions\.__proto__: expected no such key/

  await expect(factories.pipeline.create({ name: 'b', extensions })).rejects.toThrow(refusal)
  await expect(
    model.pipelines.update((q) => q.where({ name: 'a' }), {
      data: (pipeline) => void Object.assign(pipeline, { extensions }),
    }),
  ).rejects.toThrow(refusal)
})
