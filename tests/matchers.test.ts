import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, expectTypeOf, it, vi } from 'vitest'
import { createUnderstudy, type JournalEntry, type OperationName } from '../src/index.ts'
import {
  type RequestPattern,
  type UnderstudyMatchers,
  understudyMatchers,
} from '../src/integrations/matchers/index.ts'
import type { Received } from '../src/integrations/matchers/types.ts'
import '../src/integrations/matchers/vitest.ts'
import { messageOf } from './support/assertion-message.ts'

type PartialRequest = Partial<Omit<JournalEntry, 'request'>> & Partial<JournalEntry['request']>

/** A journal of one world; its first entry is #1. */
function received(...entries: readonly PartialRequest[]): { journal: { entries(): JournalEntry[] } } {
  const requests = entries.map(({ headers = {}, body, omitted, ...entry }, index): JournalEntry => {
    const request = { headers, body, ...(omitted === undefined ? {} : { omitted }) }
    const rest = { world: 'main', method: 'GET', path: '/api', query: {}, params: {}, status: 200 }
    const reply = { at: '2026-01-01T00:00:00.000Z', httpStatus: 200, milliseconds: 0, held: 0, notes: [] }
    const effects = { changes: [], followed: [], faults: [] }
    const noBody = { headers: {}, body: undefined }
    return {
      sequence: index + 1,
      operation: undefined,
      ...rest,
      ...reply,
      ...effects,
      reply: noBody,
      ...entry,
      request,
    }
  })
  return { journal: { entries: () => requests } }
}

function remote(...entries: readonly PartialRequest[]): {
  journal: { entries(): Promise<JournalEntry[]> }
} {
  const { journal } = received(...entries)
  return { journal: { entries: async () => journal.entries() } }
}

const createPipeline: PartialRequest = {
  operation: 'createPipeline',
  method: 'POST',
  path: '/api/pipelines',
  headers: { 'content-type': 'application/json', 'x-api-key': '***' },
  body: { pipeline: { name: 'daily sales', type: 'python' } },
}
const createBlock: PartialRequest = {
  operation: 'createBlock',
  method: 'POST',
  path: '/api/pipelines/daily_sales/blocks',
  params: { pipeline_uuid: 'daily_sales' },
  body: { block: { name: 'sum up', type: 'transformer', upstream_blocks: ['load', 'clean'] } },
}
const cancel: PartialRequest = {
  operation: 'updateBackfill',
  method: 'PUT',
  path: '/api/pipelines/daily_sales/backfills/7',
  params: { pipeline_uuid: 'daily_sales', backfill_id: '7' },
  query: { force: 'true', 'tag[]': ['a', 'b'], one: 'a' },
  body: { backfill: { status: 'cancelled', name: 'last week' } },
}
const fail: PartialRequest = {
  ...cancel,
  path: '/api/pipelines/daily_sales/backfills/8',
  params: { pipeline_uuid: 'daily_sales', backfill_id: '8' },
  body: { backfill: { status: 'failed', name: 'last week' } },
  status: 404,
}

it('finds a request by its operation', () => {
  expect(received(createPipeline, cancel)).toHaveReceived('updateBackfill')
  expect(received(createPipeline)).not.toHaveReceived('updateBackfill')
})

