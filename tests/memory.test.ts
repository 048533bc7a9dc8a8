import { expect, it } from 'vitest'
import { instanceOf } from '../src/engine/worlds/world-handle.ts'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import { estimateSize } from '../src/shared/values.ts'

const fixture = { pipelines: [{ name: 'a' }] }
const megabyte = 2 ** 20
/** A text that is estimated at 256 KB. */
const text = 'x'.repeat(128 * 1024)

async function send(understudy: Understudy, method: string, path: string, body?: object, world = 'main') {
  const reply = await understudy.dispatch({
    method,
    url: `/api/${path}`,
    headers: { 'x-understudy-world': world },
    ...(body !== undefined && { body }),
  })
  return { code: reply?.code, ...JSON.parse(reply?.body ?? '{}') }
}

function post(understudy: Understudy, world?: string) {
  const backfill = { name: 'big', variables: { text } }
  return send(understudy, 'POST', 'pipelines/a/backfills', { backfill }, world)
}

/** Adds records until they are refused; returns how many were added. */
async function fill(understudy: Understudy, world?: string): Promise<number> {
  for (let count = 0; ; count++) if ((await post(understudy, world)).code !== 200) return count
}

it('refuses to create and update records beyond the limit, and still reads and deletes', async () => {
  const understudy = createUnderstudy({ fixture, maxMemory: 2 * megabyte })
  const count = await fill(understudy)

  // The request that exceeds the limit is answered; the next one is refused.
  expect(count).toBe(8)
  expect(await post(understudy)).toMatchObject({
    code: 413,
    error: {
      type: 'payload_too_large',
      message:
        'The records of all worlds take more than 2 MB, which is the limit. Delete records or worlds, reset a world, or raise maxMemory (serve --max-memory).',
    },
    status: 200,
  })
  const update = { backfill: { name: 'small' } }
  expect((await send(understudy, 'PUT', 'backfills/1', update)).code).toBe(413)
  expect((await send(understudy, 'GET', 'backfills')).backfills).toHaveLength(count)
  expect((await send(understudy, 'DELETE', 'backfills/1')).code).toBe(200)
  expect((await send(understudy, 'PUT', 'backfills/2', update)).code).toBe(200)
  expect(understudy.model.backfills.count()).toBe(count - 1)
})

it.each<[string, (understudy: Understudy) => void]>([
  ['reset', (understudy) => understudy.reset()],
  ['import', (understudy) => understudy.import(fixture)],
  ['restore', (understudy) => understudy.restore('before')],
])('has room again after %s, and none after undo', async (_, replace) => {
  const understudy = createUnderstudy({ fixture, maxMemory: 2 * megabyte })
  understudy.snapshot('before')
  const count = await fill(understudy)
  replace(understudy)

  expect(await fill(understudy)).toBe(count)
  understudy.undo()
  expect((await post(understudy)).code).toBe(413)
})

it('counts the records of all worlds together, and those that they share once', async () => {
  const shared = { backfills: [{ pipeline_uuid: 'a', variables: { text } }], ...fixture }
  const understudy = createUnderstudy({ fixture: shared, maxMemory: 2 * megabyte })
  const worlds = ['main', 'one', 'two', 'three']
  const counts = [await fill(understudy), await fill(understudy, 'one')]
  for (const name of worlds) understudy.world(name)

  expect(counts).toEqual([7, 0])
  understudy.worlds.delete('one')
  expect(await fill(understudy, 'two')).toBe(0)
  understudy.reset()
  expect(await fill(understudy, 'three')).toBe(7)
  understudy.worlds.delete('three')
  expect(await fill(understudy, 'two')).toBe(7)
})

it('has room again for records that were deleted after a snapshot which is gone', async () => {
  const understudy = createUnderstudy({ fixture, maxMemory: 2 * megabyte })
  const count = await fill(understudy)
  understudy.snapshot('before')
  for (let id = 1; id <= count; id++) await send(understudy, 'DELETE', `backfills/${id}`)

  await expect.poll(async () => (await post(understudy)).code, { interval: 5 }).toBe(200)
  expect(await fill(understudy)).toBe(count - 1)
})

it('counts the records that a world does not share', async () => {
  const understudy = createUnderstudy({ fixture })
  const { memory } = instanceOf(understudy).settings
  const before = memory.used
  for (const world of ['main', 'other']) {
    for (let index = 0; index < 3; index++) await post(understudy, world)
    const used = memory.used
    await send(understudy, 'PUT', 'backfills/1', { backfill: { variables: {} } }, world)
    expect(used - memory.used).toBeGreaterThan(text.length)
    await send(understudy, 'DELETE', 'pipelines/a', undefined, world)
    understudy.world(world).snapshot('empty')
    understudy.world(world).import(fixture)
    await post(understudy, world)
    understudy.world(world).restore('empty')
    understudy.world(world).undo()
    understudy.world(world).reset()
  }
  understudy.worlds.delete('other')

  expect(memory.used).toBe(before)
})

it('gives no room for records of the fixture that a world deletes, because others share them', async () => {
  const backfills = Array.from({ length: 4 }, () => ({ pipeline_uuid: 'a', variables: { text } }))
  const understudy = createUnderstudy({ fixture: { ...fixture, backfills }, maxMemory: 2 * megabyte })
  for (let id = 1; id <= 4; id++) await send(understudy, 'DELETE', `backfills/${id}`)

  expect(await fill(understudy)).toBe(4)
})

it('rejects a world with its own fixture if memory is full', () => {
  const understudy = createUnderstudy({ fixture, maxMemory: megabyte })
  const large = { ...fixture, backfills: [{ pipeline_uuid: 'a', variables: { text: text.repeat(5) } }] }

  expect(() => understudy.worlds.create('large', { fixture: large })).toThrow(
    'With this world, the records of all worlds take more than 1 MB, which is the limit.',
  )
  expect(understudy.worlds.list()).toHaveLength(1)
})

it('lets no schedule fire and no backfill start runs where there is no room', async () => {
  const schedule = { name: 'hourly', pipeline_uuid: 'a', schedule_interval: '@hourly', status: 'active' }
  const understudy = createUnderstudy({
    fixture: { ...fixture, pipeline_schedules: [schedule] },
    maxMemory: megabyte,
  })
  await fill(understudy)
  const before = understudy.model.pipeline_runs.count()

  expect(understudy.clock.advance('3h').leftOut).toMatchObject({ pipeline_schedules: 1 })
  expect(understudy.model.pipeline_runs.count()).toBe(before)
  understudy.reset()
  understudy.clock.advance('3h')
  expect(understudy.model.pipeline_runs.count()).toBeGreaterThan(before)
})

it('shares the values that several records have in common', async () => {
  const pipelines = [{ name: 'a' }, { name: 'b' }]
  const understudy = createUnderstudy({ fixture: { pipelines } })
  const config = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, index]))
  const block = { name: 'load', type: 'custom', config, pipelines: ['a', 'b'] }
  await send(understudy, 'POST', 'pipelines/a/blocks', { block })
  const [first, second] = understudy.model.blocks.findMany()

  expect(second?.pipeline_uuid).toBe('b')
  expect(first?.config).toEqual(config)
  expect(second?.config).toBe(first?.config)
})

it('estimates values at least at what they take', () => {
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a name of ${index}`, index]))

  expect(estimateSize('x'.repeat(1_000))).toBeGreaterThanOrEqual(2_000)
  expect(estimateSize(wide)).toBeGreaterThanOrEqual(90_000)
  expect(estimateSize({ id: 1, name: 'a' })).toBeLessThan(150)
})
