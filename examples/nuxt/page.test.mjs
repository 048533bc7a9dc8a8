import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openBrowser } from './open-browser.mjs'

const port = 24_678
const url = `http://127.0.0.1:${port}/`
const htmlOfServer = async () => (await fetch(url)).text()

/** Waits until Nuxt has built the page. */
async function untilBuilt() {
  for (let tries = 0; tries < 120; tries += 1) {
    const html = await htmlOfServer().catch(() => '')
    if (html.includes('<ul>')) return
    await setTimeout(1_000)
  }
  throw new Error('Nuxt did not render the page.')
}

test('the page and the server read the same records', async () => {
  const program = [
    'node_modules/nuxt/bin/nuxt.mjs',
    'dev',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--no-fork',
  ]
  const nuxt = spawn(process.execPath, program, { stdio: 'inherit' })
  const { browser, close } = await openBrowser()
  try {
    await untilBuilt()
    assert.match(await htmlOfServer(), /daily sales/)

    const page = await browser.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByLabel('Name').fill('hourly sales')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('listitem').getByText('hourly sales').waitFor()

    assert.match(await htmlOfServer(), /hourly sales/)
  } finally {
    await close()
    nuxt.kill()
    await once(nuxt, 'close')
  }
})