it.each<[string, PartialRequest, RequestPattern]>([
  ['a number in the path as text', cancel, { params: { backfill_id: 7 } }],
  ['a boolean in the query as text', cancel, { query: { force: true } }],
  ['a repeated parameter in order', cancel, { query: { 'tag[]': ['a', 'b'] } }],
  ['a parameter given once as a list of one', cancel, { query: { one: ['a'] } }],
  ['a part of a nested body', cancel, { body: { backfill: { status: 'cancelled' } } }],
  ['an attribute that is absent', cancel, { body: { backfill: { metrics: undefined } } }],
  ['a whole array', createBlock, { body: { block: { upstream_blocks: ['load', 'clean'] } } }],
  ['a header in another case', createPipeline, { headers: { 'Content-Type': 'application/json' } }],
  ['a credential that was sent', createPipeline, { headers: { 'X-API-KEY': '***' } }],
  ['a credential whatever it was', createPipeline, { headers: { 'X-API-KEY': expect.anything() } }],
  ['a logical status', fail, { status: 404 }],
  [
    'an asymmetric matcher in the body',
    cancel,
    { body: { backfill: { name: expect.stringContaining('week') } } },
  ],
  [
    'an asymmetric matcher as the body',
    cancel,
    { body: expect.objectContaining({ backfill: expect.any(Object) }) },
  ],
  [
    'an asymmetric matcher in an array',
    createBlock,
    { body: { block: { upstream_blocks: ['load', expect.any(String)] } } },
  ],
  ['an asymmetric matcher in the path', cancel, { params: { backfill_id: expect.stringMatching(/^\d$/) } }],
  [
    'an asymmetric matcher as the headers',
    createPipeline,
    { headers: expect.objectContaining({ 'content-type': 'application/json' }) },
  ],
  [
    'an asymmetric matcher as the status',
    fail,
    { status: { asymmetricMatch: (value) => Number(value) >= 400 } },
  ],
  ['a text as the body', { operation: 'createPipeline', body: 'not JSON' }, { body: 'not JSON' }],
  ['what is left undefined', cancel, { params: undefined, body: undefined }],
])('fits %s', (_, entry, pattern) => {
  expect(received(entry)).toHaveReceived(entry.operation!, pattern)
})

it.each<[string, PartialRequest, RequestPattern]>([
  ['another value in the path', cancel, { params: { backfill_id: 8 } }],
  ['a number where the body has a text', cancel, { body: { backfill: { name: 7 } } }],
  ['a text where the body has a number', { operation: 'a' as never, body: { a: 7 } }, { body: { a: '7' } }],
  ['null where the body has nothing', cancel, { body: { backfill: { metrics: null } } }],
  ['an attribute that should be absent', cancel, { body: { backfill: { name: undefined } } }],
  ['a shorter array', createBlock, { body: { block: { upstream_blocks: ['load'] } } }],
  ['a longer array', createBlock, { body: { block: { upstream_blocks: ['load', 'clean', 'sum'] } } }],
  ['an array in another order', createBlock, { body: { block: { upstream_blocks: ['clean', 'load'] } } }],
  ['one of several repeated parameters', cancel, { query: { 'tag[]': 'a' } }],
  ['an object where the body has an array', createBlock, { body: { block: { upstream_blocks: {} } } }],
  ['a date where the body has an object', cancel, { body: { backfill: new Date(0) } }],
  ['an inherited name', cancel, { body: { toString: expect.any(Function) } }],
  ['a header that was not sent', cancel, { headers: { accept: expect.anything() } }],
  [
    'an asymmetric matcher that says no',
    cancel,
    { body: { backfill: expect.objectContaining({ name: 'other' }) } },
  ],
])('does not fit %s', (_, entry, pattern) => {
  expect(received(entry)).not.toHaveReceived(entry.operation!, pattern)
})

it('shows the nearest request as a diff with the pattern', () => {
  const understudy = received(createPipeline, fail, { ...fail, body: undefined })

  expect(
    messageOf(() =>
      expect(understudy).toHaveReceived('updateBackfill', {
        params: { backfill_id: 7 },
        query: { force: expect.any(String) },
        body: { backfill: { status: 'cancelled', name: expect.any(String) } },
      }),
    ),
  ).toBe(`expect(understudy).toHaveReceived('updateBackfill')

The nearest of 2 updateBackfill:
PUT /api/pipelines/daily_sales/backfills/8 (updateBackfill, main, #2, 404)

- Expected
+ Received

  {
    "body": {
      "backfill": {
        "name": "last week",
-       "status": "cancelled",
+       "status": "failed",
      },
    },
    "params": {
-     "backfill_id": "7",
+     "backfill_id": "8",
    },
    "query": {
      "force": "true",
    },
  }`)
})

it('shows the difference from the only request of an operation', () => {
  expect(
    messageOf(() =>
      expect(received(createPipeline)).toHaveReceived('createPipeline', {
        body: { pipeline: { name: expect.stringContaining('weekly'), tags: ['a'] } } as object,
      }),
    ),
  ).toBe(`expect(understudy).toHaveReceived('createPipeline')

The only createPipeline:
POST /api/pipelines (createPipeline, main, #1, 200)

- Expected
+ Received

  {
    "body": {
      "pipeline": {
-       "name": StringContaining "weekly",
-       "tags": [
-         "a",
-       ],
+       "name": "daily sales",
      },
    },
  }`)
})

