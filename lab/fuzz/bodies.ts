import fc from 'fast-check'
import { plain, type Repeated, utf8 } from './bytes.ts'
import { anyOf, apiKey, pick, rarely, text } from './texts.ts'

const json = fc.jsonValue({ maxDepth: 3 })
const name = rarely(pick('a', 'b', 'daily sales', 'pipeline 1'), text, 3)
const time = pick(
  '2026-01-01 00:00:00', '2026-01-02 00:00:00', '2026-02-30 00:00:00', '0000-00-00 00:00:00',
  '9999-12-31 23:59:59', '2026-01-01T00:00:00Z', '2026-01-01 24:00:00', '', '-1d',
) // biome-ignore format: a list
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name,
  uuid: name,
  type: anyOf(
    'python', 'streaming', 'data_loader', 'transformer', 'callback', 'conditional', 'chart', 'custom',
    'x', 3,
  ),
  clone_pipeline_uuid: anyOf('daily_sales', 'a', 'nobody'),
  conditionals: anyOf([], [{ name: 'a' }], [{ name: 'a' }, { name: 'A' }], [null], 'x'),
  content: text,
  language: anyOf('python', 'sql', 'cobol', null),
  pipelines: anyOf(['a'], ['daily_sales', 'a', 'a'], ['nobody'], [], [1]),
  priority: anyOf(0, 1, -1, 1e9, 1.5, '0'),
  upstream_blocks: anyOf(['load'], ['load', 'sum_up'], ['a', 'b'], ['nobody'], [], [null], 'load'),
  configuration: fc.oneof(anyOf({ export_write_policy: 'append' }, { export_write_policy: 'x' }, []), json),
  status: anyOf(
    'initial', 'running', 'completed', 'failed', 'cancelled', 'executed', 'active', 'inactive', 'x',
    null,
  ),
  start_datetime: time,
  end_datetime: time,
  start_time: time,
  interval_type: anyOf('second', 'day', 'month', 'year', 'custom', 'x', null),
  interval_units: anyOf(1, 0, -1, 7, 1e15, 1.5, null),
  schedule_type: anyOf('time', 'api', 'event', 'x'),
  schedule_interval: anyOf(
    '@hourly', '@once', '@always_on', '* * * * *', '*/0 * * * *', '61 * * * *', '@', '', '0 0 30 2 *',
  ),
  tags: anyOf([], ['nightly'], ['a', 'a'], [1], 'nightly'),
  settings: anyOf({}, { skip_if_previous_running: true }, null),
  variables: json,
  email: anyOf('mira@example.com', 'nobody@example.com', ''),
  username: anyOf('mira', 'nobody', '__proto__'),
  password: anyOf('lantern', 'wrong', ''),
  sla: anyOf(1, -1, null),
  executor_count: anyOf(1, 0, 2 ** 53),
} // biome-ignore format: a list
const attributes = fc
  .array(
    fc.oneof(
      ...Object.entries(fields).map(([field, values]) =>
        fc.tuple(fc.constant(field), rarely<unknown>(values, json, 8)),
      ),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => Object.fromEntries(pairs))
const envelope = fc
  .tuple(
    pick('pipeline', 'block', 'backfill', 'pipeline_schedule', 'pipeline_run', 'session', 'status'),
    name,
    attributes,
    fc.oneof(fc.constant(undefined), apiKey),
  )
  .map(([key, name, values, api_key]) =>
    JSON.stringify({ [key]: { name, type: 'custom', ...values }, ...(api_key !== undefined && { api_key }) }),
  )
const hostileBodies = pick(
  '{"__proto__":{"polluted":1}}', '{"pipeline":{"__proto__":{"name":"x"},"name":"x","type":"python"}}',
  '{"constructor":{"prototype":{"polluted":1}}}', '{"pipeline":{"name":{"toString":1},"type":"python"}}',
  'null', '[]', '""', '0', 'true', '-', '{', '[', '"', '{"a":1,}', "{'a':1}", 'NaN', '1e999', '\ufeff{}',
  ' \r\n\t', '{"pipeline":null}', '{"pipeline":[]}', '{"pipeline":{}}', '{"backfill":{"name":null}}',
  '{"api_key":{"a":1}}', '{"pipeline":{"name":"\\ud800","type":"python"}}',
  '{"pipeline":{"name":"\\u0000","type":"python"}}', '{"a":1}{"a":2}', 'a=1&b=2',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--', '<?xml version="1.0"?><a/>',
) // biome-ignore format: a list
const mutatedEnvelope = fc
  .tuple(envelope, fc.nat(200), fc.string({ maxLength: 3 }))
  .map(([body, at, inserted]) => body.slice(0, at) + inserted + body.slice(at + 1))
const small = fc
  .oneof(
    { weight: 8, arbitrary: envelope.map(utf8) },
    { weight: 2, arbitrary: mutatedEnvelope.map(utf8) },
    { weight: 2, arbitrary: hostileBodies.map(utf8) },
    { weight: 1, arbitrary: json.map((value) => utf8(JSON.stringify(value))) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 40 }),
    },
  )
  .map(plain)
const deep: fc.Arbitrary<Repeated> = fc
  .tuple(pick('[', '{"a":', '[{"a":'), pick(150, 201, 5_000, 100_000))
  .map(([unit, times]) => ({
    head: '{"pipeline":{"name":"a","type":"python","executor_config":',
    unit,
    times,
    tail: '',
  }))
const wide: fc.Arbitrary<Repeated> = pick(
  { head: '{"pipeline":{"type":"python","name":"', unit: 'x', times: 100_000, tail: '"}}' },
  { head: '[', unit: '0,', times: 50_000, tail: '0]' },
  { head: '{"backfill":{"name":"a","variables":{', unit: '"k":1,', times: 20_000, tail: '"k":1}}}' },
)
const mega = 1024 * 1024
const huge: fc.Arbitrary<Repeated> = pick(10 * mega - 2, 10 * mega - 1, 10 * mega, 12 * mega, 41 * mega).map(
  (times) => ({ head: '"', unit: 'x', times, tail: '"' }),
)
export const body = fc.oneof(
  { weight: 3_000, arbitrary: small },
  { weight: 15, arbitrary: deep },
  { weight: 15, arbitrary: wide },
  { weight: 1, arbitrary: huge },
)
