import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { mageAi0979, type Profile } from '../src/profiles/index.ts'
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
  ['the format without-offset', '/api/pipeline_schedules'],
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
    { computes: { start_time: () => '"2026-03-01 09:00:00"' } },
    '/api/pipeline_schedules',
    'start_time is "2026-03-01 09:00:00"',
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