it('lists the received operations if the expected one is missing', () => {
  const unknown: PartialRequest = { path: '/api/nothing', status: 404 }

  expect(
    messageOf(() =>
      expect(received(createPipeline, createBlock, unknown, createBlock)).toHaveReceived('updateBackfill'),
    ),
  ).toBe(`expect(understudy).toHaveReceived('updateBackfill')

Received instead: createPipeline (1), createBlock (2), no operation (1). If the app sends the request later, wait for it first, such as with vi.waitFor.`)
  expect(messageOf(() => expect(received()).toHaveReceived('updateBackfill'))).toBe(
    `expect(understudy).toHaveReceived('updateBackfill')

Received instead: nothing. If the app sends the request later, wait for it first, such as with vi.waitFor.`,
  )
})

it('lists the matching requests if none is expected', () => {
  const ofTeam: PartialRequest = { ...cancel, world: 'team-a' }

  expect(
    messageOf(() =>
      expect(received(cancel, fail, ofTeam)).not.toHaveReceived('updateBackfill', {
        body: { backfill: { status: 'cancelled' } },
      }),
    ),
  ).toBe(`expect(understudy).not.toHaveReceived('updateBackfill')

Received, and expected not to be:
PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, main, #1, 200)
PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, team-a, #3, 200)`)
})

it('lists twenty requests of many', () => {
  const many = Array.from({ length: 25 }, () => createPipeline)
  const lines = messageOf(() => expect(received(...many)).not.toHaveReceived('createPipeline')).split('\n')

  expect(lines.slice(-2)).toEqual(['POST /api/pipelines (createPipeline, main, #20, 200)', 'and 5 more'])
})

it('counts the requests that fit', () => {
  const understudy = received(cancel, fail, cancel)

  expect(understudy).toHaveReceivedTimes('updateBackfill', 3)
  expect(understudy).toHaveReceivedTimes('updateBackfill', 2, { params: { backfill_id: 7 } })
  expect(understudy).toHaveReceivedTimes('createBlock', 0)
  expect(understudy).not.toHaveReceivedTimes('updateBackfill', 2)
})

it('reports the number of matching requests, and the nearest other one', () => {
  const pattern = { params: { backfill_id: 7 } }
  const requests = received(cancel, fail)

  expect(
    messageOf(() => expect(requests).toHaveReceivedTimes('updateBackfill', 2, pattern)),
  ).toBe(`expect(understudy).toHaveReceivedTimes('updateBackfill', 2)

Expected: 2
Received: 1

PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, main, #1, 200)

The nearest of the others:
PUT /api/pipelines/daily_sales/backfills/8 (updateBackfill, main, #2, 404)

- Expected
+ Received

  {
    "params": {
-     "backfill_id": "7",
+     "backfill_id": "8",
    },
  }`)
  expect(
    messageOf(() => expect(requests).toHaveReceivedTimes('updateBackfill', 1)),
  ).toBe(`expect(understudy).toHaveReceivedTimes('updateBackfill', 1)

Expected: 1
Received: 2

PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, main, #1, 200)
PUT /api/pipelines/daily_sales/backfills/8 (updateBackfill, main, #2, 404)`)
  expect(
    messageOf(() => expect(requests).not.toHaveReceivedTimes('updateBackfill', 1, pattern)),
  ).toBe(`expect(understudy).not.toHaveReceivedTimes('updateBackfill', 1)

Expected: not 1
Received: 1

PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, main, #1, 200)`)
})

it('finds requests in order with others between them', () => {
  const understudy = received(createBlock, createPipeline, cancel, createBlock, fail)

  expect(understudy).toHaveReceivedInOrder([
    'createPipeline',
    ['createBlock', { body: { block: { name: 'sum up' } } }],
    ['updateBackfill'],
  ])
  expect(understudy).toHaveReceivedInOrder(['createBlock', 'createBlock'])
  expect(understudy).not.toHaveReceivedInOrder(['createPipeline', 'createPipeline'])
  expect(understudy).not.toHaveReceivedInOrder(['updateBackfill', 'createPipeline'])
})

