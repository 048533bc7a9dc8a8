// Checks the built application in a browser: one mock answers its server, another one its page.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openBrowser } from './open-browser.mjs'

const program = ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1']
const next = spawn(process.execPath, program, { env: { ...process.env, UNDERSTUDY: 'on' } })
const { browser, close } = await openBrowser()
try {
  let url
  for await (const line of createInterface({ input: next.stdout })) {
    url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (line.includes('Ready')) break
  }
  const page = await browser.newPage()

  await page.goto(url)
  assert.equal(await page.locator('p').textContent(), 'daily_sales')
  await page.getByLabel('Name').fill('hourly sales')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('daily_sales, hourly_sales').waitFor()

  // The page is answered from a state of its own, by a worker.
  await page.goto(`${url}/in-browser`)
  await page.getByRole('listitem').first().waitFor()
  assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['daily_sales'])
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller !== null), true)
} finally {
  next.kill()
  await Promise.all([close(), once(next, 'close')])
}
