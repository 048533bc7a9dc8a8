import { METHODS } from 'node:http'
import fc from 'fast-check'
import {
  type Broken,
  type Bytes,
  type FuzzCase,
  plain,
  type Repeated,
  utf8,
  type WellFormed,
} from './cases.ts'

/** What the garbage is thrown at: no text in it looks like a trace, so that one in a reply is a leak. */
export const fixture = {
  users: [{ id: 1, username: 'mira', email: 'mira@example.com', password: 'lantern' }],
  api_keys: ['fuzz-key'],
  oauth_access_tokens: [{ token: 'mira-laptop', expires: '+20d', user_id: 1 }],
  pipelines: [
    {
      name: 'daily sales',
      blocks: [
        { name: 'load', type: 'data_loader' },
        { name: 'sum up', type: 'transformer', upstream_blocks: ['load'] },
      ],
    },
  ],
  pipeline_schedules: [{ pipeline_uuid: 'daily_sales', token: 'let-me-in', tags: ['nightly'] }],
  backfills: [{ pipeline_uuid: 'daily_sales', name: 'january' }],
  logs: [{ pipeline_uuid: 'daily_sales', content: 'all went well' }],
  custom: { statuses: [{ require_user_authentication: false }] },
} as const

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const anyOf = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values)
const rarely = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>, weight: number) =>
  fc.oneof({ weight: weight - 1, arbitrary: usual }, { weight: 1, arbitrary: rare })

// ── Texts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const oddTexts = pick(
  ...[
    '',
    ' ',
    '.',
    '..',
    '~',
    '*',
    '%',
    '%2',
    '%zz',
    '%00',
    '%2f',
    '%2F..%2f',
    '%2e%2e',
    '%ff',
    '%c0%af',
    '%ED%A0%80',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '-1',
    '1e9',
    '0x10',
    '1.5',
  ],
  ...[
    '9007199254740993',
    '99999999999999999999',
    '0',
    '00',
    '+1',
    '💥',
    'ß',
    'İ',
    'ſ',
    '\u202e',
    '﷽',
    'a\u0300',
  ],
  ...[
    'let-me-in',
    'daily_sales',
    'daily-sales',
    'load',
    'sum_up',
    'True',
    "' or 1=1--",
    '{{7*7}}',
    '<script>',
    '#{x}',
  ],
  ...['?', '&', '=', '#', ';', ',', '\\', '"', '|', '[]', '[0]', '$where', '../../etc/passwd', '..%5c..%5c'],
)
const text = fc.oneof(oddTexts, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 8 }))
const longText = fc
  .tuple(pick('a', '%41', '💥', '/', '../', '%2f'), fc.nat(1_200))
  .map(([unit, times]) => unit.repeat(times))

/** Characters that end a request line, or that the parser refuses in it. */
const notInTarget = /[^!-~]/g
const toTarget = (value: string): Bytes =>
  utf8(value).replaceAll(
    notInTarget,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
const toField = (value: string): Bytes =>
  utf8(value)
    .replaceAll(/[\x00-\x08\x0a-\x1f\x7f]/g, '')
    .trim()

// ── Targets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const routes = [
  ...[
    'oauth_access_tokens',
    'sessions',
    'pipelines',
    'pipelines/:p',
    'pipelines/:p/blocks',
    'pipelines/:p/blocks/:b',
  ],
  ...[
    'pipelines/:p/pipeline_schedules',
    'pipeline_schedules',
    'pipeline_schedules/:i',
    'backfills',
    'backfills/:i',
  ],
  ...[
    'pipelines/:p/backfills',
    'pipelines/:p/backfills/:i',
    'pipeline_schedules/:i/pipeline_runs/:t',
    'pipeline_runs',
  ],
  ...[
    'pipeline_schedules/:i/pipeline_runs',
    'pipeline_runs/:i',
    'pipelines/:p/logs',
    'statuses',
    'statuses/:i',
  ],
]
const parameter: Readonly<Record<string, fc.Arbitrary<string>>> = {
  p: rarely(pick('daily_sales', 'a', 'b', 'pipeline_1'), text, 5),
  b: rarely(pick('load', 'sum_up', 'a', 'b'), text, 5),
  i: rarely(pick('1', '2', '3', '7'), text, 5),
  t: rarely(pick('let-me-in', 'wrong'), text, 5),
}
const routePath = fc
  .record({ route: pick(...routes), p: parameter.p!, b: parameter.b!, i: parameter.i!, t: parameter.t! })
  .map(({ route, ...values }) => `/api/${route.replaceAll(/:(\w)/g, (_, name: 'p') => values[name])}`)