it('reports the missing step of a sequence', () => {
  const steps = [
    'createPipeline',
    ['createBlock', { params: { pipeline_uuid: 'daily_sales' } }],
    ['updateBackfill', { status: 200 }],
  ] as const

  expect(
    messageOf(() => expect(received(createPipeline, createBlock, fail)).toHaveReceivedInOrder(steps)),
  ).toBe(`expect(understudy).toHaveReceivedInOrder(['createPipeline', 'createBlock', 'updateBackfill'])

Step 3 of 3, updateBackfill, is missing after step 2:
POST /api/pipelines (createPipeline, main, #1, 200)
POST /api/pipelines/daily_sales/blocks (createBlock, main, #2, 200)

The only updateBackfill:
PUT /api/pipelines/daily_sales/backfills/8 (updateBackfill, main, #3, 404)

- Expected
+ Received

  {
-   "status": 200,
+   "status": 404,
  }`)
  expect(
    messageOf(() => expect(received(cancel, createPipeline, createBlock)).toHaveReceivedInOrder(steps)),
  ).toBe(`expect(understudy).toHaveReceivedInOrder(['createPipeline', 'createBlock', 'updateBackfill'])

Step 3 of 3, updateBackfill, is missing after step 2:
POST /api/pipelines (createPipeline, main, #2, 200)
POST /api/pipelines/daily_sales/blocks (createBlock, main, #3, 200)

It came earlier:
PUT /api/pipelines/daily_sales/backfills/7 (updateBackfill, main, #1, 200)`)
  expect(
    messageOf(() => expect(received(createPipeline, cancel)).toHaveReceivedInOrder(steps)),
  ).toBe(`expect(understudy).toHaveReceivedInOrder(['createPipeline', 'createBlock', 'updateBackfill'])

Step 2 of 3, createBlock, is missing after step 1:
POST /api/pipelines (createPipeline, main, #1, 200)

Received after that: updateBackfill (1). If the app sends the request later, wait for it first, such as with vi.waitFor.`)
  expect(
    messageOf(() => expect(received(createPipeline)).not.toHaveReceivedInOrder(['createPipeline'])),
  ).toBe(`expect(understudy).not.toHaveReceivedInOrder(['createPipeline'])

Received in this order:
POST /api/pipelines (createPipeline, main, #1, 200)`)
})

it('finds requests that reached no operation, preflights aside', () => {
  const preflight: PartialRequest = { method: 'OPTIONS', path: '/api/pipelines' }
  const lost: PartialRequest = { method: 'PATCH', path: '/api/pipelines/daily_sales', status: 405 }

  expect(received(createPipeline, preflight)).toHaveNoUnexpectedRequests()
  expect(received()).toHaveNoUnexpectedRequests()
  expect(
    messageOf(() => expect(received(createPipeline, preflight, lost)).toHaveNoUnexpectedRequests()),
  ).toBe(`expect(understudy).toHaveNoUnexpectedRequests()

Reached no operation, by an unknown path or method:
PATCH /api/pipelines/daily_sales (no operation, main, #3, 405)`)
  expect(
    messageOf(() => expect(received(createPipeline)).not.toHaveNoUnexpectedRequests()),
  ).toBe(`expect(understudy).not.toHaveNoUnexpectedRequests()

Expected a request that reaches no operation. Received: createPipeline (1).`)
})

it('waits for a journal that has to be fetched', async () => {
  const client = remote(createPipeline, cancel)

  await expect(client).toHaveReceived('updateBackfill', { params: { backfill_id: 7 } })
  await expect(client).not.toHaveReceived('createBlock')
  await expect(client).toHaveReceivedTimes('updateBackfill', 1)
  await expect(client).toHaveReceivedInOrder(['createPipeline', 'updateBackfill'])
  await expect(client).toHaveNoUnexpectedRequests()
  const failure = (await expect(client)
    .toHaveReceived('createBlock')
    .catch((error: unknown) => error)) as Error
  expect(stripVTControlCharacters(failure.message)).toBe(`expect(understudy).toHaveReceived('createBlock')

Received instead: createPipeline (1), updateBackfill (1). If the app sends the request later, wait for it first, such as with vi.waitFor.`)
})

it('reports why a journal could not be fetched', async () => {
  const client = { journal: { entries: () => Promise.reject(new Error('fetch failed')) } }

  await expect(expect(client).toHaveReceived('createBlock')).rejects.toThrow('fetch failed')
})

it('can be polled until the request has come', async () => {
  const entries: JournalEntry[] = []
  setTimeout(() => entries.push(...received(createBlock).journal.entries()), 20)

  await expect.poll(() => ({ journal: { entries: () => entries } })).toHaveReceived('createBlock')
})

