import { test as base } from '@playwright/test'
import { expect, understudyFixtures } from 'pipeline-understudy/playwright'

const test = base.extend(understudyFixtures())
test.use({ understudyOptions: { fixture: { pipelines: [{ name: 'daily sales' }] } } })

test('begins anew in each test, and fails as it is told', async ({ page, understudy }) => {
  understudy.faults.add({ operation: 'createPipeline', error: { code: 500, message: 'No space.' } })
  await page.goto('/')
  await page.getByRole('button', { name: 'Create' }).click()

  await expect(page.getByRole('alert')).toHaveText('No space.')
  await expect(page.getByRole('listitem')).toHaveText(['daily sales'])
})

test('loses the connection', async ({ page, understudy }) => {
  understudy.faults.add({ operation: 'listPipelines', times: 1, drop: true })
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('The connection is lost.')

  await page.reload()
  await expect(page.getByRole('listitem')).toHaveText(['daily sales'])
})

test('answers late, and not at all', async ({ page, understudy }) => {
  understudy.faults.add({ operation: 'listPipelines', times: 1, latency: '300ms' })
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['daily sales'])

  understudy.faults.add({ operation: 'listPipelines', hang: true })
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('answers another origin as a browser demands', async ({ page }) => {
  await page.goto('/?api=https://pipelines.example.com')

  await expect(page.getByRole('listitem')).toHaveText(['daily sales'])
})