const mutations: readonly ((path: string, at: number) => string)[] = [
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace('/api', '/api/.'),
  (path) => path.replace('/api/', '/api/x/../'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => `/.${path}`,
  (path) => `//other.example${path}`,
  (path) => `http://other.example:99999${path}`,
  (path) => `HTTPS://[::1]${path}`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}#fragment?_limit=1`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path, at) => `${path.slice(0, at)}%${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}\\${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}💥${path.slice(at)}`,
  (path, at) => path.slice(0, at) || '/',
  (path, at) =>
    at < path.length ? `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}` : path,
]
/** The admin API, but for what would make right answers look wrong: faults, switches, and another fixture. */
const adminRoutes = [
  ...['health', 'version', 'openapi.json', 'worlds', 'worlds/:w', 'worlds/:w/reset', 'worlds/:w/snapshots'],
  ...[
    'worlds/:w/snapshots/:n',
    'worlds/:w/snapshots/:n/restore',
    'worlds/:w/records/:r',
    'worlds/:w/records/:r/:n',
  ],
  ...['worlds/:w/journal', 'worlds/:w/journal.har', 'worlds/:w/runs/script', 'worlds/:w/runs/:n/finish'],
  ...['worlds/:w/tokens/raw', 'worlds/:w/factories/:r', 'worlds/:w/clock', ':n', ''],
]
const adminPath = fc
  .record({
    route: pick(...adminRoutes),
    w: rarely(pick('main', 'alice'), text, 6),
    r: rarely(pick('pipelines', 'backfills', 'backfill', 'pipeline'), text, 6),
    n: rarely(pick('1', 'daily_sales', 'before'), text, 4),
  })
  .map(
    ({ route, ...values }) =>
      `/__understudy__/api/${route.replaceAll(/:(\w)/g, (_, name: 'w') => values[name])}`,
  )

const mutatedPath = fc
  .tuple(routePath, fc.array(fc.tuple(pick(...mutations), fc.nat(40)), { minLength: 1, maxLength: 2 }))
  .map(([path, steps]) => steps.reduce((before, [mutate, at]) => mutate(before, at), path))
const sitePath = pick(
  '/',
  '*',
  '/openapi.json',
  '/%ff',
  '/%',
  '/api.json',
  '/apis',
  '/API',
  '/favicon.ico',
  '/..',
  '/?/api/',
  '/__understudy__',
  '/__understudy__/api/health',
  '/__understudy__/api/worlds/%',
  '/__understudy__/../api',
  'http://',
  'x:',
)
const anyPath = text.map((value) => `/api/${value}`)
const path = fc.oneof(
  { weight: 10, arbitrary: routePath },
  { weight: 4, arbitrary: mutatedPath },
  { weight: 1, arbitrary: sitePath },
  { weight: 2, arbitrary: anyPath },
  { weight: 1, arbitrary: adminPath },
)

const queryNames = pick(
  ...[
    '_limit',
    '_offset',
    'api_key',
    'include_schedules',
    'include_run_count',
    'pipeline_uuid',
    'status',
    'tag[]',
  ],
  ...['force', 'block_type', 'start_timestamp', 'show_all', '__proto__', 'tag', '_limit[]', 'constructor'],
)
const worldNames = pick(
  ...[
    'main',
    'alice',
    'bob',
    'constructor',
    'toString',
    'A',
    'w_1',
    'w-2',
    '0',
    'x'.repeat(64),
    'x'.repeat(65),
  ],
  ...['', '-x', '_x', '__proto__', 'a b', 'a,b', 'é', '../main', 'a~b', '%61', 'a\tb', '💥', 'main ', '.'],
)
const apiKey = fc
  .tuple(pick('fuzz-key', 'wrong', '', '~', '💥'), pick('', '~', '~~', '%7E', '%7e'), worldNames)
  .map(([key, separator, world]) => key + separator + world)
const queryPair = fc
  .tuple(
    rarely(queryNames, text, 6),
    fc.oneof(apiKey, pick('1', '0', '2', '-1', 'True', 'nightly', '999999999999999'), text),
  )
  .map(([name, value]) => `${name}=${value}`)