it('refuses an operation that does not exist, and names those near it', () => {
  const ids = ['listBackfills', 'createBackfill', 'updateBackfill', 'updateBlock', 'triggerPipeline']
  const understudy: Received = { ...received(), endpoints: ids.map((id) => ({ operation: { id } })) }
  const of = (operation: string) => messageOf(() => expect(understudy).toHaveReceived(operation as never))

  expect(of('updateBackfil')).toBe(
    '[understudy] toHaveReceived: There is no operation "updateBackfil"; there are listBackfills, createBackfill, updateBackfill, updateBlock, triggerPipeline. Did you mean updateBackfill?',
  )
  expect(of('toString')).toBe(
    '[understudy] toHaveReceived: There is no operation "toString"; there are listBackfills, createBackfill, updateBackfill, updateBlock, triggerPipeline.',
  )
  expect(
    messageOf(() =>
      expect(understudy).toHaveReceivedInOrder(['createBackfill', 'triggerPipelines.' as never]),
    ),
  ).toContain('There is no operation "triggerPipelines."; there are ')
})

it('names only the nearest of many operations', () => {
  expect(messageOf(() => expect(createUnderstudy()).toHaveReceived('listPipeline' as never))).toBe(
    '[understudy] toHaveReceived: There is no operation "listPipeline". Did you mean listPipelines?',
  )
})

it.each([
  ['undefined', undefined],
  ['null', null],
  ['an object without one', { dispatch() {} }],
  ['an array', []],
  ['a function', () => {}],
  ['a string', 'http://127.0.0.1:6789'],
])('refuses what has no journal: %s', (found, value) => {
  expect(messageOf(() => expect(value).not.toHaveReceived('createBlock'))).toBe(
    `[understudy] toHaveReceived: expected a mock, a world or a client, which have a request log; found ${found}.`,
  )
})

it('refuses a parameter that no path of the operation has', () => {
  const of = (operation: OperationName, id: unknown) =>
    messageOf(() => expect(createUnderstudy()).not.toHaveReceived(operation, { params: { id } }))

  expect(of('deleteBackfill', 7)).toBe(
    '[understudy] toHaveReceived: the paths of deleteBackfill have no parameter id; they have backfill_id, pipeline_uuid.',
  )
  expect(of('createSession', expect.anything())).toBe(
    '[understudy] toHaveReceived: the paths of createSession have no parameter id; they have none.',
  )
})

it('rejects a pattern that cannot match', () => {
  const of = (pattern: unknown) =>
    messageOf(() => expect(received(cancel)).not.toHaveReceived('updateBackfill', pattern as RequestPattern))

  expect(of({ parameters: {} })).toBe(
    '[understudy] toHaveReceived: expected one of the keys params, query, headers, body, status in the pattern; found "parameters".',
  )
  expect(of('cancelled')).toBe(
    '[understudy] toHaveReceived: expected an object with params, query, headers, body, status as the pattern.',
  )
  expect(of({ params: [7] })).toBe(
    '[understudy] toHaveReceived: params of a pattern is an object of values by name.',
  )
  expect(messageOf(() => expect(received()).toHaveReceivedTimes('updateBackfill', 1.5))).toBe(
    '[understudy] toHaveReceivedTimes: expected a whole number of times; found 1.5.',
  )
  expect(messageOf(() => expect(received()).toHaveReceivedInOrder([]))).toBe(
    "[understudy] toHaveReceivedInOrder: expected a list such as ['createBackfill', 'deleteBackfill'].",
  )
})

it.each<[string, RequestPattern]>([
  ['headers.X-API-KEY', { headers: { 'X-API-KEY': 'hush' } }],
  ['headers.Authorization', { headers: { Authorization: 'Bearer hush' } }],
  ['query.api_key', { query: { api_key: 'hush' } }],
  ['params.token', { params: { token: 'hush' } }],
  ['body.session.password', { body: { session: { password: 'hush' } } }],
  ['body.block.content', { body: { block: { content: 'password: hush' } } }],
])('neither compares nor prints a credential: %s', (path, pattern) => {
  expect(messageOf(() => expect(received(cancel)).not.toHaveReceived('updateBackfill', pattern))).toBe(
    `[understudy] toHaveReceived: the request log stores no credentials, so ${path} cannot be compared; expect '***' where one was sent.`,
  )
})

