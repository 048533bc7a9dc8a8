import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openBrowser } from './open-browser.js'

const component = 'src/pipeline-list.jsx'
const original = await readFile(component, 'utf8')
let storybook
let browser
let close
let origin

before(async () => {
  const port = await freePort()
  const args = ['dev', '--ci', '--exact-port', '--disable-telemetry', '--host=127.0.0.1', `--port=${port}`]
  storybook = spawn('node_modules/.bin/storybook', args, { stdio: 'ignore' })
  origin = `http://127.0.0.1:${port}`
  ;({ browser, close } = await openBrowser())
  const isUp = () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    assert.equal(storybook.exitCode, null, 'storybook dev has ended.')
    await setTimeout(200)
  }
})

after(async () => {
  await save(original)
  await close()
  storybook.kill()
})

/** Saves the component as a whole: whoever watches it would find nothing in a file that is being written. */
async function save(text) {
  await writeFile('node_modules/.saved', text)
  await rename('node_modules/.saved', component)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

test('while one works on a component, its story keeps its world, and the panel goes on', async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(`${origin}/?path=/story/pipeline-list--with-a-fixture`)
  const story = page.frameLocator('#storybook-preview-iframe')
  await story.getByText('stock').waitFor()
  await page.getByRole('tab', { name: 'Understudy' }).click()
  const panel = page.locator('#storybook-panel-root')
  await panel.getByRole('link', { name: 'Pipelines 2', exact: true }).waitFor()
  await story.getByRole('button', { name: 'Create', exact: true }).click()
  await panel.getByRole('link', { name: 'Pipelines 3', exact: true }).waitFor()

  const changed = story.getByRole('button', { name: 'Create one' })
  // Saved again where a busy machine has missed it.
  for (let times = 0; times < 4 && !(await changed.isVisible()); times++) {
    await save(original.replace('Create\n', 'Create one\n'))
    await changed.waitFor({ timeout: 8_000 }).catch(() => undefined)
  }
  await changed.waitFor()
  await panel.getByRole('link', { name: 'Pipelines 3', exact: true }).waitFor()
  const list = await story.locator('#storybook-root li').allTextContents()
  assert.deepEqual(list, ['orders', 'stock', 'weekly sales'])

  await page.locator('#storybook-explorer-tree').getByText('With A Scenario').click()
  await panel.getByText('pipeline-list--with-a-scenario').first().waitFor()
})
