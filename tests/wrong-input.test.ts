import { beforeAll, expect } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { express } from './support/adapters.ts'
import { type Api, memory, open, openInMemory, pluck, type Sent, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { expectSameState } from './support/expect-same-state.ts'
import { it } from './support/it.ts'

const options = { fixture: company }
const json = { 'content-type': 'application/json' }

/** A request, a pattern of the message that refuses it, and the code unless it is 400. */
type WrongRequest = readonly [request: Sent, message: RegExp, code?: 404 | 405 | 413]

/** The good request after each wrong one: the state and the server must have lived on. */
async function expectNextToWork(api: Api): Promise<void> {
  const reply = await api.post('/api/pipelines', { pipeline: { name: 'the next one', type: 'python' } })
  expect(reply.body).toMatchObject({ pipeline: { uuid: 'the_next_one' } })
}

const types: Readonly<Record<number, string>> = {
  400: 'record_invalid',
  404: 'record_not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
}

/** One mock for all wrong requests: none of them changes it. */
let refusing: Api
beforeAll(async () => {
  refusing = await open(memory, options, () => undefined)
})

/** Registers a test for each wrong request. The parity script sends the like of them through every adapter. */
function itRefuses(requests: readonly WrongRequest[]): void {
  const rows = requests.map(([wrong, message, code = 400]) => {
    const { method = 'GET', path, json, body } = wrong
    const sent = JSON.stringify(json ?? (body instanceof Uint8Array ? 'bytes' : body)) ?? ''
    const title = `${method} ${path} ${sent}`.slice(0, 120)
    return [title, wrong, message, code] as const
  })
  it.each(rows)('answers with the error envelope: %s', async (_, wrong, message, code) => {
    const before = stateOf(refusing.understudy)
    const reply = await refusing.send(wrong)

    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
    expect(reply.body).toEqual({
      error: { code, message: expect.stringMatching(message), type: types[code] },
      status: 200,
    })
    expectSameState(stateOf(refusing.understudy), before)
    await expectNextToWork(refusing)
    await refusing.delete('/api/pipelines/the_next_one')
  })
}

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = json): Sent => ({
  method: 'POST',
  path,
  body,
  headers,
})
const raw = (text: string) => post('/api/pipelines', text)
const send = (method: string, path: string, json?: object): Sent => ({ method, path, json })
const pipeline = (values: object) => send('POST', '/api/pipelines', { pipeline: values })
const block = (values: object) => send('POST', '/api/pipelines/daily_sales/blocks', { block: values })
const newBackfill = (values: object) =>
  send('POST', '/api/pipelines/daily_sales/backfills', { backfill: values })
const backfill = (values: object) =>
  send('PUT', '/api/pipelines/daily_sales/backfills/1', { backfill: values })
const schedule = (values: object) =>
  send('POST', '/api/pipelines/archive/pipeline_schedules', { pipeline_schedule: { name: 'one', ...values } })
const run = (values: object) => send('PUT', '/api/pipeline_runs/1', { pipeline_run: values })
const trigger = (text: string) => post('/api/pipeline_schedules/2/pipeline_runs/hand-token', text)
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

