import { once } from 'node:events'
import { connect } from 'node:net'
import express from 'express'
import request from 'supertest'
import { afterAll, expect, it as itInParts } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import {
  type Api,
  closeShared,
  open,
  openShared,
  pluck,
  pluckSorted,
  recordIn,
  recordsIn,
  type Sent,
  stateOf,
} from './support/api.ts'
import { company } from './support/company.ts'
import { firstOf, wholly } from './support/depth.ts'
import { expectSameState } from './support/expect-same-state.ts'
import { allFaces, faces } from './support/faces.ts'

const it = wholly(itInParts)

const options = { fixture: company }
afterAll(closeShared)
const json = { 'content-type': 'application/json' }

interface WrongRequest {
  readonly what: string
  readonly send: Sent
  readonly code: number
  /** What the message has to say; it names the field, parameter or path. */
  readonly says: RegExp
}

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

function itRefuses(
  requests: readonly WrongRequest[],
  through: readonly (typeof faces)[number][] = faces,
): void {
  const register = through === faces ? it : itInParts
  register.each(
    through.flatMap(([name, face]) => requests.map((wrong) => [wrong.what, name, face, wrong] as const)),
  )('answers the envelope to %s through %s', async (_, __, face, { send, code, says }) => {
    const api = await openShared(face, options)
    const before = stateOf(api.understudy)
    const reply = await api.send(send)

    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
    expect(reply.body).toEqual({
      error: { code, message: expect.stringMatching(says), type: types[code] },
      status: 200,
    })
    expectSameState(stateOf(api.understudy), before)
    await expectNextToWork(api)
  })
}

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = json): Sent => ({
  method: 'POST',
  path,
  body,
  headers,
})
const raw = (text: string) => post('/api/pipelines', text)
const pipeline = (values: object): Sent => ({
  method: 'POST',
  path: '/api/pipelines',
  json: { pipeline: values },
})
const block = (values: object): Sent => ({
  method: 'POST',
  path: '/api/pipelines/daily_sales/blocks',
  json: { block: values },
})
const newBackfill = (values: object): Sent => ({
  method: 'POST',
  path: '/api/pipelines/daily_sales/backfills',
  json: { backfill: values },
})
const backfill = (values: object): Sent => ({
  method: 'PUT',
  path: '/api/pipelines/daily_sales/backfills/1',
  json: { backfill: values },
})
const schedule = (values: object): Sent => ({
  method: 'POST',
  path: '/api/pipelines/archive/pipeline_schedules',
  json: { pipeline_schedule: { name: 'one', ...values } },
})
const run = (values: object): Sent => ({
  method: 'PUT',
  path: '/api/pipeline_runs/1',
  json: { pipeline_run: values },
})
const trigger = (text: string) => post('/api/pipeline_schedules/2/pipeline_runs/hand-token', text)
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

// ── Bodies ──────────────────────────────────────────────────────────────────────────────────────────────────────────

