import { create, listNames } from './pipelines-client'
import { understudy } from './understudy'

test('answers from the understudy', async () => {
  await create('weekly sales')

  expect(await listNames()).toEqual(['daily sales', 'weekly sales'])
  expect(understudy).toHaveReceived('createPipeline', { body: { pipeline: { name: 'weekly sales' } } })
})

test('begins anew in each test, and fails as it is told', async () => {
  understudy.faults.add({ operation: 'createPipeline', error: { code: 500, message: 'No space.' } })

  await expect(create('weekly sales')).rejects.toThrow('No space.')
  expect(await listNames()).toEqual(['daily sales'])
})

test('loads what is loaded late', async () => {
  await listNames()

  expect((await understudy.journal.har()).log.entries).toHaveLength(1)
})
