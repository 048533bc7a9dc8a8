import { test as base } from '@playwright/test'
import { expect, understudyFixtures } from 'pipeline-understudy/playwright'
import { api as port } from '../ports.js'

const api = `http://127.0.0.1:${port}`
const test = base.extend(understudyFixtures({ url: api }))
test.use({ understudyOptions: { fixture: { pipelines: [{ name: 'daily sales' }] } } })

for (const name of ['one', 'two', 'three']) {
  test(`has a world of its own for ${name}`, async ({ page, understudy }) => {
    await page.goto(`/?api=${api}`)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()

    await expect(page.getByRole('listitem')).toHaveText(['daily sales', name])
    await expect(understudy).toHaveReceivedTimes('createPipeline', 1)
  })
}

test('steers the server from the test, and asks it without a page', async ({ request, understudy }) => {
  await understudy.factories.pipeline.create({ name: 'weekly sales' })
  await understudy.faults.add({
    operation: 'listPipelines',
    times: 1,
    error: { code: 503, message: 'Later.' },
  })
  const list = async () => (await request.get(`${api}/api/pipelines`)).json()

  expect((await list()).error.message).toBe('Later.')
  expect((await list()).pipelines).toHaveLength(2)
})

test('loses the connection', async ({ page, understudy }) => {
  await understudy.faults.add({ operation: 'listPipelines', drop: true })
  await page.goto(`/?api=${api}`)

  await expect(page.getByRole('alert')).toHaveText('The connection is lost.')
})
