import { expect, it } from 'vitest'
import { createUnderstudy, type World } from '../src/index.ts'

const megabyte = 2 ** 20

it('counts no records of a factory whose world is deleted during the call', async () => {
  const understudy = createUnderstudy({ fixture: {}, maxMemory: megabyte })
  for (let count = 0; count < 10; count++) {
    const records = understudy.world('alice').factories.pipeline.createMany(300)
    understudy.worlds.delete('alice')
    expect(await records).toHaveLength(300)
  }

  understudy.worlds.create('bob', { fixture: { pipelines: [{ name: 'sales' }] } })
  expect(understudy.world('bob').model.pipelines.count()).toBe(1)
})

it('creates records of a factory in a world whose records were replaced during the call', async () => {
  const understudy = createUnderstudy({ fixture: {} })
  const created = understudy.factories.pipeline.create({ name: 'sales' })
  understudy.import({ api_keys: ['other-key'] })
  await created

  expect(understudy.model.pipelines.findMany()).toMatchObject([{ name: 'sales' }])
})

it.each<[string, (world: World) => Promise<unknown>]>([
  ['advances to the next event', (world) => world.clock.advanceToNext()],
  ['signs out all users', (world) => world.signOut()],
  ['writes its journal as HAR', (world) => world.journal.har()],
  ['lists its scenarios', (world) => world.scenarios.list()],
  [
    'starts a scenario',
    (world) =>
      world.scenarios.start({
        description: 'Slow.',
        fixture: { pipelines: [{ name: 'sales' }] },
        assumptions: {},
        faults: [{ latency: 10 }],
        scripts: [{ target: 'all', script: 'running until advanced' }],
        clock: { freeze: '2026-01-01 00:00:00', advance: '1h' },
      }),
  ],
])('does not create a deleted world again by a call that %s', async (_, use) => {
  const understudy = createUnderstudy({ fixture: {} })
  const pending = use(understudy.world('alice'))
  understudy.worlds.delete('alice')
  await pending

  expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main'])
})