const query = fc
  .array(fc.oneof({ weight: 8, arbitrary: queryPair }, { weight: 1, arbitrary: text }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pairs) => `?${pairs.join('&')}`)
const target: fc.Arbitrary<Bytes> = fc
  .tuple(
    path,
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: query }),
    rarely(fc.constant(''), longText, 60),
  )
  .map(([path, query, long]) => toTarget(path + query + long).slice(0, 11_000))
  // What is neither a path nor an absolute address is no request line.
  .map((target) => (/^(?:\/|\*$|HTTPS?:\/\/[\w.:[\]-]+\/)/i.test(target) ? target : `/${target}`))

// ── Headers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const header = fc.oneof(
  fc.tuple(fc.constant('X-Understudy-World'), worldNames),
  fc.tuple(fc.constant('X-API-KEY'), apiKey),
  fc.tuple(
    pick('Content-Type', 'content-TYPE'),
    pick(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/',
      '/',
      ';',
      '',
      'a/b+json',
      'application/json, text/html',
    ),
  ),
  fc.tuple(
    pick('OAUTH-TOKEN', 'Authorization', 'Cookie'),
    pick(
      'mira-laptop',
      'Bearer mira-laptop',
      'Bearer',
      'bearer  ',
      'Bearer a.b.c',
      'Basic eDp5',
      'oauth_token=a.b.c',
      'oauth_token=',
      'oauth_token=eyJhbGciOiJub25lIn0.e30.',
      ';;;=;',
      '__proto__',
    ),
  ),
  fc.tuple(
    pick(
      'Origin',
      'Accept',
      'Accept-Encoding',
      'If-None-Match',
      'Range',
      'Referer',
      'X-Forwarded-For',
      'X-HTTP-Method-Override',
      'Access-Control-Request-Headers',
      'Access-Control-Request-Method',
      'Forwarded',
      'Via',
      'User-Agent',
      'If-Modified-Since',
      'Upgrade',
      'X-Long',
      '__proto__',
      'constructor',
    ),
    fc.oneof(
      text,
      pick(
        'null',
        'https://page.example',
        '*',
        'bytes=0-1,-1',
        '"x"',
        'DELETE',
        'h2c',
        'websocket',
        'gzip;q=0',
      ),
    ),
  ),
  fc.tuple(pick('Connection'), pick('close', 'keep-alive', 'upgrade', 'x, y')),
)
const headers = fc
  .tuple(fc.array(header, { maxLength: 4 }), rarely(fc.constant(0), fc.nat(3_000), 100))
  .map(([list, padding]) => [
    ...list.map(([name, value]) => [name, toField(value)] as const),
    ...(padding > 0 ? [['X-Padding', 'p'.repeat(padding)] as const] : []),
  ])

// ── Bodies ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const json = fc.jsonValue({ maxDepth: 3 })
const name = rarely(pick('a', 'b', 'daily sales', 'pipeline 1'), text, 3)
const moment = pick(
  '2026-01-01 00:00:00',
  '2026-01-02 00:00:00',
  '2026-02-30 00:00:00',
  '0000-00-00 00:00:00',
  '9999-12-31 23:59:59',
  '2026-01-01T00:00:00Z',
  '2026-01-01 24:00:00',
  '',
  '-1d',
)
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name,
  uuid: name,
  type: anyOf(
    'python',
    'streaming',
    'data_loader',
    'transformer',
    'callback',
    'conditional',
    'chart',
    'custom',
    'x',
    3,
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
    'initial',
    'running',
    'completed',
    'failed',
    'cancelled',
    'executed',
    'active',
    'inactive',
    'x',
    null,
  ),
  start_datetime: moment,
  end_datetime: moment,
  start_time: moment,
  interval_type: anyOf('second', 'day', 'month', 'year', 'custom', 'x', null),
  interval_units: anyOf(1, 0, -1, 7, 1e15, 1.5, null),
  schedule_type: anyOf('time', 'api', 'event', 'x'),
  schedule_interval: anyOf(
    '@hourly',
    '@once',
    '@always_on',
    '* * * * *',
    '*/0 * * * *',
    '61 * * * *',
    '@',
    '',
    '0 0 30 2 *',
  ),
  tags: anyOf([], ['nightly'], ['a', 'a'], [1], 'nightly'),
  settings: anyOf({}, { skip_if_previous_running: true }, null),
  variables: json,
  email: anyOf('mira@example.com', 'nobody@example.com', ''),
  username: anyOf('mira', 'nobody', '__proto__'),
  password: anyOf('lantern', 'wrong', ''),
  sla: anyOf(1, -1, null),
  executor_count: anyOf(1, 0, 2 ** 53),
}
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
const traps = pick(
  ...['{"__proto__":{"polluted":1}}', '{"pipeline":{"__proto__":{"name":"x"},"name":"x","type":"python"}}'],
  ...['{"constructor":{"prototype":{"polluted":1}}}', '{"pipeline":{"name":{"toString":1},"type":"python"}}'],
  ...[
    'null',
    '[]',
    '""',
    '0',
    'true',
    '-',
    '{',
    '[',
    '"',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '1e999',
    '\ufeff{}',
    ' \r\n\t',
  ],
  ...[
    '{"pipeline":null}',
    '{"pipeline":[]}',
    '{"pipeline":{}}',
    '{"backfill":{"name":null}}',
    '{"api_key":{"a":1}}',
  ],
  ...[
    '{"pipeline":{"name":"\\ud800","type":"python"}}',
    '{"pipeline":{"name":"\\u0000","type":"python"}}',
    '{"a":1}{"a":2}',
  ],
  ...[
    'a=1&b=2',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
    '<?xml version="1.0"?><a/>',
  ],
)
const mutatedEnvelope = fc
  .tuple(envelope, fc.nat(200), fc.string({ maxLength: 3 }))
  .map(([body, at, inserted]) => body.slice(0, at) + inserted + body.slice(at + 1))
