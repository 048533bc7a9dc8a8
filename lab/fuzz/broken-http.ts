import fc from 'fast-check'
import { type Broken, plain, type Repeated } from './cases.ts'
import { pick, rarely } from './texts.ts'

const valid = 'GET /api/pipelines HTTP/1.1\r\nHost: fuzz.test\r\n\r\n'
const post = 'POST /api/pipelines HTTP/1.1\r\nHost: fuzz.test\r\nContent-Type: application/json\r\n'
const smuggled = 'GET /api/backfills HTTP/1.1\r\nHost: smuggled.test\r\n\r\n'

const requestLines = pick(
  'GET', 'GET /api/pipelines', 'GET /api/pipelines ', 'GET  /api/pipelines HTTP/1.1',
  'GET /api/pipe lines HTTP/1.1', 'get /api/pipelines HTTP/1.1', 'G\x00T /api HTTP/1.1',
  'FETCH /api HTTP/1.1', ' GET /api HTTP/1.1', 'GET\t/api\tHTTP/1.1', 'GET /api HTTP/9.9',
  'GET /api HTTP/1.01', 'GET /api HTTP/', 'GET /api HTTPS/1.1', 'GET /api http/1.1', 'GET /api HTTP/2.0',
  'GET api/pipelines HTTP/1.1', 'GET ../api HTTP/1.1', 'GET http:///api HTTP/1.1',
  'GET http://[/api HTTP/1.1', 'GET /a\x01 HTTP/1.1', 'GET /api/\xf0\x9f\x92\xa5 HTTP/1.1',
  'GET /api/pipelines?a=\xff HTTP/1.1', 'PRI * HTTP/2.0', 'CONNECT other.example:443 HTTP/1.1',
  'CONNECT /api HTTP/1.1', 'SOURCE /api HTTP/1.1', '', '\x00', '\xff\xfe', 'GET /api/pipelines HTTP/1.0',
  'GET /api/pipelines HTTP/1.1 x', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '{"pipeline":{}}',
) // biome-ignore format: a list
const fieldLines = pick(
  'No colon', ': no name', 'Space : x', 'X: a\x00b', 'X: a\nY: b', 'X: a\rY: b', ' Folded: x',
  'X: a\r\n folded', 'X\xff: y', 'Content-Length: -1', 'Content-Length: 1e3', 'Content-Length: +5',
  'Content-Length: 5, 5', 'Content-Length: 99999999999999999999', 'Content-Length: 0x10',
  'Content-Length:', 'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 10\r\nTransfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'Transfer-Encoding: xchunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', 'Transfer-Encoding : chunked',
  'Transfer-Encoding:\x0bchunked', 'Transfer-Encoding: \tchunked', 'Expect: 100-continue',
  'Expect: the unexpected', 'Host: other.test', 'Upgrade: websocket\r\nConnection: Upgrade',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c', 'Trailer: X',
  'Content-Encoding: gzip\r\nContent-Length: 2', 'Date: x\r\nDate: y',
  'Connection: close\r\nConnection: keep-alive',
) // biome-ignore format: a list
const chunkedBodies = pick(
  '5\r\nhello\r\n0\r\n\r\n', '5\r\nhello', '5\r\nhello\r\n', 'x\r\nhello\r\n0\r\n\r\n',
  '-1\r\nhello\r\n0\r\n\r\n', '\r\nhello\r\n', 'FFFFFFFFFFFFFFFFF\r\nhello',
  '7fffffffffffffff\r\nhello\r\n', '5;ext="\r\n"\r\nhello\r\n0\r\n\r\n', '5\nhello\n0\n\n',
  '05\r\nhello\r\n00\r\n\r\n', '5\r\nhelloworld\r\n0\r\n\r\n', '2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  '0\r\nX: y\r\n', '2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n', '5 \r\nhello\r\n0\r\n\r\n',
  `0\r\n\r\n${smuggled}`,
) // biome-ignore format: a list

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

/** Bytes that are no HTTP, or only almost. */
export const brokenHttp = fc.oneof(
  lines,
  fieldsOf,
  chunks,
  overLimit,
  early,
  split,
  pipelined,
  noise,
  flipped,
)
