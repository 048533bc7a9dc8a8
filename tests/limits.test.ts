import { expect, it } from 'vitest'
import { createUnderstudy, type Fixture } from '../src/index.ts'

const pipelines = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `p${index}` }))
const backfills = (count: number) => Array.from({ length: count }, () => ({ pipeline_uuid: 'p0' }))

/** Returns the error of a request, or `undefined`. */
async function errorOf(fixture: Fixture, method: string, path: string, body?: object) {
  const understudy = createUnderstudy({ fixture })
  const reply = await understudy.dispatch({ method, url: path, body })
  return { understudy, error: JSON.parse(reply!.body).error }
}

it('refuses a list of more than 10,000 records, and answers a page of it', async () => {
  const fixture = { pipelines: pipelines(1), backfills: backfills(10_001) }
  const { understudy, error } = await errorOf(fixture, 'GET', '/api/backfills')
  const page = await understudy.dispatch({ method: 'GET', url: '/api/backfills?_limit=10000' })

  expect(error).toEqual({
    code: 413,
    message: 'The reply is too long; use _limit.',
    type: 'payload_too_large',
  })
  expect(page).toMatchObject({ code: 200 })
})

it('rejects the deletion of a pipeline with more than 20,000 records', async () => {
  const fixture = { pipelines: pipelines(1), backfills: backfills(20_000) }
  const { understudy, error } = await errorOf(fixture, 'DELETE', '/api/pipelines/p0')

  expect(error).toEqual({
    code: 400,
    message:
      'The pipeline "p0" has more than 20000 records that would be deleted with it; delete some of them first.',
    type: 'record_invalid',
  })
  expect(understudy.model.backfills.count()).toBe(20_000)
  expect(understudy.model.pipelines.delete((q) => q.where({ uuid: 'p0' }))).toBeDefined()
  expect(understudy.model.backfills.count()).toBe(0)
})

it('refuses to create a block in more than 1,000 pipelines at once', async () => {
  const names = pipelines(1_001).map(({ name }) => name)
  const block = { name: 'load', type: 'data_loader', pipelines: names }
  const { understudy, error } = await errorOf(
    { pipelines: pipelines(1_001) },
    'POST',
    '/api/pipelines/p0/blocks',
    {
      block,
    },
  )

  expect(error).toMatchObject({ code: 400, message: 'block.pipelines: expected at most 1000; found 1001.' })
  expect(understudy.model.blocks.count()).toBe(0)
})

it('refuses to create a block in pipelines that have more than 5,000 blocks together', async () => {
  const blocks = Array.from({ length: 1_001 }, (_, index) => ({ name: `b${index}` }))
  const fixture = { pipelines: pipelines(5).map((pipeline) => ({ ...pipeline, blocks })) }
  const block = { name: 'load', type: 'data_loader', pipelines: ['p1', 'p2', 'p3', 'p4'] }
  const { error } = await errorOf(fixture, 'POST', '/api/pipelines/p0/blocks', { block })

  expect(error).toMatchObject({
    code: 400,
    message: 'block.pipelines: expected pipelines with at most 5000 blocks together; found 5005.',
  })
})

it('refuses one schedule more than 1,000 of a pipeline', async () => {
  const pipeline_schedules = Array.from({ length: 1_000 }, () => ({ pipeline_uuid: 'p0' }))
  const fixture = { pipelines: pipelines(1), pipeline_schedules }
  const body = { pipeline_schedule: { name: 'more' } }
  const { understudy, error } = await errorOf(fixture, 'POST', '/api/pipelines/p0/pipeline_schedules', body)

  expect(error).toMatchObject({ code: 400, type: 'record_invalid' })
  expect(understudy.model.pipeline_schedules.count()).toBe(1_000)
})

it('refuses a new pipeline with more than 500 conditionals', async () => {
  const conditionals = Array.from({ length: 501 }, (_, index) => ({ name: `c${index}` }))
  const body = { pipeline: { name: 'new', type: 'python', conditionals } }
  const { error } = await errorOf({}, 'POST', '/api/pipelines', body)

  expect(error).toMatchObject({
    code: 400,
    message: 'pipeline.conditionals: expected at most 500; found 501.',
  })
})

it('refuses one fault more than 1,000 of a world', () => {
  const { faults } = createUnderstudy()
  for (let count = 0; count < 1_000; count++) faults.add({ path: '/api/pipelines', hang: true })

  expect(() => faults.add({ path: '/api/pipelines', hang: true })).toThrow(
    'expected at most 1000 faults in a world; remove some first',
  )
})

it('refuses a schedule interval of 100 KB', async () => {
  const pipeline_schedule = { name: 'long', schedule_interval: `0 ${'1,'.repeat(50_000)}1 * * *` }
  const path = '/api/pipelines/p0/pipeline_schedules'
  const { error } = await errorOf({ pipelines: pipelines(1) }, 'POST', path, { pipeline_schedule })

  expect(error).toMatchObject({ code: 400, type: 'record_invalid' })
})

it('refuses to count the records of more than 20,000 values', async () => {
  const fixture = { pipelines: pipelines(20_001) }
  const { model } = createUnderstudy({ fixture })
  const message = 'Expected an attribute with at most 20000 values to count; name has more.'

  expect(await model.pipelines.spread('type', { parts: 1 })).toEqual([{ python: 20_001 }])
  expect(() => model.pipelines.countBy('name')).toThrow(message)
  await expect(model.pipelines.spread('name', { parts: 100 })).rejects.toThrow(message)
})
