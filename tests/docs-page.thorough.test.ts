import { chromium } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { isBrowserAvailable } from './support/browser.ts'
import { serveMock } from './support/serve-mock.ts'

it.runIf(isBrowserAvailable)(
  'runs an operation from the OpenAPI page with the credentials of the fixture',
  async () => {
    const understudy = createUnderstudy({ fixture: demo, auth: 'login' })
    const { url } = await serveMock(understudy)
    const browser = await chromium.connect(inject('browser'))
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const flaws: string[] = []
    page.on('pageerror', ({ message }) => flaws.push(message))
    page.on('console', (line) => line.type() === 'error' && flaws.push(line.text()))
    page.on('request', (request) => !request.url().startsWith(url) && flaws.push(request.url()))
    await page.goto(`${url}/docs`)
    const operation = page.locator('[id$="-listPipelines"]')
    await operation.locator('.opblock-summary-control').click()

    await operation.locator('button.execute').click()
    const reply = operation.locator('.live-responses-table')
    await reply.waitFor()

    expect(await reply.innerText()).toContain('"uuid": "crm_sync"')
    expect(await operation.locator('.curl').innerText()).toContain("-H 'X-API-KEY: demo-api-key'")
    expect(understudy.journal.entries({ operation: 'listPipelines' })).toMatchObject([{ status: 200 }])
    const block = page.locator('[id$="-readBlock"]')
    await block.locator('.opblock-summary-control').click()
    await block.locator('button.execute').click()
    await block.locator('.live-responses-table').waitFor()
    expect(understudy.journal.entries({ operation: 'readBlock' })).toMatchObject([{ status: 200 }])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark-mode').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Panel' }).click()
    await page.locator('main h1').first().waitFor()
    // Pictures in the style sheet are data, which the address of a page does not begin.
    expect(flaws.filter((flaw) => !flaw.startsWith('data:'))).toEqual([])
  },
)
