import { HttpResponse, http } from 'msw'
import { test as base, expect } from 'pipeline-understudy/vitest'
import { describe } from 'vitest'
import { create, listNames } from './pipelines-client.ts'

const test = base.extend({
  understudyOptions: { fixture: { pipelines: [{ name: 'daily sales' }] } },
})

test('has an understudy and a server of its own', async ({ understudy }) => {
  await create('weekly sales')

  expect(await listNames()).toEqual(['daily sales', 'weekly sales'])
  expect(understudy).toHaveReceived('createPipeline', { body: { pipeline: { name: 'weekly sales' } } })
})

test('begins anew in each test', async ({ understudy }) => {
  understudy.faults.add({ operation: 'createPipeline', error: { code: 500, message: 'No space.' } })

  await expect(create('weekly sales')).rejects.toThrow('No space.')
  expect(await listNames()).toEqual(['daily sales'])
})

test('answers although it is not asked for', async () => {
  expect(await listNames()).toEqual(['daily sales'])
})

test('takes handlers of your own for one test', async ({ server }) => {
  server.use(http.get('*/api/pipelines', () => HttpResponse.json({ pipelines: [{ name: 'mine' }] })))

  expect(await listNames()).toEqual(['mine'])
})

test('has nothing left of them in the next', async () => {
  expect(await listNames()).toEqual(['daily sales'])
  await expect(fetch('https://elsewhere.example.com/')).rejects.toThrow(/fetch/)
})

describe('with other options', () => {
  const empty = test.extend({ understudyOptions: { fixture: {} }, handlerOptions: { baseUrl: '/nowhere' } })

  empty('begins with nothing', async ({ understudy }) => {
    expect(understudy.model.pipelines.count()).toBe(0)
    await expect(listNames()).rejects.toThrow(/fetch/)
  })
})
