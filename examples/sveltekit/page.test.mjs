import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from 'vite'
import { openBrowser } from './open-browser.mjs'

test('the page and the server read the same records', async () => {
  const server = await createServer({ logLevel: 'error', server: { port: 0 } })
  await server.listen()
  const url = server.resolvedUrls.local[0]
  const htmlOfServer = async () => (await fetch(url)).text()
  const { browser, close } = await openBrowser()
  try {
    assert.match(await htmlOfServer(), /daily sales/)

    const page = await browser.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByLabel('Name').fill('hourly sales')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('listitem').getByText('hourly sales').waitFor()

    assert.match(await htmlOfServer(), /hourly sales/)
  } finally {
    await close()
    await server.close()
  }
})
