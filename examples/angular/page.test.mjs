import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { openBrowser } from './open-browser.mjs'

test('the page reads the records of the mock, with the panel in its corner', async () => {
  const program = ['node_modules/@angular/cli/bin/ng.js', 'serve', '--host', '127.0.0.1', '--port', '0']
  const server = spawn(process.execPath, program)
  const { browser, close } = await openBrowser()
  try {
    let url
    for await (const line of createInterface({ input: server.stdout })) {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      if (url !== undefined) break
    }

    const page = await browser.newPage()
    await page.goto(url)
    await page.getByRole('listitem').getByText('daily sales').waitFor()
    await page.keyboard.press('Control+Shift+U')
    await page
      .getByRole('button', { name: 'Requests' })
      .or(page.getByRole('link', { name: 'Requests' }))
      .first()
      .waitFor()
  } finally {
    await close()
    server.kill()
    await once(server, 'close')
  }
})