afterEach(() => vi.unstubAllGlobals())

it('registers on the global expect for jest', async () => {
  const extend = vi.fn()
  vi.stubGlobal('expect', { extend })
  vi.resetModules()
  await import('../src/integrations/matchers/jest.ts')

  expect(Object.keys(extend.mock.calls[0]![0] as object)).toEqual([
    'toHaveReceived',
    'toHaveReceivedTimes',
    'toHaveReceivedInOrder',
    'toHaveNoUnexpectedRequests',
    'toHaveNoClientIssues',
    'toHaveChanged',
  ])
})

it('explains the fix if jest has no global expect', async () => {
  vi.stubGlobal('expect', undefined)
  vi.resetModules()

  await expect(import('../src/integrations/matchers/jest.ts')).rejects.toThrow(
    "[understudy] There is no global expect to extend. Import this in a file of jest's setupFilesAfterEnv, or call expect.extend(understudyMatchers) with the expect of '@jest/globals'.",
  )
})

it('has types for both kinds of journal', () => {
  const here = expect(received(cancel))
  const there = expect(remote(cancel))

  expectTypeOf(here.toHaveReceived).returns.toEqualTypeOf<void>()
  expectTypeOf(there.toHaveReceived).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf(there.not.toHaveReceivedTimes).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf<UnderstudyMatchers['toHaveNoUnexpectedRequests']>().returns.toEqualTypeOf<void>()
  // @ts-expect-error: a part that no request has
  expectTypeOf(here.toHaveReceived).toBeCallableWith('updateBackfill', { parameters: {} })
  // @ts-expect-error: no operation
  expectTypeOf(here.toHaveReceivedInOrder).toBeCallableWith([7])
  expectTypeOf(expect.extend).toBeCallableWith(understudyMatchers)
})

it('fails without a conclusion if the journal has dropped requests', () => {
  const understudy = createUnderstudy({ journal: { entries: 2 } })
  for (const path of ['pipelines', 'backfills', 'backfills']) {
    understudy.dispatch({ method: 'GET', url: `/api/${path}` })
  }
  const reason = 'the request log has dropped the 1 oldest requests, so the result is unknown'

  expect(understudy).toHaveReceived('listBackfills')
  expect(() => expect(understudy).toHaveReceived('listPipelines')).toThrow(reason)
  expect(() => expect(understudy).not.toHaveReceived('listPipelines')).toThrow(reason)
  expect(() => expect(understudy).toHaveReceivedTimes('listBackfills', 2)).toThrow(reason)
  expect(() => expect(understudy).toHaveNoUnexpectedRequests()).toThrow(reason)
  understudy.journal.clear()
  expect(understudy).not.toHaveReceived('listPipelines')
})

it('reports a mock without a journal', () => {
  const understudy = createUnderstudy({ journal: false })

  expect(() => expect(understudy).not.toHaveReceived('listPipelines')).toThrow('this mock has no request log')
})

it.each([
  ['too long to be kept', 'x'.repeat(70_000)],
  ['too long to be read', 'x'.repeat(11 * 1024 * 1024)],
])('draws no conclusion about a body that is %s', async (_, content) => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'a' }] } })
  const body = JSON.stringify({ block: { name: 'big', type: 'custom', content } })
  await understudy.dispatch({ method: 'POST', url: '/api/pipelines/a/blocks', body })
  const reason = /is not in the request log\. Leave body out of the pattern\./

  expect(() =>
    expect(understudy).not.toHaveReceived('createBlock', { body: { block: { name: 'big' } } }),
  ).toThrow(reason)
  expect(() =>
    expect(understudy).toHaveReceived('createBlock', { body: { block: { name: 'big' } } }),
  ).toThrow(reason)
  expect(() => expect(understudy).toHaveReceivedTimes('createBlock', 0, { body: {} })).toThrow(reason)
  expect(() => expect(understudy).toHaveReceivedInOrder([['createBlock', { body: {} }]])).toThrow(reason)
  expect(understudy).toHaveReceived('createBlock', { params: { pipeline_uuid: 'a' } })
  expect(understudy).not.toHaveReceived('createBlock', { params: { pipeline_uuid: 'b' }, body: {} })
  expect(understudy).toHaveReceivedTimes('createBlock', 1)
})
