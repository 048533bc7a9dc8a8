import { expect, it } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { breakServer } from '../broken/define-broken.ts'
import { judge } from '../judge/judge.ts'
import type { JudgeOptions } from '../judge/options.ts'
import type { Answering } from '../judge/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { targetFixture } from '../targets/fixture.ts'
import { brokenRules, judgeBroken } from './judge-broken.ts'
import { laterServers } from './later-servers.ts'

const storiesOnly = { ...builtIn, scenarios: ['stories'] }
const brokenIn = (judgement: Awaited<ReturnType<typeof judge>>) => brokenRules(judgement)

// The others are judged by `npm run kill-matrix`.
it.concurrent.each(
  laterServers.filter((_, index) => index % 6 === 0).map((server) => [server.name, server] as const),
)('catches %s, which was written after the stories', async (_, server) => {
  expect(brokenRules(await judgeBroken(server, { stories: 1, bail: true }))).not.toEqual([])
})

it('sends the same requests for the same seed, and others for another', async () => {
  const pathsOf = async (seed: number) => {
    const paths: string[] = []
    const understudy = createTarget({ auth: 'login', clock: { now: () => Date.UTC(2026, 5, 1) } })
    const good = answering(understudy)
    const target: Answering = {
      answer(request) {
        paths.push(`${request.method} ${request.path.split('?')[0]}`)
        return good.answer(request)
      },
    }
    await judge({ ...storiesOnly, target, seed, prefix: 'seeded', stories: 3, concurrency: 1 })
    return paths
  }

  const seven = await pathsOf(7)

  expect(await pathsOf(7)).toEqual(seven)
  expect(await pathsOf(8)).not.toEqual(seven)
})

it('costs less than 1,500 requests by default, and less than 1,750 with everything it may need', async () => {
  const { apiKey, email, password } = builtIn
  const judged = async (options: Omit<JudgeOptions, 'target'>) =>
    (await judge({ ...options, target: answering(createTarget({ auth: 'login' })) })).requests

  expect(await judged({ apiKey, email, password })).toBeLessThan(1_500)
  expect(await judged(builtIn)).toBeLessThan(1_750)
})

it('finds nothing in forty stories of another seed', async () => {
  const judgement = await judge({
    ...storiesOnly,
    target: answering(createTarget({ auth: 'login' })),
    stories: 40,
    seed: 99,
  })

  expect(brokenIn(judgement)).toEqual([])
  expect(judgement.unsteady).toEqual([])
  expect(judgement.leftBehind).toEqual([])
})

it.each([-365 * 86_400_000, 7 * 3_600_000])('raises nothing where the clock is %i ms away', async (away) => {
  const target = answering(createTarget({ auth: 'login', clock: { now: () => Date.now() + away } }))

  expect(brokenIn(await judge({ ...storiesOnly, target, stories: 2 }))).toEqual([])
})

it('raises nothing where lists are cut short without _limit, and say so', async () => {
  const understudy = createTarget({ auth: 'login' })
  const target = breakServer(answering(understudy), {
    request: ({ method, path, query }) =>
      method === 'GET' && path === '/api/backfills' && !query.has('_limit')
        ? { path: `${path}?${query}&_limit=3` }
        : undefined,
  })

  expect(brokenIn(await judge({ ...storiesOnly, target, stories: 2 }))).toEqual([])
})

it('raises nothing where others create records at the same time', async () => {
  const understudy = createTarget({ auth: 'login' })
  const good = answering(understudy)
  let requests = 0
  const target: Answering = {
    answer(request) {
      if (++requests % 3 === 0) understudy.factories.backfill.create({ pipeline_uuid: 'standing' })
      return good.answer(request)
    },
  }

  expect(brokenIn(await judge({ ...storiesOnly, target, stories: 2 }))).toEqual([])
})

it('waits for a target that says it is asked too fast', async () => {
  const understudy = createUnderstudy({ fixture: targetFixture, clock: 'system' })
  let requests = 0
  const target = breakServer(answering(understudy), {
    reply: () =>
      ++requests % 50 === 0
        ? { body: { error: { code: 429, message: 'Slow down.', type: 'rate_limited' }, status: 200 } }
        : undefined,
    request: ({ method }) =>
      method !== 'GET' && (requests + 1) % 50 === 0 ? { method: 'GET', path: '/api/pipelines' } : undefined,
  })

  expect(brokenIn(await judge({ ...builtIn, target, scenarios: ['pipelines', 'backfills'] }))).toEqual([])
})

