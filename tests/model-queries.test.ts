import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { company } from './support/company.ts'

const options = { fixture: company }
const { model } = createUnderstudy(options)
const { backfills } = model
const inArchive = { pipeline_uuid: 'archive' }

it('finds records by values, predicates and alternatives, in an order', () => {
  const names = (...query: Parameters<typeof backfills.findMany>) =>
    backfills.findMany(...query).map(({ name }) => name)

  expect(backfills.findFirst((q) => q.where({ id: 4 }))?.name).toBe('february')
  expect(backfills.findFirst((q) => q.where({ id: 99 }))).toBeUndefined()
  expect(names((q) => q.where(inArchive))).toEqual(['old files', 'new files'])
  expect(names((q) => q.where({ id: (id) => id > 3 }))).toEqual(['february', 'new files'])
  expect(names((q) => q.where({ id: 1 }).or({ name: 'nobody' }, { id: 5 }))).toEqual(['january', 'new files'])
  expect(names((q) => q.where({ status: 'failed' }).and({ id: 1 }))).toEqual([])
  expect(backfills.where('pipeline_uuid', 'archive').map(({ id }) => id)).toEqual([3, 5])
})

it('sorts, pages and starts from a record, as the library documents', () => {
  const ids = (...given: Parameters<typeof backfills.findMany>) =>
    backfills.findMany(...given).map(({ id }) => id)
  const third = backfills.findFirst((q) => q.where({ id: 3 }))!

  expect(ids(undefined, { orderBy: { pipeline_uuid: 'asc' } })).toEqual([3, 5, 1, 2, 4])
  expect(ids(undefined, { orderBy: [{ pipeline_uuid: 'desc' }, { id: 'desc' }] })).toEqual([4, 2, 1, 5, 3])
  expect(ids(undefined, { orderBy: { pipeline_uuid: 'asc', id: 'desc' } })).toEqual([5, 3, 4, 2, 1])
  expect(ids(undefined, { skip: 1, take: 2 })).toEqual([2, 3])
  expect(ids((q) => q.where({ pipeline_uuid: 'daily_sales' }), { skip: 1, take: 2 })).toEqual([2, 4])
  expect(ids(undefined, { take: -2 })).toEqual([5, 4])
  expect(ids(undefined, { cursor: third })).toEqual([3, 4, 5])
  expect(ids(undefined, { cursor: third, skip: 1, take: -1 })).toEqual([2])
  expect(() => ids(undefined, { skip: -1 })).toThrow(
    '[understudy] backfills: skip: expected a whole number of 0 or more; found -1.',
  )
})

it('counts records by their values', () => {
  expect(backfills.count()).toBe(5)
  expect(backfills.count(inArchive)).toBe(2)
  expect(backfills.count({ ...inArchive, status: null })).toBe(1)
  expect(backfills.count({ id: 3, name: undefined })).toBe(1)
  expect(backfills.count((q) => q.where({ id: (id) => id > 3 }))).toBe(2)
  expect(model.pipeline_schedules.count({ tags: ['nightly', 'finance'] })).toBe(1)
  expect(backfills.countBy('pipeline_uuid')).toEqual({ daily_sales: 3, archive: 2 })
  expect(backfills.countBy('status')).toEqual({ completed: 1, failed: 1, null: 3 })
  expect(backfills.countBy('status', inArchive)).toEqual({ failed: 1, null: 1 })
})

it.each<[Parameters<typeof backfills.page>[0], number[]]>([
  [{}, [5, 1, 2, 3, 4, 5]],
  [{ offset: 1, limit: 2 }, [5, 2, 3]],
  [{ offset: 1, limit: 2, reverse: true }, [5, 4, 3]],
  [{ offset: 9 }, [5]],
  [{ where: { pipeline_uuid: 'archive', status: null } }, [1, 5]],
  [{ search: 'pipeline_uuid:archive status:failed' }, [1, 3]],
  [{ search: 'OLD' }, [1, 3]],
  [{ search: 'name:"old files"' }, [1, 3]],
  [{ search: '"old f"' }, [1, 3]],
  [{ search: 'https://nothing' }, [0]],
  // Records without a value are last in both directions.
  [{ orderBy: { status: 'asc', id: 'desc' } }, [5, 1, 3, 5, 4, 2]],
  [{ orderBy: { status: 'desc' } }, [5, 3, 1, 2, 4, 5]],
])('returns the count and the page of %j', async (options, expected) => {
  const { records, count } = await backfills.page(options)

  expect([count, ...records.map(({ id }) => id)]).toEqual(expected)
})

