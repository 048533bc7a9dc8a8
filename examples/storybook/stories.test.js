import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { openBrowser } from './open-browser.js'

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
}
/** What was built, as any server of files would serve it. */
const server = createServer(async (request, response) => {
  const pathname = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html')
  const body = await readFile(join('storybook-static', pathname)).catch(() => undefined)
  if (body === undefined) return response.writeHead(404).end()
  response.setHeader('content-type', types[extname(pathname)] ?? 'application/octet-stream').end(body)
})
let browser
let close
let origin

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${server.address().port}`
  ;({ browser, close } = await openBrowser())
})

after(async () => {
  await close()
  server.close()
})

async function open(viewMode, id) {
  const page = await browser.newPage()
  await page.goto(`${origin}/iframe.html?viewMode=${viewMode}&id=${encodeURIComponent(id)}`)
  return page
}

const expected = {
  'pipeline-list--of-the-understudy': ['daily sales'],
  'pipeline-list--with-a-fixture': ['orders', 'stock'],
  'pipeline-list--with-a-scenario': [],
  'pipeline-list--with-a-fault': [],
}
const longNames = { 'long-names--größe': ['größer'] }

/** The list of a story, once it has what is expected. */
async function listIn(element, names) {
  for (const name of names) await element.getByText(name, { exact: true }).waitFor()
  return element.locator('li').allTextContents()
}

async function checkDocs(page, stories) {
  for (const [id, names] of Object.entries(stories)) {
    const story = page.locator(`[id="story--${id}--primary-inner"], [id="story--${id}-inner"]`).first()
    await story.locator('section').waitFor()
    assert.deepEqual(await listIn(story, names), names, id)
  }
}

test('a page of docs shows each story its own world', async () => {
  await checkDocs(await open('docs', 'long-names--docs'), longNames)
  const page = await open('docs', 'pipeline-list--docs')
  await checkDocs(page, expected)
  await page.getByText('No space.').first().waitFor()

  const other = page.locator('[id="story--pipeline-list--with-a-fixture-inner"]')
  await other.getByRole('button', { name: 'Create' }).click()
  assert.deepEqual(await listIn(other, ['weekly sales']), ['orders', 'stock', 'weekly sales'])
  assert.equal(await page.locator('li', { hasText: 'weekly sales' }).count(), 1)
})

for (const [id, names] of Object.entries({ ...expected, ...longNames, 'pipeline-list--alone': ['alone'] })) {
  test(`${id} shows its own world, and begins anew`, async () => {
    const page = await open('story', id)
    const story = page.locator('#storybook-root')
    await story.locator('section').waitFor()
    assert.deepEqual(await listIn(story, names), names)

    await story.getByRole('button', { name: 'Create' }).click()
    if (id.endsWith('fault')) return story.getByText('No space.').waitFor()
    assert.deepEqual(await listIn(story, ['weekly sales']), [...names, 'weekly sales'])
    await page.reload()
    await story.locator('section').waitFor()
    assert.deepEqual(await listIn(story, names), names)
  })
}

test('the tab of the panel follows from story to story', async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(`${origin}/?path=/story/pipeline-list--with-a-fixture`)
  const story = page.frameLocator('#storybook-preview-iframe')
  await story.getByText('stock').waitFor()
  await page.getByRole('tab', { name: 'Understudy' }).click()
  const panel = page.locator('#storybook-panel-root')
  await panel.getByText('pipeline-list--with-a-fixture').first().waitFor()

  await story.getByRole('button', { name: 'Create' }).click()
  await panel.getByRole('link', { name: 'Pipelines 3', exact: true }).waitFor()
  // Drawn anew, a story begins anew, and the panel with it.
  await page.getByRole('button', { name: /reload|remount/i }).click()
  await panel.getByRole('link', { name: 'Pipelines 2', exact: true }).waitFor()
  await page.locator('#storybook-explorer-tree').getByText('With A Scenario').click()
  await panel.getByText('pipeline-list--with-a-scenario').first().waitFor()
})