itRefuses([
  [raw('{"pipeline":'), /body.*JSON/],
  [raw('{"pipeline":{"name":"x","type":"python",}}'), /body.*JSON/],
  [raw('{}{}'), /body.*JSON/],
  [raw("{'pipeline':{}}"), /body.*JSON/],
  [raw('{"pipeline":{"name":"x","type":"python","executor_count":NaN}}'), /JSON/],
  [raw('<html></html>'), /JSON/],
  [{ method: 'POST', path: '/api/pipelines', headers: json }, /pipeline/],
  [raw(''), /pipeline/],
  [raw(' \n\t '), /body/],
  [raw('[{"pipeline":{}}]'), /pipeline.*array/],
  [raw('null'), /pipeline.*null/],
  [raw('7'), /pipeline.*7/],
  [raw('"pipeline"'), /pipeline/],
  [raw('true'), /pipeline.*true/],
  [raw('{"name":"x","type":"python"}'), /pipeline: /],
  [raw('{"pipelines":{"name":"x"}}'), /pipeline: /],
  [raw('{"pipeline":[]}'), /pipeline: .*array/],
  [raw('{"pipeline":null}'), /pipeline: .*null/],
  [raw('{"pipeline":"x"}'), /pipeline: .*"x"/],
  [raw(`{"pipeline":${nested(10_000)}}`), /nested/],
  [trigger(`{"a":${nested(10_000)}}`), /nested/],
  [raw('['.repeat(10_000)), /JSON/],
  [raw('{"__proto__":{"pipeline":{"name":"x","type":"python"}}}'), /__proto__|pipeline/],
  [raw('{"pipeline":{"name":"x","type":"python","__proto__":{"polluted":1}}}'), /__proto__/],
  [raw('{"pipeline":{"name":"x","type":"python","spark_config":{"\\u005f_proto__":1}}}'), /__proto__/],
  [trigger('{"__proto__":{"polluted":true}}'), /__proto__/],
  [trigger('{"a":[{"b":[{"__proto__":null}]}]}'), /__proto__/],
  [pipeline({ name: 'x', type: 'constructor' }), /pipeline\.type/],
  [raw('{"constructor":{"name":"x","type":"python"}}'), /pipeline: /],
  [post('/api/pipelines', Buffer.from('{"pipeline":{"name":"\xff\xfe","type":"python"}}', 'latin1')), /body/],
  [post('/api/pipelines', Buffer.from('{"pipeline":{"name":"\xe2\x82","type":"python"}}', 'latin1')), /body/],
  [post('/api/pipelines', Buffer.from('\ufeff{"pipeline":{"name":"x","type":"python"}}', 'utf16le')), /body/],
  [raw('\ufeff\ufeff{"pipeline":{"name":"x","type":"python"}}'), /body.*JSON/],
  [trigger('[1]'), /body.*array/],
  [trigger('"a"'), /body.*"a"/],
  [trigger('null'), /body.*null/],
  [trigger('{"a":'), /JSON/],
])

/** A request whose body has so many bytes, in characters of two bytes each. */
function ofBytes(length: number): Sent {
  const start = '{"pipeline":{"name":"long","type":"python","description":"'
  const end = '"}}'
  const left = length - start.length - end.length
  return raw(`${start}${'é'.repeat(Math.floor(left / 2))}${left % 2 === 1 ? 'x' : ''}${end}`)
}

it('accepts a body of 10 MB, and rejects one byte more', async () => {
  const api = await open(express, { fixture: company })
  const limit = 10 * 1024 * 1024

  expect((await api.send(ofBytes(limit + 1))).body).toMatchObject({
    error: { code: 413, message: expect.stringMatching(/body.*10 MB/), type: 'payload_too_large' },
  })
  expect((await api.send(ofBytes(limit))).record).toMatchObject({ uuid: 'long' })
  await expectNextToWork(api)
})

const pipelineX = '{"pipeline":{"name":"x","type":"python"}}'

itRefuses(
  [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/xml',
    'application/jsonp',
    'json',
  ].map((type) => [
    post('/api/pipelines', pipelineX, { 'content-type': type }),
    new RegExp(`Content-Type.*application/json.*${type.slice(0, 12)}`),
  ]),
)

it.each([
  ['a charset', 'application/json; charset=utf-8'],
  ['other letter cases', 'Application/JSON'],
  ['a suffix', 'application/vnd.api+json'],
])('reads a content type with %s as JSON', async (_, type) => {
  const api = await openInMemory(options)
  const reply = await api.send(post('/api/pipelines', pipelineX, { 'content-type': type }))

  expect(reply.record.uuid).toBe('x')
})

it('reads a body without a content type as JSON', async ({ api }) => {
  const bytes = new TextEncoder().encode(pipelineX)

  expect((await api.send(post('/api/pipelines', bytes, {}))).record.uuid).toBe('x')
})

it('ignores the content type where the assumption is switched', async () => {
  const api = await openInMemory({ ...options, assumptions: { 'content-type': 'ignored' } })
  const reply = await api.send(post('/api/pipelines', pipelineX, { 'content-type': 'text/plain' }))

  expect(reply.record.uuid).toBe('x')
})

