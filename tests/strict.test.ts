import { expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy, type UnderstudyOptions } from '../src/index.ts'
import { mageAi0979, type Profile, profiles } from '../src/profiles/index.ts'
import { company } from './support/company.ts'

/** A profile that differs from the shipped one in how one resource is presented. */
const profileWith = (resource: keyof Profile['resources'], change: object): Profile => ({
  ...mageAi0979,
  resources: { ...mageAi0979.resources, [resource]: { ...mageAi0979.resources[resource], ...change } },
})

const ask = (profile: Profile | undefined, url: string) =>
  createUnderstudy({ fixture: company, strict: true, ...(profile && { profile }) }).dispatch({
    method: 'GET',
    url,
  })

it.each([
  ['the format iso, and what is computed', '/api/pipelines?include_schedules=1'],
  ['what is added to one operation', '/api/pipeline_runs'],
  ['times without an offset', '/api/pipeline_schedules'],
  ['what is left out', '/api/backfills?include_run_count=True'],
  ['a computed text', '/api/pipelines/daily_sales/blocks/load_orders'],
  ['an error in the form of the profile', '/api/pipelines/missing'],
])('accepts the replies of a profile when it is strict: %s', (_, url) => {
  expect(ask(mageAi0979, url)).toMatchObject({ body: expect.stringMatching(/^{"(?!type)/) })
})

it.each([
  [
    'a timestamp in another format',
    'pipeline_schedules',
    { computes: { start_time: () => '"2026-03-01T09:00:00"' } },
    '/api/pipeline_schedules',
    'start_time is "2026-03-01T09:00:00"',
  ],
  [
    'an attribute that is left out',
    'pipelines',
    { adds: { settings: () => undefined } },
    '/api/pipelines',
    'lacks',
  ],
] as const)('refuses a reply of a profile when it is strict: %s', (_, resource, change, url, says) => {
  expect(() => ask(profileWith(resource, change), url)).toThrow(says)
})

it('checks without a profile what it checked before', () => {
  expect(ask(undefined, '/api/backfills')).toMatchObject({ code: 200 })
})

it.each<[string, UnderstudyOptions]>([
  ['the document', {}],
  ...Object.values(profiles).map((profile): [string, UnderstudyOptions] => [profile.name, { profile }]),
])('accepts every reply to a read of the demo in the ways of %s', async (_, ways) => {
  const understudy = createUnderstudy({ fixture: demo, strict: true, ...ways })
  const {
    pipelines,
    blocks,
    backfills,
    pipeline_schedules: schedules,
    pipeline_runs: runs,
  } = understudy.model
  const urls = pipelines.all().flatMap(({ uuid }) => {
    const [first] = blocks.findMany((query) => query.where({ pipeline_uuid: uuid }))
    const idIn = (table: typeof backfills | typeof schedules | typeof runs) =>
      table.all().find((record) => record.pipeline_uuid === uuid)?.id
    const keys: Readonly<Record<string, unknown>> = {
      uuid,
      pipeline_uuid: uuid,
      block_uuid: first?.uuid,
      backfill_id: idIn(backfills),
      pipeline_schedule_id: idIn(schedules),
      pipeline_run_id: idIn(runs),
      // Of the resources that are the fixture's own.
      key: 1,
    }
    return understudy.endpoints
      .filter(({ route, names }) => route.method === 'GET' && names.every((name) => keys[name] !== undefined))
      .map(({ route }) => route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(keys[name])))
  })
  const now = new Date(understudy.clock.now()).toISOString()
  const valid = understudy.model.oauth_access_tokens.findFirst(
    (query) => query.where({ expires: (expires) => expires.replace(' ', 'T') > now }),
    { strict: true },
  )
  const headers = { 'OAUTH-TOKEN': valid.token }
  const replies = await Promise.all(urls.map((url) => understudy.dispatch({ method: 'GET', url, headers })))

  expect(urls.length).toBeGreaterThan(40)
  expect(replies.flatMap((reply) => (reply?.code === 200 ? [] : [reply?.body]))).toEqual([])
})