it('orders a page by numbers, not by their texts, and after a change', async () => {
  const { factories, model } = createUnderstudy(options)
  const firstThree = async () =>
    (await model.backfills.page({ orderBy: { id: 'desc' }, limit: 3 })).records.map(({ id }) => id)
  expect(await firstThree()).toEqual([5, 4, 3])
  await factories.backfill.createMany(6)

  expect(await firstThree()).toEqual([11, 10, 9])
})

it('finds runs by how long they took', async () => {
  const { factories, model } = createUnderstudy(options)
  const created_at = '2026-01-01 00:00:00.000000+00:00'
  for (const [pipeline_uuid, end] of [
    ['archive', '00:20'],
    ['daily_sales', '03:00'],
  ] as const) {
    const completed_at = `2026-01-01 ${end}:00.000000+00:00`
    await factories.pipelineRun.create({ pipeline_uuid, status: 'completed', created_at, completed_at })
  }
  const pipelines = async (search: string) =>
    (await model.pipeline_runs.page({ search })).records.map((run) => run.pipeline_uuid)

  expect(await pipelines('took:>1h')).toEqual(['daily_sales'])
  expect(await pipelines('took:<21m took:>19m')).toEqual(['archive'])
})

it('returns the distribution of values, and the newest records of each', async () => {
  const newest = await backfills.newest('pipeline_uuid', { limit: 2 })

  expect(await backfills.spread('pipeline_uuid', { parts: 2, orderBy: { id: 'asc' } })).toEqual([
    { daily_sales: 2, archive: 1 },
    { daily_sales: 1, archive: 1 },
  ])
  expect(await backfills.spread('status', { parts: 9, where: inArchive, reverse: true })).toEqual([
    { null: 1 },
    { failed: 1 },
  ])
  expect(newest).toMatchObject({ daily_sales: [{ id: 2 }, { id: 4 }], archive: [{ id: 3 }, { id: 5 }] })
})

const terms = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`).join(' ')

it('counts a repeated term of a search once', async () => {
  expect(await backfills.page({ search: terms(20) })).toMatchObject({ count: 0 })
  expect(await backfills.page({ search: 'archive '.repeat(50) })).toMatchObject({ count: 2 })
})

it.each<[string, () => unknown]>([
  [
    'in where; found "pipeline_uid". Did you mean pipeline_uuid?',
    () => backfills.where('pipeline_uid' as 'name', 'x'),
  ],
  ['found "state"', () => backfills.count({ state: 'failed' } as object)],
  ['found "state"', () => backfills.countBy('state' as 'status')],
  ['found "state"', () => backfills.spread('state' as 'status')],
  ['found "state"', () => backfills.newest('state' as 'status')],
  [
    'in the query; found "nme". Did you mean name?',
    () => backfills.findMany((q) => q.where({ nme: 'x' } as never)),
  ],
  [
    'in orderBy; found "nme". Did you mean name?',
    () => backfills.findMany(undefined, { orderBy: { nme: 'asc' } as never }),
  ],
  ['in orderBy; found "state"', () => backfills.page({ orderBy: { state: 'asc' } as object })],
  ['limit: expected a whole number from 0 to 1000; found 1001', () => backfills.page({ limit: 1_001 })],
  ['Expected a search of at most 20 terms; found 21.', () => backfills.page({ search: terms(21) })],
])('refuses a query with the message "%s"', async (message, query) => {
  await expect(async () => query()).rejects.toMatchObject({ message: expect.stringContaining(message) })
})

it('throws if no record matches a strict query', async () => {
  const none =
    '[understudy] backfills: expected a record that matches the query, which is strict; found none.'
  const missing = { ...backfills.all()[0]!, id: 99 }
  const strict = { strict: true } as const

  expect(() => backfills.findFirst((q) => q.where({ id: 99 }), strict)).toThrow(none)
  expect(() => backfills.findMany((q) => q.where({ id: 99 }), strict)).toThrow(none)
  expect(() => backfills.delete(missing, strict)).toThrow(none)
  expect(backfills.delete(missing)).toBeUndefined()
  expect(() => backfills.deleteMany((q) => q.where({ id: 99 }), strict)).toThrow(none)
  await expect(backfills.update(missing, { data() {}, strict: true })).rejects.toThrow(none)
  await expect(backfills.updateMany((q) => q.where({ id: 99 }), { data() {}, strict: true })).rejects.toThrow(
    none,
  )
})
