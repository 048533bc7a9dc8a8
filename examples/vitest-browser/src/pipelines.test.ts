import { HttpResponse, http } from 'msw'
import { test as base, expect } from 'pipeline-understudy/vitest'
import { describe } from 'vitest'
import { create, listNames } from './pipelines-client.ts'

const test = base.extend({
  understudyOptions: { fixture: { pipelines: [{ name: 'daily sales' }] } },
})

test('has an understudy of its own, and a worker that answers from it', async ({ understudy }) => {
  await create('weekly sales')

  expect(navigator.serviceWorker.controller?.scriptURL).toContain('/mockServiceWorker.js')
  expect(await listNames()).toEqual(['daily sales', 'weekly sales'])
  expect(understudy).toHaveReceived('createPipeline', { body: { pipeline: { name: 'weekly sales' } } })
})

test('begins anew in each test', async ({ understudy }) => {
  understudy.faults.add({ operation: 'createPipeline', error: { code: 500, message: 'No space.' } })

  await expect(create('weekly sales')).rejects.toThrow('No space.')
  expect(await listNames()).toEqual(['daily sales'])
})

test('takes handlers of your own for one test', async ({ server }) => {
  server.use(http.get('*/api/pipelines', () => HttpResponse.json({ pipelines: [{ name: 'mine' }] })))

  expect(await listNames()).toEqual(['mine'])
})

test('has nothing left of them in the next', async () => {
  expect(await listNames()).toEqual(['daily sales'])
})

describe.concurrent('several at once, each with a path of its own', () => {
  for (const name of ['one', 'two']) {
    const apart = test.extend({ handlerOptions: { baseUrl: `/${name}` } })

    apart(`sees ${name} alone`, async ({ understudy }) => {
      await create(name, `/${name}`)

      expect(await listNames(`/${name}`)).toEqual(['daily sales', name])
      expect(understudy).toHaveReceivedTimes('createPipeline', 1)
    })
  }
})