it('calls a deviation unsteady that is seen once only', async () => {
  const understudy = createTarget({ auth: 'login' })
  let updates = 0
  const target = breakServer(answering(understudy), {
    reply: ({ body }, { method, path }) =>
      method === 'PUT' && path.includes('/backfills/') && 'backfill' in (body as object) && ++updates === 3
        ? { body: { backfill: { ...(body as { backfill: object }).backfill, name: 'once only' } } }
        : undefined,
  })
  const judgement = await judge({ ...storiesOnly, target, stories: 1, concurrency: 1 })

  expect(brokenIn(judgement)).toEqual([])
  expect(judgement.unsteady).toEqual(['update-backfill/values'])
})

it('shows the shortest story that it found, and what was expected', async () => {
  const understudy = createTarget({ auth: 'login' })
  const target = breakServer(answering(understudy), {
    reply: ({ body }, { method, path }) =>
      method === 'PUT' &&
      path.includes('/backfills/') &&
      JSON.stringify(body).includes('"interval_type":"month"')
        ? { body: JSON.parse(JSON.stringify(body).replace('"month"', '"week"')) }
        : undefined,
  })
  const { findings } = await judge({ ...storiesOnly, target, stories: 1, concurrency: 1 })
  const { verdict } = findings.find(({ rule }) => rule.id === 'update-backfill/values')!

  expect(verdict.kind === 'broken' && verdict.evidence.expected).toBe('{"interval_type":"month"}')
  expect(verdict.kind === 'broken' && verdict.evidence.received).toBe('{"interval_type":"week"}')
  expect(verdict.kind === 'broken' && verdict.evidence.steps!.length).toBeLessThan(20)
})

it('finds an update lost where two are made at once', async () => {
  const understudy = createTarget({ auth: 'login' })
  const states = new Map<string, object>()
  const target = {
    async fetch(request: Request) {
      const { pathname } = new URL(request.url)
      const text = request.body === null ? '' : await request.text()
      const forward = (body: string) =>
        understudy.fetch(
          new Request(request.url, { method: request.method, headers: request.headers, body: body || null }),
        )
      if (request.method !== 'PUT' || text === '') return forward(text)
      // It reads the whole record, and writes the whole record.
      const before = states.get(pathname) ?? {}
      const { backfill } = JSON.parse(text) as { backfill: object }
      await new Promise((resolve) => setTimeout(resolve, 2))
      states.set(pathname, { ...before, ...backfill })
      const { api_key: _, ...whole } = JSON.parse(text) as Record<string, unknown>
      const nulls = { interval_units: null, interval_type: null, variables: null }
      return forward(JSON.stringify({ ...whole, backfill: { ...nulls, ...before, ...backfill } }))
    },
  }
  const only = ['update-backfill/read-back']
  const judgement = await judge({ ...storiesOnly, target, stories: 1, shrink: false, only, bail: true })

  expect(brokenIn(judgement)).toEqual(only)
})

it('finds two backfills of one id where they are created at once', async () => {
  const understudy = createTarget({ auth: 'login' })
  let underWay: Promise<Response> | undefined
  const target = {
    async fetch(request: Request) {
      if (request.method !== 'POST' || !request.url.endsWith('/backfills')) return understudy.fetch(request)
      // Whoever comes while one is created gets that one.
      const mine = underWay ?? understudy.fetch(request)
      underWay = mine
      const reply = (await mine).clone()
      await new Promise((resolve) => setTimeout(resolve, 2))
      underWay = undefined
      return reply
    },
  }
  const only = ['create-backfill/values']
  const options = { stories: 1, shrink: false, concurrency: 1, only, bail: true }
  const judgement = await judge({ ...storiesOnly, target, ...options })

  expect(brokenIn(judgement)).toEqual(only)
})

it('says what a target chooses where the document leaves it open', async () => {
  const { choices } = await judge({
    ...storiesOnly,
    target: answering(createTarget({ auth: 'login' })),
    stories: 1,
  })

  expect(choices['block-language']).toEqual(['language: "python"'])
})
