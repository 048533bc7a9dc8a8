import { test as base } from '@playwright/test'
import { expect, understudyFixtures } from 'pipeline-understudy/playwright'

const test = base.extend(understudyFixtures())
test.use({ understudyOptions: { fixture: { pipelines: [{ name: 'daily sales' }] } } })

test('answers what a page requests', async ({ page, understudy }) => {
  await page.goto('/')
  await page.getByLabel('Name').fill('weekly sales')
  await page.getByRole('button', { name: 'Create' }).click()

  await expect(page.getByRole('listitem')).toHaveText(['daily sales', 'weekly sales'])
  expect(understudy).toHaveReceived('createPipeline', { body: { pipeline: { name: 'weekly sales' } } })
})