const small = fc
  .oneof(
    { weight: 8, arbitrary: envelope.map(utf8) },
    { weight: 2, arbitrary: mutatedEnvelope.map(utf8) },
    { weight: 2, arbitrary: traps.map(utf8) },
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
const body = fc.oneof(
  { weight: 3_000, arbitrary: small },
  { weight: 15, arbitrary: deep },
  { weight: 15, arbitrary: wide },
  { weight: 1, arbitrary: huge },
)

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** CONNECT asks for a tunnel, and is no request in this sense. */
const methods = METHODS.filter((method) => method !== 'CONNECT')
const method = fc.oneof(
  { weight: 12, arbitrary: pick('GET', 'POST', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: pick('OPTIONS', 'HEAD', 'PATCH') },
  { weight: 1, arbitrary: pick(...methods) },
)
const request: fc.Arbitrary<WellFormed> = fc
  .record({ method, target, headers, body, hasBody: fc.nat(9), chunked: fc.nat(9) })
  .map(({ hasBody, chunked, body, ...rest }) => ({
    kind: 'request',
    ...rest,
    // A body belongs to some methods, and is at times sent with others.
    ...((/^P|^DELETE/.test(rest.method) ? hasBody > 0 : hasBody === 0) && { body }),
    chunked: chunked === 0,
  }))

// ── Bytes that are no HTTP ──────────────────────────────────────────────────────────────────────────────────────────

const valid = 'GET /api/pipelines HTTP/1.1\r\nHost: fuzz.test\r\n\r\n'
const post = 'POST /api/pipelines HTTP/1.1\r\nHost: fuzz.test\r\nContent-Type: application/json\r\n'
const smuggled = 'GET /api/backfills HTTP/1.1\r\nHost: smuggled.test\r\n\r\n'

const requestLines = pick(
  ...[
    'GET',
    'GET /api/pipelines',
    'GET /api/pipelines ',
    'GET  /api/pipelines HTTP/1.1',
    'GET /api/pipe lines HTTP/1.1',
  ],
  ...[
    'get /api/pipelines HTTP/1.1',
    'G\x00T /api HTTP/1.1',
    'FETCH /api HTTP/1.1',
    ' GET /api HTTP/1.1',
    'GET\t/api\tHTTP/1.1',
  ],
  ...[
    'GET /api HTTP/9.9',
    'GET /api HTTP/1.01',
    'GET /api HTTP/',
    'GET /api HTTPS/1.1',
    'GET /api http/1.1',
    'GET /api HTTP/2.0',
  ],
  ...[
    'GET api/pipelines HTTP/1.1',
    'GET ../api HTTP/1.1',
    'GET http:///api HTTP/1.1',
    'GET http://[/api HTTP/1.1',
    'GET /a\x01 HTTP/1.1',
  ],
  ...[
    'GET /api/\xf0\x9f\x92\xa5 HTTP/1.1',
    'GET /api/pipelines?a=\xff HTTP/1.1',
    'PRI * HTTP/2.0',
    'CONNECT other.example:443 HTTP/1.1',
    'CONNECT /api HTTP/1.1',
    'SOURCE /api HTTP/1.1',
    '',
    '\x00',
    '\xff\xfe',
  ],
  ...[
    'GET /api/pipelines HTTP/1.0',
    'GET /api/pipelines HTTP/1.1 x',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '{"pipeline":{}}',
  ],
)
const fieldLines = pick(
  ...[
    'No colon',
    ': no name',
    'Space : x',
    'X: a\x00b',
    'X: a\nY: b',
    'X: a\rY: b',
    ' Folded: x',
    'X: a\r\n folded',
    'X\xff: y',
  ],
  ...[
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length: 99999999999999999999',
  ],
  ...[
    'Content-Length: 0x10',
    'Content-Length:',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 10\r\nTransfer-Encoding: chunked',
  ],
  ...[
    'Transfer-Encoding: chunked\r\nContent-Length: 4',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: chunked, gzip',
  ],
  ...[
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding:\x0bchunked',
    'Transfer-Encoding: \tchunked',
  ],
  ...[
    'Expect: 100-continue',
    'Expect: the unexpected',
    'Host: other.test',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c',
  ],
  ...[
    'Trailer: X',
    'Content-Encoding: gzip\r\nContent-Length: 2',
    'Date: x\r\nDate: y',
    'Connection: close\r\nConnection: keep-alive',
  ],
)
const chunkedBodies = pick(
  ...[
    '5\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello',
    '5\r\nhello\r\n',
    'x\r\nhello\r\n0\r\n\r\n',
    '-1\r\nhello\r\n0\r\n\r\n',
    '\r\nhello\r\n',
  ],
  ...[
    'FFFFFFFFFFFFFFFFF\r\nhello',
    '7fffffffffffffff\r\nhello\r\n',
    '5;ext="\r\n"\r\nhello\r\n0\r\n\r\n',
    '5\nhello\n0\n\n',
    '05\r\nhello\r\n00\r\n\r\n',
  ],
  ...[
    '5\r\nhelloworld\r\n0\r\n\r\n',
    '2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
    '0\r\nX: y\r\n',
    '2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n',
    '5 \r\nhello\r\n0\r\n\r\n',
    `0\r\n\r\n${smuggled}`,
  ],
)

const broken = (what: string, pieces: fc.Arbitrary<readonly Repeated[]>): fc.Arbitrary<Broken> =>
  fc
    .tuple(pieces, rarely<Broken['ending']>(fc.constant('end'), fc.constant('destroy'), 5))
    .map(([pieces, ending]) => ({ kind: 'bytes', what, pieces, ending }))

const lines = broken(
  'request line',
  fc
    .tuple(requestLines, pick('\r\nHost: x\r\n\r\n', '\r\n\r\n', '\n\n', '\r\n', '', '\r\r'))
    .map(([line, end]) => [plain(line + end)]),
)
const fieldsOf = broken(
  'header',
  fc
    .tuple(
      pick('GET /api/pipelines HTTP/1.1\r\nHost: x\r\n', post),
      fc.array(fieldLines, { minLength: 1, maxLength: 2 }),
      pick('', '{}', '5\r\nhello\r\n0\r\n\r\n', smuggled),
    )
    .map(([start, list, rest]) => [plain(`${start}${list.join('\r\n')}\r\n\r\n${rest}`)]),
)
const chunks = broken(
  'chunks',
  chunkedBodies.map((chunks) => [plain(`${post}Transfer-Encoding: chunked\r\n\r\n${chunks}`)]),
)
const smuggling = broken(
  'smuggling',
  fc
    .tuple(
      pick(
        'Content-Length: 4\r\nTransfer-Encoding: chunked',
        'Transfer-Encoding: chunked\r\nContent-Length: 4',
        'Content-Length: 4\r\ntransfer-encoding:\tchunked',
        'Content-Length: 0\r\nContent-Length: 60',
        'Transfer-Encoding: chunked\r\nTransfer-encoding: cow',
      ),
      pick('0\r\n\r\n', '5c\r\nGPOST / HTTP/1.1\r\n\r\n', ''),
    )
    .map(([framing, body]) => [plain(`${post}${framing}\r\n\r\n${body}${smuggled}`)]),
)
const overLimit = broken(
  'over the limit',
  pick<readonly Repeated[]>(
    [{ head: 'GET /api/', unit: 'x', times: 20_000, tail: ' HTTP/1.1\r\nHost: x\r\n\r\n' }],
    [{ head: 'GET /api/pipelines HTTP/1.1\r\nHost: x\r\nX: ', unit: 'y', times: 20_000, tail: '\r\n\r\n' }],
    [{ head: 'GET /api/pipelines HTTP/1.1\r\nHost: x\r\n', unit: 'X: y\r\n', times: 5_000, tail: '\r\n' }],
    [{ head: 'GET /api/pipelines HTTP/1.1\r\nHost: x\r\n', unit: 'X:\r\n', times: 3_000, tail: '\r\n' }],
    [{ head: '', unit: '\r\n', times: 50_000, tail: valid }],
    [{ head: '', unit: 'A', times: 100_000, tail: '' }],
    [
      {
        head: `${post}Transfer-Encoding: chunked\r\n\r\n2;`,
        unit: 'e',
        times: 20_000,
        tail: '\r\n{}\r\n0\r\n\r\n',
      },
    ],
    [
      {
        head: `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
        unit: 'T: x\r\n',
        times: 5_000,
        tail: '\r\n',
      },
    ],
    [
      {
        head: `${post}Transfer-Encoding: chunked\r\n\r\n`,
        unit: '1\r\n{\r\n',
        times: 20_000,
        tail: '0\r\n\r\n',
      },
    ],
  ),
)
const early = fc
  .tuple(
    pick(
      `${post}Content-Length: 1000\r\n\r\n{"pipe`,
      `${post}Content-Length: 1000\r\n\r\n`,
      post,
      valid.slice(0, 9),
      valid,
      `${post}Transfer-Encoding: chunked\r\n\r\n3e8\r\n{`,
      '',
    ),
    pick<Broken['ending']>('end', 'destroy'),
  )
  .map(([start, ending]): Broken => ({ kind: 'bytes', what: 'early close', pieces: [plain(start)], ending }))
const split = broken(
  'split packets',
  fc
    .tuple(fc.nat(valid.length), fc.nat(60))
    .map(([first, second]) => [
      plain(valid.slice(0, first)),
      plain(valid.slice(first) + valid.slice(0, second)),
      plain(valid.slice(second)),
    ]),
)
const pipelinedRequests = pick(
  valid,
  smuggled,
  `${post}Content-Length: 2\r\n\r\n{}`,
  `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'DELETE /api/backfills/77 HTTP/1.1\r\nHost: x\r\n\r\n',
)
const pipelined = fc.array(pipelinedRequests, { minLength: 2, maxLength: 12 }).map(
  (list): Broken => ({
    kind: 'bytes',
    what: 'pipelining',
    pieces: [plain(list.join(''))],
    ending: 'end',
    replies: list.length,
  }),
)
const pipelinedBroken = broken(
  'pipelining, then garbage',
  fc
    .tuple(fc.array(pipelinedRequests, { maxLength: 3 }), requestLines)
    .map(([list, line]) => [plain(`${list.join('')}${line}\r\n\r\n${valid}`)]),
)
const noise = broken(
  'noise',
  fc
    .tuple(
      pick('', 'GET /api', 'GET /api/pipelines HTTP/1.1\r\n', post),
      fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 60 }),
    )
    .map(([start, rest]) => [plain(start + rest)]),
)
const flipped = broken(
  'flipped byte',
  fc
    .tuple(fc.nat(valid.length - 1), fc.nat(255))
    .map(([at, code]) => [plain(valid.slice(0, at) + String.fromCharCode(code) + valid.slice(at + 1))]),
)

const bytes = fc.oneof(
  lines,
  fieldsOf,
  chunks,
  smuggling,
  overLimit,
  early,
  split,
  pipelined,
  pipelinedBroken,
  noise,
  flipped,
)

/** Seeded garbage: mostly requests that carry nonsense, some bytes that are no HTTP. */
export const garbage: fc.Arbitrary<FuzzCase> = fc.oneof<fc.MaybeWeightedArbitrary<FuzzCase>[]>(
  { weight: 12, arbitrary: request },
  { weight: 1, arbitrary: bytes },
)