it('reads a body with a byte order mark', async ({ api }) => {
  expect((await api.send(raw(`\ufeff${pipelineX}`))).record.uuid).toBe('x')
})

it('stores a constructor key as data and leaves every prototype alone', async ({ api }) => {
  const variables = '{"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1,"toString":2}'
  const run = (await api.send(trigger(variables))).record
  const body = `{"backfill":{"variables":${variables}}}`
  const backfill = await api.send({ method: 'PUT', path: '/api/backfills/1', headers: json, body })

  expect(JSON.stringify(run.event_variables)).toBe(variables)
  expect(JSON.stringify(backfill.record.variables)).toBe(variables)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('takes the last of two equal keys', async ({ api }) => {
  const reply = await api.send(raw('{"pipeline":{"name":"a","name":"b","type":"python"}}'))

  expect(reply.record.uuid).toBe('b')
})

itRefuses([
  [pipeline({ type: 'python' }), /pipeline\.name.*nothing/],
  [pipeline({ name: 'x' }), /pipeline\.type.*nothing/],
  [pipeline({ name: '', type: 'python' }), /pipeline\.name/],
  [pipeline({ name: 7, type: 'python' }), /pipeline\.name.*string.*7/],
  [pipeline({ name: null, type: 'python' }), /pipeline\.name.*null/],
  [pipeline({ name: {}, type: 'python' }), /pipeline\.name/],
  [
    pipeline({ name: 'x', type: 'Python' }),
    /pipeline\.type.*integration, pyspark, python, streaming.*"Python"/,
  ],
  [pipeline({ name: 'Daily Sales', type: 'python' }), /pipeline\.name.*daily_sales/],
  [pipeline({ name: 'x', type: 'python', clone_pipeline_uuid: 'nowhere' }), /pipeline.*nowhere/, 404],
  [pipeline({ name: 'x', type: 'python', clone_pipeline_uuid: 1 }), /pipeline\.clone_pipeline_uuid/],
  [pipeline({ name: 'x', type: 'python', conditionals: {} }), /pipeline\.conditionals/],
  [
    pipeline({ name: 'x', type: 'python', conditionals: [{ name: 'a' }, {}] }),
    /pipeline\.conditionals\[1\]\.name/,
  ],
  [
    pipeline({ name: 'x', type: 'python', conditionals: [{ name: 'a b' }, { name: 'a-b' }] }),
    /conditionals.*a_b/,
  ],
  [pipeline({ name: 'x', type: 'python', executor_count: 1.5 }), /pipeline\.executor_count.*integer/],
  [raw('{"pipeline":{"name":"x","type":"python","executor_count":1e400}}'), /pipeline\.executor_count/],
  [send('PUT', '/api/pipelines/archive', { pipeline: { name: null } }), /pipeline\.name/],
  [block({ type: 'custom' }), /block\.name/],
  [block({ name: 'x' }), /block\.type/],
  [block({ name: 'x', type: 'loader' }), /block\.type.*data_loader.*"loader"/],
  [
    block({ name: 'x', type: 'custom', language: 'rust' }),
    /block\.language.*python, sql, r, yaml, markdown.*"rust"/,
  ],
  [block({ name: 'x', type: 'custom', upstream_blocks: 'load_orders' }), /block\.upstream_blocks.*array/],
  [block({ name: 'x', type: 'custom', upstream_blocks: ['a', 1] }), /block\.upstream_blocks\[1\]/],
  [block({ name: 'x', type: 'custom', priority: -1 }), /block\.priority/],
  [block({ name: 'x', type: 'custom', priority: '0' }), /block\.priority/],
  [
    block({ name: 'x', type: 'custom', configuration: { data_provider: 1 } }),
    /block\.configuration\.data_provider/,
  ],
  [
    block({ name: 'x', type: 'custom', configuration: { export_write_policy: 'merge' } }),
    /block\.configuration\.export_write_policy.*replace, append, fail/,
  ],
  [block({ name: 'x', type: 'custom', config: [] }), /block\.config/],
  [block({ name: 'x', type: 'custom', pipelines: ['archive', 'nowhere'] }), /block\.pipelines.*nowhere/],
  [block({ name: 'Load-Orders', type: 'custom' }), /block\.name.*load_orders/],
  [
    send('POST', '/api/pipelines/archive/blocks', {
      block: { name: 'sum up', type: 'custom', pipelines: ['daily_sales'] },
    }),
    /block\.name.*sum_up/,
  ],
  [
    send('POST', '/api/pipelines/nowhere/blocks', { block: { name: 'x', type: 'custom' } }),
    /pipeline.*nowhere/,
    404,
  ],
  [send('PUT', '/api/pipelines/daily_sales/blocks/sum_up', { block: { status: 'done' } }), /block\.status/],
  [newBackfill({}), /backfill\.name/],
  [send('POST', '/api/pipelines/nowhere/backfills', { backfill: { name: 'x' } }), /pipeline.*nowhere/, 404],
  [backfill({ status: 'done' }), /backfill\.status.*initial, running, completed, failed, cancelled.*"done"/],
  [backfill({ status: null }), /backfill\.status/],
  [
    backfill({ interval_type: 'days' }),
    /backfill\.interval_type.*second, minute, hour, day, week, month, year, custom.*"days"/,
  ],
  [backfill({ interval_units: '1' }), /backfill\.interval_units/],
  [backfill({ interval_units: 0 }), /backfill\.interval_units/],
  [backfill({ interval_units: 0.5 }), /backfill\.interval_units/],
  [backfill({ variables: [1] }), /backfill\.variables.*object/],
  [backfill({ start_datetime: '2026-01-01' }), /backfill\.start_datetime.*2026-01-01/],
  [backfill({ start_datetime: '2026-01-01T00:00:00Z' }), /backfill\.start_datetime/],
  [backfill({ end_datetime: '2026-02-30 00:00:00' }), /backfill\.end_datetime.*2026-02-30/],
  [backfill({ end_datetime: '2026-02-28 24:00:00' }), /backfill\.end_datetime/],
  [backfill({ start_datetime: 1767225600 }), /backfill\.start_datetime/],
  [backfill({ name: 'changed', status: 'done' }), /backfill\.status/],
  [schedule({ name: undefined }), /pipeline_schedule\.name/],
  [schedule({ schedule_type: 'cron' }), /pipeline_schedule\.schedule_type.*time, api, event/],
  [schedule({ status: 'on' }), /pipeline_schedule\.status.*active, inactive/],
  [schedule({ schedule_interval: '@sometimes' }), /pipeline_schedule\.schedule_interval.*@hourly/],
  [schedule({ tags: 'nightly' }), /pipeline_schedule\.tags/],
  [
    schedule({ settings: { allow_blocks_to_fail: 'yes' } }),
    /pipeline_schedule\.settings\.allow_blocks_to_fail/,
  ],
  [run({ status: 'stopped' }), /pipeline_run\.status/],
  [run({ variables: null }), /pipeline_run\.variables/],
  [
    send('POST', '/api/sessions', { session: { email: 'mira@example.com', password: 1 } }),
    /session\.password/,
  ],
  [send('POST', '/api/sessions', { session: { email: { a: 1 }, password: 'x' } }), /session\.email/],
])

const oddIds = [
  'abc', '1.5', '-1', '0', '01', '+1', '1e0', '1e400', '99999999999999999999', 'NaN', 'null', '%201', '%00',
  '9007199254740993', "1'%20or%201=1", '%F0%9F%92%A9',
] // biome-ignore format: a list
itRefuses(
  oddIds.map((id) => [send('PUT', `/api/backfills/${id}`, { backfill: { name: 'x' } }), /backfill.*id/, 404]),
)
itRefuses([
  [send('DELETE', '/api/backfills/1.5'), /backfill.*id/, 404],
  [send('POST', '/api/pipeline_schedules/1.5/pipeline_runs/night-token', {}), /pipeline_schedule.*id/, 404],
  [{ path: '/api/pipelines/nowhere' }, /pipeline.*nowhere/, 404],
  [{ path: '/api/pipelines/constructor' }, /pipeline.*constructor/, 404],
  [{ path: '/api/pipelines/__proto__' }, /pipeline.*__proto__/, 404],
  [{ path: '/api/pipelines/nowhere/pipeline_schedules' }, /pipeline.*nowhere/, 404],
  [{ path: '/api/pipelines/nowhere/logs' }, /pipeline.*nowhere/, 404],
  [{ path: '/api/pipelines/nowhere/backfills' }, /pipeline.*nowhere/, 404],
  [{ path: '/api/pipeline_schedules/77/pipeline_runs' }, /pipeline_schedule.*77/, 404],
  [{ path: '/api/pipelines/daily_sales/blocks/nowhere' }, /block.*nowhere/, 404],
  [{ path: '/api/pipelines/archive/blocks/sum_up' }, /block.*sum_up/, 404],
  [send('PUT', '/api/pipelines/archive/backfills/1', { backfill: { name: 'x' } }), /backfill.*1/, 404],
  [send('DELETE', '/api/pipelines/archive/backfills/1'), /backfill.*1/, 404],
  [send('PUT', '/api/pipeline_runs/999', { pipeline_run: {} }), /pipeline_run.*999/, 404],
  [{ path: '/api/pipelines/archive%2Fblocks/blocks/x' }, /pipeline.*archive\/blocks/, 404],
  [{ path: '/api/pipelines/%ZZ' }, /%ZZ.*percent-encoding/],
  [{ path: '/api/pipelines/a%2' }, /percent-encoding/],
  [{ path: '/api/pipelines/%E0%A4%A' }, /percent-encoding/],
  [send('PUT', '/api/backfills/%C3%28', { backfill: { name: 'x' } }), /percent-encoding/],
  [{ path: '/api/pipelines/' }, /Did you mean "\/api\/pipelines"/, 404],
  [send('DELETE', '/api/backfills/1/'), /Did you mean "\/api\/backfills\/1"/, 404],
  [{ path: '/api/Pipelines' }, /Did you mean "\/api\/pipelines"/, 404],
  [{ path: '/api/pipelines/archive/LOGS' }, /Did you mean/, 404],
  [{ path: '/api/pipelines/Archive' }, /pipeline.*Archive/, 404],
  [{ path: '/api//pipelines' }, /Did you mean "\/api\/pipelines"/, 404],
  [{ path: '/api/pipelines//blocks' }, /Nothing is at/, 404],
  [{ path: '/api/clusters' }, /\/api\/clusters/, 404],
  [{ path: '/api/Clusters' }, /^Nothing is at "\/api\/Clusters"\.$/, 404],
  [{ path: '/api/pipelines/archive/secrets' }, /secrets/, 404],
  [{ path: '/api/pipelines/archive/blocks/a/b' }, /Nothing is at/, 404],
  [{ path: '/api/blocks/sum_up' }, /Nothing is at/, 404],
  [{ path: '/api' }, /Nothing is at "\/api"/, 404],
  [{ path: '/api/' }, /Nothing is at "\/api\/"/, 404],
  [{ path: '/api/users' }, /users/, 404],
  [{ path: `/api/pipelines/${'x'.repeat(4000)}` }, /pipeline/, 404],
])

itRefuses([
  [{ path: '/api/pipelines/../pipelines' }, /Nothing is at/, 404],
  [{ path: '/api/pipelines/..' }, /pipeline.*\.\./, 404],
  [{ path: '/api/pipelines/%2e%2e' }, /pipeline.*\.\./, 404],
  [{ path: '/api/pipelines/.' }, /pipeline/, 404],
  [{ path: '/api\\/pipelines/../..\\pipelines'.replace('\\/', '/') }, /Nothing is at/, 404],
])

itRefuses([
  [send('PATCH', '/api/pipelines/archive', { pipeline: { name: 'x' } }), /PATCH.*GET.*PUT.*DELETE/, 405],
  [send('DELETE', '/api/pipelines'), /DELETE.*POST or GET|DELETE.*GET or POST/, 405],
  [send('PUT', '/api/pipelines', { pipeline: { name: 'x', type: 'python' } }), /PUT is not allowed/, 405],
  [
    send('POST', '/api/pipelines/archive', { pipeline: { name: 'x', type: 'python' } }),
    /POST is not allowed/,
    405,
  ],
  [send('POST', '/api/backfills', { backfill: { name: 'x' } }), /POST.*GET/, 405],
  [{ path: '/api/pipeline_schedules/2/pipeline_runs/hand-token' }, /GET.*POST/, 405],
  [send('POST', '/api/pipelines/archive/logs', {}), /POST.*GET/, 405],
  [send('DELETE', '/api/oauth_access_tokens'), /DELETE.*GET/, 405],
  [{ path: '/api/sessions' }, /GET.*POST/, 405],
])

const badNumbers = [
  '-1', 'abc', '1e9', '1.5', '', '+1', '%201', '0x10', 'Infinity', '99999999999999999999', 'null', '٣',
] // biome-ignore format: a list
itRefuses([
  ...badNumbers.map(
    (value): WrongRequest => [
      { path: `/api/backfills?_limit=${encodeURI(value).replace('%25', '%')}` },
      /_limit: expected a whole number/,
    ],
  ),
  [{ path: '/api/pipelines/daily_sales/logs?_offset=1.5' }, /_offset: expected a whole number/],
  [{ path: '/api/oauth_access_tokens?_limit=-1' }, /_limit/],
  [{ path: '/api/pipelines/daily_sales/logs?_limit=abc' }, /_limit/],
  [{ path: '/api/pipeline_runs?_limit=abc' }, /_limit/],
  [{ path: '/api/pipelines/daily_sales/pipeline_schedules?tag[]=nightly&_limit=x' }, /_limit/],
  [{ path: '/api/pipelines/daily_sales/logs?start_timestamp=2026-01-01' }, /start_timestamp.*2026-01-01/],
  [{ path: '/api/pipelines/daily_sales/logs?start_timestamp=-1' }, /start_timestamp/],
  [{ path: '/api/pipelines/daily_sales?include_schedules=yes' }, /include_schedules.*yes/],
  [{ path: '/api/backfills?include_run_count=yes' }, /include_run_count.*yes/],
  [{ path: '/api/oauth_access_tokens?show_all=all' }, /show_all.*all/],
  [send('DELETE', '/api/pipelines/daily_sales/blocks/load_orders?force=yes'), /force.*True.*yes/],
  [send('DELETE', '/api/pipelines/daily_sales/blocks/write_totals?force=2'), /force/],
  [{ path: '/api/pipeline_runs?status=done' }, /status.*running.*done/],
])

it.each([
  ['_limit=0', []],
  ['_limit=1000000000', [1, 2, 3, 4, 5]],
  ['_limit=999999999999999', [1, 2, 3, 4, 5]],
  ['_offset=999999999999999', []],
  ['pipeline_uuid=%ZZ', []],
  ['constructor=1&__proto__=2&page=3&=&&_limit=1&_limit=4', [1]],
])('reads the odd but valid query %s', async (query, ids) => {
  const api = await openInMemory(options)

  expect(pluck((await api.get(`/api/backfills?${query}`)).records, 'id')).toEqual(ids)
})

it.each([
  [
    'of 20,000 values, and texts with any number of marks',
    `[${'0,'.repeat(19_990)}"${',[{\\"'.repeat(200_000)}\\\\"]`,
    200,
  ],
  ['of one more', `[${'0,'.repeat(20_000)}0]`, 400],
  ['of as many lists', `[${'[],'.repeat(20_000)}0]`, 400],
  ['of as many members', `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":0`)}}`, 400],
  ['whose text has no end', `["${','.repeat(1_200_000)}]`, 400],
])('answers a body %s', async (_, list, code) => {
  const understudy = createUnderstudy(options)
  const body = `{"pipeline":{"name":"many","type":"python","unknown":${list}}}`

  const reply = await understudy.dispatch({ method: 'POST', url: '/api/pipelines', headers: json, body })
  expect(reply?.code).toBe(code)
})
