import { expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy, type FaultyVariant, type World } from '../src/index.ts'
import { mageAi0979, profiles } from '../src/profiles/index.ts'

const profile = 'mage-ai-0.9.79'

/** Answers every request with HTTP 418. */
const teapot: FaultyVariant = {
  name: 'teapot',
  breaks: 'conventions/status',
  reply: (reply) => ({ ...reply, status: 418 }),
}
const faultyVariants = { teapot }

const paths = [
  ...['pipelines?_limit=3', 'pipelines/daily_revenue', 'pipelines/nope', 'backfills', 'pipeline_schedules'],
  ...['pipeline_runs?_limit=5', 'pipelines/load_forecast/blocks/features', 'nothing_like_it'],
]
const readAll = ({ fetch }: World) =>
  Promise.all(paths.map(async (path) => `${path}: ${await (await fetch(`/api/${path}`)).text()}`))
const statusOf = async ({ fetch }: World) => (await fetch('/api/pipelines')).status

it('creates a world with a profile like a mock with that profile', async () => {
  const understudy = createUnderstudy({ fixture: demo, seed: 7, profiles })
  const expected = createUnderstudy({ fixture: demo, seed: 7, profile: mageAi0979 })
  const before = understudy.export()
  const world = understudy.worlds.create('real', { profile })

  expect(await readAll(world)).toEqual(await readAll(expected))
  for (const each of [world, expected]) each.clock.advance('1h')
  expect(world.export()).toEqual(expected.export())
  expect(understudy.export()).toEqual(before)
})

it('creates a world as specified if the mock has a profile', async () => {
  const understudy = createUnderstudy({ fixture: demo, seed: 7, profile: mageAi0979 })
  const expected = createUnderstudy({ fixture: demo, seed: 7 })
  const world = understudy.worlds.create('specified', { profile: null })

  expect(await readAll(world)).toEqual(await readAll(expected))
  expect(world.export()).toEqual(expected.export())
})

it('reads the fixture of a world by its profile, with its own clock', async () => {
  const clock = { now: () => Date.UTC(2026, 0, 1) }
  const understudy = createUnderstudy({ clock, profiles })
  const expected = createUnderstudy({ fixture: demo, clock, profile: mageAi0979 })
  const world = understudy.worlds.create('real', { fixture: demo, profile })

  expect(await readAll(world)).toEqual(await readAll(expected))
})

it('preserves profile and faulty variant through reset and import', async () => {
  const understudy = createUnderstudy({ fixture: demo, profiles, faultyVariants })
  const world = understudy.worlds.create('w', { profile, faultyVariant: 'teapot' })
  const described = understudy.worlds.list().find(({ name }) => name === 'w')
  const expected = await readAll(world)
  world.reset()
  const afterReset = await readAll(world)
  world.import(demo)

  expect(described).toMatchObject({ profile, faultyVariant: 'teapot' })
  expect(await statusOf(world)).toBe(418)
  expect(afterReset).toEqual(expected)
  expect(await readAll(world)).toEqual(expected)
})

it('gives worlds the faulty variant of the mock, unless they are created with none', async () => {
  const understudy = createUnderstudy({ faultyVariant: teapot })

  expect(await statusOf(understudy)).toBe(418)
  expect(await statusOf(understudy.world('by-name'))).toBe(418)
  expect(await statusOf(understudy.worlds.create('correct', { faultyVariant: null }))).toBe(200)
})

it('prefers the assumptions of the mock to those of the profile of a world', async () => {
  const understudy = createUnderstudy({
    fixture: demo,
    profiles,
    assumptions: { 'single-metadata': 'absent' },
  })
  const { fetch } = understudy.worlds.create('real', { profile })

  expect(Object.keys(await (await fetch('/api/pipelines/daily_revenue')).json())).toEqual(['pipeline'])
})

it.each([
  [{ profile: 'mage' }, 'worlds.create: profile: expected one of mage-ai-0.9.79; found "mage".'],
  [{ profile: 'toString' }, 'worlds.create: profile: expected one of mage-ai-0.9.79; found "toString".'],
  [
    { faultyVariant: 'teapot' },
    'worlds.create: faultyVariant: expected null, as there are no faultyVariants; found "teapot".',
  ],
])('rejects %j where there is none of that name', (options, message) => {
  const understudy = createUnderstudy({ profiles })

  expect(() => understudy.worlds.create('w', options)).toThrow(message)
  expect(understudy.worlds.list()).toHaveLength(1)
})
