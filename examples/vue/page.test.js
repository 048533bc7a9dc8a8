import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createServer } from 'vite'
import { openBrowser } from './open-browser.js'

test('what was created is still there after a hot update and after F5', async () => {
  const server = await createServer({ logLevel: 'silent', server: { port: 0 } })
  await server.listen()
  const { browser, close } = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls.local[0])
    await page.getByText('daily sales').waitFor()
    await page.getByLabel('Name').fill('weekly sales')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('listitem').getByText('weekly sales').waitFor()

    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    const component = await readFile('src/PipelineList.vue', 'utf8')
    await writeFile('src/PipelineList.vue', component.replace('<h1>Pipelines</h1>', '<h1>My pipelines</h1>'))
    await page.getByRole('heading', { name: 'My pipelines' }).waitFor()
    assert.equal(await page.evaluate(() => window.isSamePage), true)
    await page.getByRole('listitem').getByText('weekly sales').waitFor()

    await page.reload()
    await page.getByRole('listitem').getByText('weekly sales').waitFor()

    // The panel in the corner, over the understudy that answers the page.
    await page.keyboard.press('Control+Shift+U')
    await page
      .getByRole('button', { name: 'Requests' })
      .or(page.getByRole('link', { name: 'Requests' }))
      .first()
      .waitFor()
  } finally {
    await close()
    await server.close()
  }
})