itRefuses([
  { what: 'malformed JSON', send: raw('{"pipeline":'), code: 400, says: /body.*JSON/ },
  {
    what: 'a trailing comma',
    send: raw('{"pipeline":{"name":"x","type":"python",}}'),
    code: 400,
    says: /body.*JSON/,
  },
  { what: 'two JSON texts', send: raw('{}{}'), code: 400, says: /body.*JSON/ },
  { what: 'single quotes', send: raw("{'pipeline':{}}"), code: 400, says: /body.*JSON/ },
  {
    what: 'NaN',
    send: raw('{"pipeline":{"name":"x","type":"python","executor_count":NaN}}'),
    code: 400,
    says: /JSON/,
  },
  { what: 'an HTML page', send: raw('<html></html>'), code: 400, says: /JSON/ },
  {
    what: 'an empty body',
    send: { method: 'POST', path: '/api/pipelines', headers: json },
    code: 400,
    says: /pipeline/,
  },
  { what: 'a body of no bytes', send: raw(''), code: 400, says: /pipeline/ },
  { what: 'a body of blanks', send: raw(' \n\t '), code: 400, says: /body/ },
  { what: 'an array for a body', send: raw('[{"pipeline":{}}]'), code: 400, says: /pipeline.*array/ },
  { what: 'null for a body', send: raw('null'), code: 400, says: /pipeline.*null/ },
  { what: 'a number for a body', send: raw('7'), code: 400, says: /pipeline.*7/ },
  { what: 'a text for a body', send: raw('"pipeline"'), code: 400, says: /pipeline/ },
  { what: 'true for a body', send: raw('true'), code: 400, says: /pipeline.*true/ },
  {
    what: 'a body without its envelope key',
    send: raw('{"name":"x","type":"python"}'),
    code: 400,
    says: /pipeline: /,
  },
  {
    what: 'the plural for an envelope key',
    send: raw('{"pipelines":{"name":"x"}}'),
    code: 400,
    says: /pipeline: /,
  },
  { what: 'an array in the envelope', send: raw('{"pipeline":[]}'), code: 400, says: /pipeline: .*array/ },
  { what: 'null in the envelope', send: raw('{"pipeline":null}'), code: 400, says: /pipeline: .*null/ },
  { what: 'a text in the envelope', send: raw('{"pipeline":"x"}'), code: 400, says: /pipeline: .*"x"/ },
  { what: 'JSON nested 10,000 deep', send: raw(`{"pipeline":${nested(10_000)}}`), code: 400, says: /nested/ },
  {
    what: 'JSON nested 10,000 deep in a trigger',
    send: trigger(`{"a":${nested(10_000)}}`),
    code: 400,
    says: /nested/,
  },
  { what: 'JSON nested 10,000 deep and cut off', send: raw('['.repeat(10_000)), code: 400, says: /JSON/ },
  {
    what: 'a __proto__ key beside the envelope',
    send: raw('{"__proto__":{"pipeline":{"name":"x","type":"python"}}}'),
    code: 400,
    says: /__proto__|pipeline/,
  },
  {
    what: 'a __proto__ key in the record',
    send: raw('{"pipeline":{"name":"x","type":"python","__proto__":{"polluted":1}}}'),
    code: 400,
    says: /__proto__/,
  },
  {
    what: 'an escaped __proto__ key in an object',
    send: raw('{"pipeline":{"name":"x","type":"python","spark_config":{"\\u005f_proto__":1}}}'),
    code: 400,
    says: /__proto__/,
  },
  {
    what: 'a __proto__ key in a trigger',
    send: trigger('{"__proto__":{"polluted":true}}'),
    code: 400,
    says: /__proto__/,
  },
  {
    what: 'a __proto__ key in an array',
    send: trigger('{"a":[{"b":[{"__proto__":null}]}]}'),
    code: 400,
    says: /__proto__/,
  },
  {
    what: 'an inherited name for a type',
    send: pipeline({ name: 'x', type: 'constructor' }),
    code: 400,
    says: /pipeline\.type/,
  },
  {
    what: 'an inherited name in the envelope',
    send: raw('{"constructor":{"name":"x","type":"python"}}'),
    code: 400,
    says: /pipeline: /,
  },
  {
    what: 'invalid UTF-8',
    send: post('/api/pipelines', Buffer.from('{"pipeline":{"name":"\xff\xfe","type":"python"}}', 'latin1')),
    code: 400,
    says: /body/,
  },
  {
    what: 'a cut off UTF-8 character',
    send: post('/api/pipelines', Buffer.from('{"pipeline":{"name":"\xe2\x82","type":"python"}}', 'latin1')),
    code: 400,
    says: /body/,
  },
  {
    what: 'UTF-16',
    send: post('/api/pipelines', Buffer.from('\ufeff{"pipeline":{"name":"x","type":"python"}}', 'utf16le')),
    code: 400,
    says: /body/,
  },
  {
    what: 'two byte order marks',
    send: raw('\ufeff\ufeff{"pipeline":{"name":"x","type":"python"}}'),
    code: 400,
    says: /body.*JSON/,
  },
  { what: 'an array for a trigger body', send: trigger('[1]'), code: 400, says: /body.*array/ },
  { what: 'a text for a trigger body', send: trigger('"a"'), code: 400, says: /body.*"a"/ },
  { what: 'null for a trigger body', send: trigger('null'), code: 400, says: /body.*null/ },
  { what: 'malformed JSON for a trigger body', send: trigger('{"a":'), code: 400, says: /JSON/ },
])

/** A request whose body has so many bytes, in characters of two bytes each. */
function ofBytes(length: number): Sent {
  const start = '{"pipeline":{"name":"long","type":"python","description":"'
  const end = '"}}'
  const left = length - start.length - end.length
  return raw(`${start}${'é'.repeat(Math.floor(left / 2))}${left % 2 === 1 ? 'x' : ''}${end}`)
}

itInParts.each(firstOf(1, allFaces))(
  'takes a body of 10 MB and none of one byte more, whatever its characters, through %s',
  async (_, face) => {
    const api = await open(face, { fixture: company, strict: false })
    const limit = 10 * 1024 * 1024

    expect(recordIn(await api.send(ofBytes(limit + 1)), 'error')).toMatchObject({
      code: 413,
      type: 'payload_too_large',
    })
    expect(recordIn(await api.send(ofBytes(limit)), 'pipeline')).toMatchObject({ uuid: 'long' })
  },
)

itRefuses(
  [
    {
      what: 'a body of 11 MB',
      send: raw(
        JSON.stringify({
          pipeline: { name: 'x', type: 'python', description: 'x'.repeat(11 * 1024 * 1024) },
        }),
      ),
      code: 413,
      says: /body.*10 MB/,
    },
    {
      what: 'a body of 11 MB in short characters',
      send: raw(
        JSON.stringify({
          pipeline: { name: 'x', type: 'python', description: 'é'.repeat(5.6 * 1024 * 1024) },
        }),
      ),
      code: 413,
      says: /body.*10 MB/,
    },
    {
      what: 'a trigger body of 11 MB',
      send: trigger(JSON.stringify({ a: 'x'.repeat(11 * 1024 * 1024) })),
      code: 413,
      says: /body.*10 MB/,
    },
  ],
  firstOf(1, faces),
)

itRefuses(
  [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/xml',
    'application/jsonp',
    'json',
  ].map((type) => ({
    what: `the content type ${type}`,
    send: post('/api/pipelines', '{"pipeline":{"name":"x","type":"python"}}', { 'content-type': type }),
    code: 400,
    says: new RegExp(`Content-Type.*application/json.*${type.slice(0, 12)}`),
  })),
)

