import { test as base, expect } from '@playwright/test'
import { understudyFixtures } from 'pipeline-understudy/playwright'
import { api } from '../ports.js'

for (const [where, url] of [
  ['in process', undefined],
  ['served', `http://127.0.0.1:${api}`],
] as const) {
  base.extend(understudyFixtures({ url }))(`fails ${where}`, async ({ page }) => {
    await page.goto(`/?api=${url ?? ''}`)
    await page.getByLabel('Name').fill('daily sales')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('daily sales').waitFor()

    expect('this').toBe('that')
  })
}
