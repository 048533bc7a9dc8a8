import { expect, it } from 'vitest'
import { checkTarget } from '../index.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import type { CheckResult } from '../runner/options.ts'
import { encodedPath, escapedJson } from '../runner/request-variants.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { failedRules } from './check-mutant.ts'

/** Records every request that a verification sends to a correct target, and its result. */
async function recordRequests(): Promise<{
  readonly sent: readonly { request: Request; body: string }[]
  readonly result: CheckResult
}> {
  const understudy = createTarget({ auth: 'login' })
  const sent: { request: Request; body: string }[] = []
  const target = {
    async fetch(request: Request) {
      sent.push({ request, body: await request.clone().text() })
      return understudy.fetch(request)
    },
  }
  return { sent, result: await checkTarget({ ...builtIn, target }) }
}
const { sent, result } = await recordRequests()
const all = sent.map(({ request }) => request)
/** The requests in one form: their queries are sent in either order, and some with the key. */
const urls = all.map(({ method, url }) => {
  const { pathname, searchParams } = new URL(url)
  searchParams.delete('api_key')
  searchParams.sort()
  return `${method} ${pathname}?${searchParams}`
})

it('conforms to every rule of the specification', () => {
  const { findings, leftBehind } = result

  expect(findings.filter(({ verdict }) => verdict.kind !== 'passed')).toEqual([])
  expect(findings.length).toBeGreaterThan(250)
  expect(leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
})

it('percent-encodes letters of uuids and parameters, whose order it reverses', () => {
  expect(encodedPath('/api/pipelines/orders/blocks/load?force=True')).toBe(
    '/api/pipelines/%6f%72%64%65%72%73/blocks/%6c%6f%61%64?force=T%72%75%65',
  )
  expect(encodedPath('/api/backfills?pipeline_uuid=orders&_limit=1')).toBe(
    '/api/backfills?%5flimit=%31&pipeline%5fuuid=%6f%72%64%65%72%73',
  )
  expect(encodedPath('/api/pipelines/%F0%9F%9A%80')).toBe('/api/pipelines/%f0%9f%9a%80')
  expect(encodedPath('/api/pipelines?api_key=secret')).toBe('/api/pipelines?api_key=secret')
  expect(encodedPath('/api/backfills/17')).toBe('/api/backfills/1%37')
  expect(encodedPath('/api/pipelines')).toBe('/api/pipelines')
})

it('escapes characters beyond ASCII', () => {
  expect(escapedJson({ name: 'Jürgen 🚀' })).toBe('{"name":"J\\u00fcrgen \\ud83d\\ude80"}')
})

it.each([
  ['the key in the header', ({ headers }: Request) => headers.has('x-api-key')],
  ['the key in the query', ({ url }: Request) => url.includes('api_key=contract-key')],
  ['the token in its header', ({ headers }: Request) => headers.has('oauth-token')],
  ['the token in a cookie', ({ headers }: Request) => /^oauth_token=/.test(headers.get('cookie') ?? '')],
  [
    'the token behind another cookie',
    ({ headers }: Request) => /; oauth_token=.*; /.test(headers.get('cookie') ?? ''),
  ],
  ['a path written by codes', ({ url }: Request) => /pipelines\/(?:%[67][0-9a-f])+/.test(url)],
] as const)('sends %s with reads and with writes', (_, fits) => {
  expect(all.some((request) => request.method === 'GET' && fits(request))).toBe(true)
  expect(all.some((request) => request.method === 'PUT' && fits(request))).toBe(true)
})

it('sends six invalid keys to every operation that needs credentials', () => {
  const refused = sent.filter(({ request, body }) => {
    const { headers, url } = request
    const key =
      headers.get('x-api-key') ??
      new URL(url).searchParams.get('api_key') ??
      /"api_key":"([^"]*)"/.exec(body)?.[1]
    return key !== 'contract-key'
  })
  const operations = new Map<string, number>()
  for (const { request } of refused) {
    const path = new URL(request.url).pathname.replace(/(pipelines|blocks|backfills)\/[^/]+/g, '$1/:id')
    operations.set(`${request.method} ${path}`, (operations.get(`${request.method} ${path}`) ?? 0) + 1)
  }
  for (const operation of [
    'GET /api/pipelines',
    'GET /api/backfills',
    'GET /api/oauth_access_tokens',
    'POST /api/pipelines',
    'DELETE /api/backfills/:id',
    'PUT /api/pipelines/:id/backfills/:id',
  ])
    expect([operation, (operations.get(operation) ?? 0) >= 6]).toEqual([operation, true])
})

it.each([
  'GET .*/api/oauth_access_tokens\\?_limit=0',
  'GET .*/api/oauth_access_tokens\\?_limit=1&_offset=1&show_all=1',
  'GET .*/api/backfills\\?_limit=1&_offset=1',
  'GET .*/logs\\?_limit=1&start_timestamp=1',
  'GET .*/logs\\?_offset=1&start_timestamp=1',
  'GET .*/api/backfills\\?_limit=60&_offset=0&pipeline_uuid=[^&]+$',
  'DELETE .*\\?force=False',
] as const)('sends %s', (pattern) => {
  expect(urls.filter((url) => new RegExp(pattern).test(url))).not.toEqual([])
})

it('reports the choices of a target where the specification is silent', () => {
  expect(result.choices['block-language']).toEqual(['language: "python"'])
})

it('sends bodies that are not JSON, and values that are not records', () => {
  const texts = sent.map(({ body }) => body)
  expect(texts).toEqual(expect.arrayContaining(['{', '[]', 'null', 'name=form', '{"backfill": []}']))
})

it('reports a deviation that occurs every third time as failed', async () => {
  let updates = 0
  const target = breakServer(answering(createTarget({ auth: 'login' })), {
    reply: ({ body }, { method, path }) =>
      method === 'PUT' && path.includes('/backfills/') && ++updates % 3 === 0
        ? { body: JSON.parse(JSON.stringify(body).replace(/"name":"[^"]*"/, '"name":"now and then"')) }
        : undefined,
  })
  const only = ['update-backfill/values']
  expect(failedRules(await checkTarget({ ...builtIn, target, only, bail: true }))).toEqual(only)
})

it('redacts invalid keys that resemble a secret in its findings', async () => {
  const target = breakServer(answering(createTarget({ auth: 'login' })), {
    request: ({ query, path, search }) =>
      (query.get('api_key') ?? '').startsWith('contract-ke')
        ? { path: `${path}${search.replace(/api_key=[^&]*/, 'api_key=contract-key')}` }
        : undefined,
  })
  const options = { ...builtIn, scenarios: ['backfills'], shrink: false, confirm: false }
  const { findings } = await checkTarget({ ...options, target })
  expect(findings.filter(({ verdict }) => verdict.kind === 'failed')).not.toEqual([])
  expect(JSON.stringify(findings)).not.toContain('contract-ke')
})