it.each(
  faces.flatMap(([name, face]) =>
    ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'].map(
      (type) => [type, name, face] as const,
    ),
  ),
)('takes the content type %s for JSON through %s', async (type, _, face) => {
  const api = await open(face, options)
  const reply = await api.send(
    post('/api/pipelines', '{"pipeline":{"name":"x","type":"python"}}', { 'content-type': type }),
  )

  expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it.each(faces)('takes a body without a content type for JSON through %s', async (_, face) => {
  const api = await open(face, options)
  const bytes = new TextEncoder().encode('{"pipeline":{"name":"x","type":"python"}}')

  expect((await api.send(post('/api/pipelines', bytes, {}))).body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it.each(faces)(
  'does not look at the content type where the assumption is switched through %s',
  async (_, face) => {
    const api = await open(face, { ...options, assumptions: { 'content-type': 'ignored' } })
    const reply = await api.send(
      post('/api/pipelines', '{"pipeline":{"name":"x","type":"python"}}', { 'content-type': 'text/plain' }),
    )

    expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
  },
)

it.each(faces)('reads a body with a byte order mark through %s', async (_, face) => {
  const api = await open(face, options)
  const reply = await api.send(raw('\ufeff{"pipeline":{"name":"x","type":"python"}}'))

  expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it.each(faces)(
  'keeps a constructor key as data and leaves every prototype alone through %s',
  async (_, face) => {
    const api = await open(face, options)
    const reply = await api.send(
      trigger('{"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1}'),
    )

    expect(JSON.stringify(recordIn(reply, 'pipeline_run').event_variables)).toBe(
      '{"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1}',
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    const variables = await api.send({
      method: 'PUT',
      path: '/api/backfills/1',
      headers: json,
      body: '{"backfill":{"variables":{"constructor":{"a":1},"toString":2}}}',
    })
    expect(JSON.stringify(recordIn(variables, 'backfill').variables)).toBe(
      '{"constructor":{"a":1},"toString":2}',
    )
  },
)

it.each(faces)('takes the last of two equal keys through %s', async (_, face) => {
  const api = await open(face, options)
  const reply = await api.send(raw('{"pipeline":{"name":"a","name":"b","type":"python"}}'))

  expect(recordIn(reply, 'pipeline').uuid).toBe('b')
})

// ── Fields ──────────────────────────────────────────────────────────────────────────────────────────────────────────

itRefuses([
  {
    what: 'a pipeline without a name',
    send: pipeline({ type: 'python' }),
    code: 400,
    says: /pipeline\.name.*nothing/,
  },
  {
    what: 'a pipeline without a type',
    send: pipeline({ name: 'x' }),
    code: 400,
    says: /pipeline\.type.*nothing/,
  },
  { what: 'an empty name', send: pipeline({ name: '', type: 'python' }), code: 400, says: /pipeline\.name/ },
  {
    what: 'a number for a name',
    send: pipeline({ name: 7, type: 'python' }),
    code: 400,
    says: /pipeline\.name.*string.*7/,
  },
  {
    what: 'null for a name',
    send: pipeline({ name: null, type: 'python' }),
    code: 400,
    says: /pipeline\.name.*null/,
  },
  {
    what: 'an object for a name',
    send: pipeline({ name: {}, type: 'python' }),
    code: 400,
    says: /pipeline\.name/,
  },
  {
    what: 'an unknown pipeline type',
    send: pipeline({ name: 'x', type: 'Python' }),
    code: 400,
    says: /pipeline\.type.*integration, pyspark, python, streaming.*"Python"/,
  },
  {
    what: 'a pipeline name that is taken',
    send: pipeline({ name: 'Daily Sales', type: 'python' }),
    code: 400,
    says: /pipeline\.name.*daily_sales/,
  },
  {
    what: 'an unknown clone source',
    send: pipeline({ name: 'x', type: 'python', clone_pipeline_uuid: 'nowhere' }),
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'a number for a clone source',
    send: pipeline({ name: 'x', type: 'python', clone_pipeline_uuid: 1 }),
    code: 400,
    says: /pipeline\.clone_pipeline_uuid/,
  },
  {
    what: 'an object for the conditionals',
    send: pipeline({ name: 'x', type: 'python', conditionals: {} }),
    code: 400,
    says: /pipeline\.conditionals/,
  },
  {
    what: 'a conditional without a name',
    send: pipeline({ name: 'x', type: 'python', conditionals: [{ name: 'a' }, {}] }),
    code: 400,
    says: /pipeline\.conditionals\[1\]\.name/,
  },
  {
    what: 'two conditionals with one uuid',
    send: pipeline({ name: 'x', type: 'python', conditionals: [{ name: 'a b' }, { name: 'a-b' }] }),
    code: 400,
    says: /conditionals.*a_b/,
  },
  {
    what: 'a broken number',
    send: pipeline({ name: 'x', type: 'python', executor_count: 1.5 }),
    code: 400,
    says: /pipeline\.executor_count.*integer/,
  },
  {
    what: 'an infinite number',
    send: raw('{"pipeline":{"name":"x","type":"python","executor_count":1e400}}'),
    code: 400,
    says: /pipeline\.executor_count/,
  },
  {
    what: 'null for a pipeline name in an update',
    send: { method: 'PUT', path: '/api/pipelines/archive', json: { pipeline: { name: null } } },
    code: 400,
    says: /pipeline\.name/,
  },
  { what: 'a block without a name', send: block({ type: 'custom' }), code: 400, says: /block\.name/ },
  { what: 'a block without a type', send: block({ name: 'x' }), code: 400, says: /block\.type/ },
  {
    what: 'an unknown block type',
    send: block({ name: 'x', type: 'loader' }),
    code: 400,
    says: /block\.type.*data_loader.*"loader"/,
  },
  {
    what: 'an unknown language',
    send: block({ name: 'x', type: 'custom', language: 'rust' }),
    code: 400,
    says: /block\.language.*python, sql, r, yaml, markdown.*"rust"/,
  },
  {
    what: 'a text for upstream blocks',
    send: block({ name: 'x', type: 'custom', upstream_blocks: 'load_orders' }),
    code: 400,
    says: /block\.upstream_blocks.*array/,
  },
  {
    what: 'a number among the upstream blocks',
    send: block({ name: 'x', type: 'custom', upstream_blocks: ['a', 1] }),
    code: 400,
    says: /block\.upstream_blocks\[1\]/,
  },
  {
    what: 'a negative priority',
    send: block({ name: 'x', type: 'custom', priority: -1 }),
    code: 400,
    says: /block\.priority/,
  },
  {
    what: 'a text for a priority',
    send: block({ name: 'x', type: 'custom', priority: '0' }),
    code: 400,
    says: /block\.priority/,
  },
  {
    what: 'a number in the configuration',
    send: block({ name: 'x', type: 'custom', configuration: { data_provider: 1 } }),
    code: 400,
    says: /block\.configuration\.data_provider/,
  },
  {
    what: 'an unknown write policy',
    send: block({ name: 'x', type: 'custom', configuration: { export_write_policy: 'merge' } }),
    code: 400,
    says: /block\.configuration\.export_write_policy.*replace, append, fail/,
  },
  {
    what: 'an array for the config',
    send: block({ name: 'x', type: 'custom', config: [] }),
    code: 400,
    says: /block\.config/,
  },
  {
    what: 'an unknown pipeline for a block',
    send: block({ name: 'x', type: 'custom', pipelines: ['archive', 'nowhere'] }),
    code: 400,
    says: /block\.pipelines.*nowhere/,
  },
  {
    what: 'a block name that is taken',
    send: block({ name: 'Load-Orders', type: 'custom' }),
    code: 400,
    says: /block\.name.*load_orders/,
  },
  {
    what: 'a block name that is taken in another pipeline it names',
    send: {
      method: 'POST',
      path: '/api/pipelines/archive/blocks',
      json: { block: { name: 'sum up', type: 'custom', pipelines: ['daily_sales'] } },
    },
    code: 400,
    says: /block\.name.*sum_up/,
  },
  {
    what: 'a block in an unknown pipeline',
    send: {
      method: 'POST',
      path: '/api/pipelines/nowhere/blocks',
      json: { block: { name: 'x', type: 'custom' } },
    },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'an unknown block status',
    send: {
      method: 'PUT',
      path: '/api/pipelines/daily_sales/blocks/sum_up',
      json: { block: { status: 'done' } },
    },
    code: 400,
    says: /block\.status/,
  },
  { what: 'a backfill without a name', send: newBackfill({}), code: 400, says: /backfill\.name/ },
  {
    what: 'a backfill in an unknown pipeline',
    send: { method: 'POST', path: '/api/pipelines/nowhere/backfills', json: { backfill: { name: 'x' } } },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'an unknown backfill status',
    send: backfill({ status: 'done' }),
    code: 400,
    says: /backfill\.status.*initial, running, completed, failed, cancelled.*"done"/,
  },
  {
    what: 'null for a backfill status',
    send: backfill({ status: null }),
    code: 400,
    says: /backfill\.status/,
  },
  {
    what: 'an unknown interval',
    send: backfill({ interval_type: 'days' }),
    code: 400,
    says: /backfill\.interval_type.*second, minute, hour, day, week, month, year, custom.*"days"/,
  },
  {
    what: 'a text for interval units',
    send: backfill({ interval_units: '1' }),
    code: 400,
    says: /backfill\.interval_units/,
  },
  {
    what: 'no interval unit',
    send: backfill({ interval_units: 0 }),
    code: 400,
    says: /backfill\.interval_units/,
  },
  {
    what: 'half an interval unit',
    send: backfill({ interval_units: 0.5 }),
    code: 400,
    says: /backfill\.interval_units/,
  },
  {
    what: 'an array for variables',
    send: backfill({ variables: [1] }),
    code: 400,
    says: /backfill\.variables.*object/,
  },
  {
    what: 'a date without a time',
    send: backfill({ start_datetime: '2026-01-01' }),
    code: 400,
    says: /backfill\.start_datetime.*2026-01-01/,
  },
  {
    what: 'a datetime in ISO form',
    send: backfill({ start_datetime: '2026-01-01T00:00:00Z' }),
    code: 400,
    says: /backfill\.start_datetime/,
  },
  {
    what: 'a day that is not in the calendar',
    send: backfill({ end_datetime: '2026-02-30 00:00:00' }),
    code: 400,
    says: /backfill\.end_datetime.*2026-02-30/,
  },
  {
    what: 'hour 24',
    send: backfill({ end_datetime: '2026-02-28 24:00:00' }),
    code: 400,
    says: /backfill\.end_datetime/,
  },
  {
    what: 'a number for a datetime',
    send: backfill({ start_datetime: 1767225600 }),
    code: 400,
    says: /backfill\.start_datetime/,
  },
  {
    what: 'a good field beside a bad one',
    send: backfill({ name: 'changed', status: 'done' }),
    code: 400,
    says: /backfill\.status/,
  },
  {
    what: 'a schedule without a name',
    send: schedule({ name: undefined }),
    code: 400,
    says: /pipeline_schedule\.name/,
  },
  {
    what: 'an unknown schedule type',
    send: schedule({ schedule_type: 'cron' }),
    code: 400,
    says: /pipeline_schedule\.schedule_type.*time, api, event/,
  },
  {
    what: 'an unknown schedule status',
    send: schedule({ status: 'on' }),
    code: 400,
    says: /pipeline_schedule\.status.*active, inactive/,
  },
  {
    what: 'an unknown interval name',
    send: schedule({ schedule_interval: '@sometimes' }),
    code: 400,
    says: /pipeline_schedule\.schedule_interval.*@hourly/,
  },
  {
    what: 'a text for tags',
    send: schedule({ tags: 'nightly' }),
    code: 400,
    says: /pipeline_schedule\.tags/,
  },
  {
    what: 'a text for a setting',
    send: schedule({ settings: { allow_blocks_to_fail: 'yes' } }),
    code: 400,
    says: /pipeline_schedule\.settings\.allow_blocks_to_fail/,
  },
  {
    what: 'an unknown run status',
    send: run({ status: 'stopped' }),
    code: 400,
    says: /pipeline_run\.status/,
  },
  {
    what: 'null for run variables',
    send: run({ variables: null }),
    code: 400,
    says: /pipeline_run\.variables/,
  },
  {
    what: 'a number for a password',
    send: {
      method: 'POST',
      path: '/api/sessions',
      json: { session: { email: 'mira@example.com', password: 1 } },
    },
    code: 400,
    says: /session\.password/,
  },
  {
    what: 'an object for an email',
    send: { method: 'POST', path: '/api/sessions', json: { session: { email: { a: 1 }, password: 'x' } } },
    code: 400,
    says: /session\.email/,
  },
])

// ── Ids and paths ───────────────────────────────────────────────────────────────────────────────────────────────────

const oddIds = [
  'abc',
  '1.5',
  '-1',
  '0',
  '01',
  '+1',
  '1e0',
  '1e400',
  '99999999999999999999',
  'NaN',
  'null',
  '%201',
  '%00',
  '9007199254740993',
  "1'%20or%201=1",
  '%F0%9F%92%A9',
]
itRefuses(
  oddIds.flatMap((id): WrongRequest[] => [
    {
      what: `the id ${id} in an update`,
      send: { method: 'PUT', path: `/api/backfills/${id}`, json: { backfill: { name: 'x' } } },
      code: 404,
      says: /backfill.*id/,
    },
    {
      what: `the id ${id} in a delete`,
      send: { method: 'DELETE', path: `/api/backfills/${id}` },
      code: 404,
      says: /backfill.*id/,
    },
    {
      what: `the id ${id} of a schedule that is triggered`,
      send: { method: 'POST', path: `/api/pipeline_schedules/${id}/pipeline_runs/night-token`, json: {} },
      code: 404,
      says: /pipeline_schedule.*id/,
    },
  ]),
)
itRefuses([
  {
    what: 'an unknown pipeline',
    send: { path: '/api/pipelines/nowhere' },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'a pipeline named like an inherited property',
    send: { path: '/api/pipelines/constructor' },
    code: 404,
    says: /pipeline.*constructor/,
  },
  {
    what: 'a pipeline named __proto__',
    send: { path: '/api/pipelines/__proto__' },
    code: 404,
    says: /pipeline.*__proto__/,
  },
  {
    what: 'the schedules of an unknown pipeline',
    send: { path: '/api/pipelines/nowhere/pipeline_schedules' },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'the logs of an unknown pipeline',
    send: { path: '/api/pipelines/nowhere/logs' },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'the backfills of an unknown pipeline',
    send: { path: '/api/pipelines/nowhere/backfills' },
    code: 404,
    says: /pipeline.*nowhere/,
  },
  {
    what: 'the runs of an unknown schedule',
    send: { path: '/api/pipeline_schedules/77/pipeline_runs' },
    code: 404,
    says: /pipeline_schedule.*77/,
  },
  {
    what: 'an unknown block',
    send: { path: '/api/pipelines/daily_sales/blocks/nowhere' },
    code: 404,
    says: /block.*nowhere/,
  },
  {
    what: 'a block of another pipeline',
    send: { path: '/api/pipelines/archive/blocks/sum_up' },
    code: 404,
    says: /block.*sum_up/,
  },
  {
    what: 'a block behind an encoded slash',
    send: { path: '/api/pipelines/archive%2Fblocks/blocks/x' },
    code: 404,
    says: /pipeline.*archive\/blocks/,
  },
  {
    what: 'bad percent-encoding',
    send: { path: '/api/pipelines/%ZZ' },
    code: 400,
    says: /%ZZ.*percent-encoding/,
  },
  {
    what: 'percent-encoding that is cut off',
    send: { path: '/api/pipelines/a%2' },
    code: 400,
    says: /percent-encoding/,
  },
  {
    what: 'percent-encoding that is no UTF-8',
    send: { path: '/api/pipelines/%E0%A4%A' },
    code: 400,
    says: /percent-encoding/,
  },
  {
    what: 'bad percent-encoding in the path of a write',
    send: { method: 'PUT', path: '/api/backfills/%C3%28', json: { backfill: { name: 'x' } } },
    code: 400,
    says: /percent-encoding/,
  },
  {
    what: 'a trailing slash',
    send: { path: '/api/pipelines/' },
    code: 404,
    says: /Did you mean "\/api\/pipelines"/,
  },
  {
    what: 'a trailing slash behind an id',
    send: { method: 'DELETE', path: '/api/backfills/1/' },
    code: 404,
    says: /Did you mean "\/api\/backfills\/1"/,
  },
  {
    what: 'another letter case of a resource',
    send: { path: '/api/Pipelines' },
    code: 404,
    says: /Did you mean "\/api\/pipelines"/,
  },
  {
    what: 'another letter case of a nested resource',
    send: { path: '/api/pipelines/archive/LOGS' },
    code: 404,
    says: /Did you mean/,
  },
  {
    what: 'another letter case of a uuid',
    send: { path: '/api/pipelines/Archive' },
    code: 404,
    says: /pipeline.*Archive/,
  },
  {
    what: 'two slashes',
    send: { path: '/api//pipelines' },
    code: 404,
    says: /Did you mean "\/api\/pipelines"/,
  },
  { what: 'an empty uuid', send: { path: '/api/pipelines//blocks' }, code: 404, says: /Nothing is at/ },
  { what: 'an unknown resource', send: { path: '/api/clusters' }, code: 404, says: /\/api\/clusters/ },
  {
    what: 'an unknown resource of a pipeline',
    send: { path: '/api/pipelines/archive/secrets' },
    code: 404,
    says: /secrets/,
  },
  {
    what: 'a path that goes on too long',
    send: { path: '/api/pipelines/archive/blocks/a/b' },
    code: 404,
    says: /Nothing is at/,
  },
  { what: 'a flat path of a block', send: { path: '/api/blocks/sum_up' }, code: 404, says: /Nothing is at/ },
  { what: 'nothing behind the prefix', send: { path: '/api' }, code: 404, says: /Nothing is at "\/api"/ },
  { what: 'a slash behind the prefix', send: { path: '/api/' }, code: 404, says: /Nothing is at "\/api\/"/ },
  { what: 'a resource that has no operation', send: { path: '/api/users' }, code: 404, says: /users/ },
  {
    what: 'a path of 4,000 characters',
    send: { path: `/api/pipelines/${'x'.repeat(4000)}` },
    code: 404,
    says: /pipeline/,
  },
])

const expressOnly = faces.filter(([name]) => name === 'Express')
itRefuses(
  [
    {
      what: 'dots that fetch would resolve',
      send: { path: '/api/pipelines/../pipelines' },
      code: 404,
      says: /Nothing is at/,
    },
    { what: 'dots for a uuid', send: { path: '/api/pipelines/..' }, code: 404, says: /pipeline.*\.\./ },
    {
      what: 'encoded dots for a uuid',
      send: { path: '/api/pipelines/%2e%2e' },
      code: 404,
      says: /pipeline.*\.\./,
    },
    { what: 'one dot for a uuid', send: { path: '/api/pipelines/.' }, code: 404, says: /pipeline/ },
    {
      what: 'a backslash',
      send: { path: '/api\\/pipelines/../..\\pipelines'.replace('\\/', '/') },
      code: 404,
      says: /Nothing is at/,
    },
  ],
  expressOnly,
)

// ── Methods ─────────────────────────────────────────────────────────────────────────────────────────────────────────

itRefuses([
  {
    what: 'PATCH on a pipeline',
    send: { method: 'PATCH', path: '/api/pipelines/archive', json: { pipeline: { name: 'x' } } },
    code: 405,
    says: /PATCH.*GET.*PUT.*DELETE/,
  },
  {
    what: 'DELETE on a list',
    send: { method: 'DELETE', path: '/api/pipelines' },
    code: 405,
    says: /DELETE.*POST or GET|DELETE.*GET or POST/,
  },
  {
    what: 'PUT on a list',
    send: { method: 'PUT', path: '/api/pipelines', json: { pipeline: { name: 'x', type: 'python' } } },
    code: 405,
    says: /PUT is not allowed/,
  },
  {
    what: 'POST on a record',
    send: {
      method: 'POST',
      path: '/api/pipelines/archive',
      json: { pipeline: { name: 'x', type: 'python' } },
    },
    code: 405,
    says: /POST is not allowed/,
  },
  {
    what: 'POST on the flat list of backfills',
    send: { method: 'POST', path: '/api/backfills', json: { backfill: { name: 'x' } } },
    code: 405,
    says: /POST.*GET/,
  },
  {
    what: 'GET on a trigger',
    send: { path: '/api/pipeline_schedules/2/pipeline_runs/hand-token' },
    code: 405,
    says: /GET.*POST/,
  },
  {
    what: 'POST on logs',
    send: { method: 'POST', path: '/api/pipelines/archive/logs', json: {} },
    code: 405,
    says: /POST.*GET/,
  },
  {
    what: 'DELETE on tokens',
    send: { method: 'DELETE', path: '/api/oauth_access_tokens' },
    code: 405,
    says: /DELETE.*GET/,
  },
  { what: 'GET on sessions', send: { path: '/api/sessions' }, code: 405, says: /GET.*POST/ },
])

it.each(faces)('answers HEAD with HTTP 200 and no body through %s', async (_, face) => {
  const api = await open(face, options)
  const before = stateOf(api.understudy)
  const reply = await api.send({ method: 'HEAD', path: '/api/pipelines' })

  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.text).toBe('')
  expect(stateOf(api.understudy)).toEqual(before)
  await expectNextToWork(api)
})

// ── Queries ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const badNumbers = [
  '-1',
  'abc',
  '1e9',
  '1.5',
  '',
  '+1',
  '%201',
  '0x10',
  'Infinity',
  '99999999999999999999',
  'null',
  '٣',
]
itRefuses([
  ...badNumbers.map(
    (value): WrongRequest => ({
      what: `_limit=${value}`,
      send: { path: `/api/backfills?_limit=${encodeURI(value).replace('%25', '%')}` },
      code: 400,
      says: /_limit: expected a whole number/,
    }),
  ),
  ...badNumbers.map(
    (value): WrongRequest => ({
      what: `_offset=${value}`,
      send: { path: `/api/pipelines/daily_sales/logs?_offset=${encodeURI(value).replace('%25', '%')}` },
      code: 400,
      says: /_offset: expected a whole number/,
    }),
  ),
  {
    what: 'a bad _limit of tokens',
    send: { path: '/api/oauth_access_tokens?_limit=-1' },
    code: 400,
    says: /_limit/,
  },
  {
    what: 'a bad _limit of logs',
    send: { path: '/api/pipelines/daily_sales/logs?_limit=abc' },
    code: 400,
    says: /_limit/,
  },
  {
    what: 'a bad _limit of runs',
    send: { path: '/api/pipeline_runs?_limit=abc' },
    code: 400,
    says: /_limit/,
  },
  {
    what: 'a bad _limit under a tag',
    send: { path: '/api/pipelines/daily_sales/pipeline_schedules?tag[]=nightly&_limit=x' },
    code: 400,
    says: /_limit/,
  },
  {
    what: 'a bad start_timestamp',
    send: { path: '/api/pipelines/daily_sales/logs?start_timestamp=2026-01-01' },
    code: 400,
    says: /start_timestamp.*2026-01-01/,
  },
  {
    what: 'a negative start_timestamp',
    send: { path: '/api/pipelines/daily_sales/logs?start_timestamp=-1' },
    code: 400,
    says: /start_timestamp/,
  },
  {
    what: 'a bad include_schedules',
    send: { path: '/api/pipelines/daily_sales?include_schedules=yes' },
    code: 400,
    says: /include_schedules.*yes/,
  },
  {
    what: 'a bad include_run_count',
    send: { path: '/api/backfills?include_run_count=yes' },
    code: 400,
    says: /include_run_count.*yes/,
  },
  {
    what: 'a bad show_all',
    send: { path: '/api/oauth_access_tokens?show_all=all' },
    code: 400,
    says: /show_all.*all/,
  },
  {
    what: 'a bad force',
    send: { method: 'DELETE', path: '/api/pipelines/daily_sales/blocks/load_orders?force=yes' },
    code: 400,
    says: /force.*True.*yes/,
  },
  {
    what: 'a bad force on a block nothing depends on',
    send: { method: 'DELETE', path: '/api/pipelines/daily_sales/blocks/write_totals?force=2' },
    code: 400,
    says: /force/,
  },
  {
    what: 'an unknown status in a filter',
    send: { path: '/api/pipeline_runs?status=done' },
    code: 400,
    says: /status.*running.*done/,
  },
])

it.each(faces)(
  'gives an empty page for _limit=0 and a whole one for a huge _limit through %s',
  async (_, face) => {
    const api = await open(face, options)

    expect((await api.get('/api/backfills?_limit=0')).body).toEqual({
      backfills: [],
      metadata: { count: 5, next: true },
    })
    expect(pluckSorted(await api.get('/api/backfills?_limit=1000000000'), 'backfills', 'id')).toEqual([
      1, 2, 3, 4, 5,
    ])
    expect(pluckSorted(await api.get('/api/backfills?_limit=999999999999999'), 'backfills', 'id')).toEqual([
      1, 2, 3, 4, 5,
    ])
    expect(pluck(await api.get('/api/backfills?_offset=999999999999999'), 'backfills', 'id')).toEqual([])
  },
)

it.each(faces)('reads a query with bad percent-encoding as the text it is through %s', async (_, face) => {
  const api = await open(face, options)

  expect((await api.get('/api/backfills?pipeline_uuid=%ZZ')).body).toEqual({
    backfills: [],
    metadata: { count: 0, next: false },
  })
  expect(
    pluck(
      await api.get('/api/pipelines/daily_sales/pipeline_schedules?tag[]=%E0%A4'),
      'pipeline_schedules',
      'id',
    ),
  ).toEqual([])
})

it.each(faces)('ignores parameters it does not know, whatever their names, through %s', async (_, face) => {
  const api = await open(face, options)
  const reply = await api.get('/api/backfills?constructor=1&__proto__=2&page=3&=&&_limit=1&_limit=4')

  expect(reply.body).toEqual((await api.get('/api/backfills?_limit=1')).body)
  expect(recordsIn(reply, 'backfills')).toHaveLength(1)
})

// ── Sockets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const [[, expressFace]] = expressOnly as [(typeof faces)[number]]

async function overSocket(port: number, text: string, end = true): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (end) socket.end(text)
  else {
    socket.write(text)
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
  }
  if (!socket.closed) await once(socket, 'close')
  return received
}

it('lives on when a client leaves in the middle of a body', async () => {
  const api = await open(expressFace, options)
  const before = stateOf(api.understudy)
  await overSocket(
    api.port,
    'POST /api/pipelines HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"pipeline":{"name":"half"',
    false,
  )

  expect(stateOf(api.understudy)).toEqual(before)
  await expectNextToWork(api)
})

it('reads a body that comes in chunks', async () => {
  const api = await open(expressFace, options)
  const answer = await overSocket(
    api.port,
    'POST /api/pipelines HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '10\r\n{"pipeline":{"na\r\n18\r\nme":"x","type":"python"}\r\n1\r\n}\r\n0\r\n\r\n',
  )

  expect(answer).toContain('"uuid":"x"')
})

it('answers a request line with a whole URL as a proxy sends it', async () => {
  const api = await open(expressFace, options)
  const answer = await overSocket(
    api.port,
    'GET http://pipelines.example.com/api/pipelines/archive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  )

  expect(answer).toContain('"uuid":"archive"')
})

it('joins the halves of a character that two chunks share', async () => {
  const api = await open(expressFace, options)
  const socket = connect(api.port, '127.0.0.1')
  const body = Buffer.from('{"pipeline":{"name":"ä","type":"python"}}')
  const cut = body.indexOf(0xc3) + 1
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8')
  })
  await once(socket, 'connect')
  socket.write(
    `POST /api/pipelines HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, cut))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.write(body.subarray(cut))
  await once(socket, 'close')

  expect(received).toContain('"uuid":"ä"')
})

// ── What is not ours ────────────────────────────────────────────────────────────────────────────────────────────────

it.each(['/apiary', '/api-docs', '/API/pipelines', '//api/pipelines', '/other/api/pipelines', '/'])(
  'leaves %s and its body to the application it is mounted in',
  async (path) => {
    const app = express()
    app.use(createApp(createUnderstudy(options)))
    app.use(express.json())
    app.use((incoming, response) => {
      response.status(418).json({ received: incoming.body as unknown })
    })
    const reply = await request(app).post(path).send({ mine: true }).timeout(2_000)

    expect(reply.status).toBe(418)
    expect(reply.body).toEqual({ received: { mine: true } })
  },
)

it('answers behind a body parser that has read the body', async () => {
  const app = express()
  app.use(express.json())
  app.use(createApp(createUnderstudy(options)))
  const reply = await request(app)
    .post('/api/pipelines')
    .send({ pipeline: { name: 'x', type: 'python' } })

  expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it('answers behind a parser that has read the body into bytes', async () => {
  const app = express()
  app.use(express.raw({ type: '*/*' }))
  app.use(createApp(createUnderstudy(options)))
  const reply = await request(app)
    .post('/api/pipelines')
    .send({ pipeline: { name: 'x', type: 'python' } })

  expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it('answers behind a body parser that found no body', async () => {
  const app = express()
  app.use(express.json())
  app.use(createApp(createUnderstudy(options)))
  const reply = await request(app).post('/api/pipeline_schedules/2/pipeline_runs/hand-token')

  expect(reply.body).toMatchObject({ pipeline_run: { event_variables: {} } })
})

it('answers where it is mounted under a path of its own', async () => {
  const app = express()
  app.use('/backend', createApp(createUnderstudy(options)))

  expect((await request(app).get('/backend/api/pipelines/archive')).body).toMatchObject({
    pipeline: { uuid: 'archive' },
  })
  expect((await request(app).get('/backend/api/nothing')).body).toMatchObject({
    error: { code: 404 },
    status: 200,
  })
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

it('breaks off, as a network does, where the body of a request to MSW breaks off', async () => {
  const [, msw] = faces[0]!
  await open(msw, options)
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"pipeline":'))
      controller.error(new Error('The client has left.'))
    },
  })

  const sent = { method: 'POST', body, duplex: 'half' } as RequestInit
  await expect(fetch('http://service.test/api/pipelines', sent)).rejects.toThrow(TypeError)
})
