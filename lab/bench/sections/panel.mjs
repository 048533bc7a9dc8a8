import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { unpackChromium } from '../../../scripts/lib/chromium.mjs'
import { serve } from '../../lib/processes.mjs'
import { aimed, printTable } from '../lib/table.mjs'

const aims = { paint: 300, rows: 100 }

/** What the panel takes to show records, of a few and of many, in a Chromium on the same machine. */
export async function measurePanel({ folder, rounds }) {
  const browser = await chromium.launch(await unpackChromium(folder))
  const rows = []
  try {
    for (const count of [1_000, 100_000]) {
      const server = await serve(['--fixture', writeRuns(folder, count)])
      try {
        const taken = []
        for (let round = 0; round < rounds + 1; round++)
          taken.push(await measure(browser, server.origin, count))
        // The first warms the server up.
        rows.push(...table(count, taken.slice(1)))
      } finally {
        await server.stop()
      }
    }
  } finally {
    await browser.close()
  }
  printTable(
    'the panel in Chromium, milliseconds',
    ['records, what is done', 'median', 'slowest', 'aim (median)'],
    rows,
  )
}

function table(count, taken) {
  return Object.keys(taken[0]).map((name) => {
    const times = taken.map((each) => each[name]).sort((one, other) => one - other)
    const median = times[Math.floor(times.length / 2)]
    const aim = name === 'first paint' ? aims.paint : name.startsWith('first rows') ? aims.rows : undefined
    return [
      `${count.toLocaleString('en')}, ${name}`,
      median.toFixed(0),
      times.at(-1).toFixed(0),
      aim === undefined ? '' : aimed(median, aim, false),
    ]
  })
}

/** One visit: from another view to the records, sorted, filtered, scrolled to the middle; then opened anew. */
async function measure(browser, origin, count) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(measuring)
  await page.goto(`${origin}/#/records`)
  await page.locator('main h1').waitFor()
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  // Where nothing else is on its way.
  await page.waitForTimeout(500)
  const result = {
    'first paint': firstPaint,
    'first rows of the view': await timed(page, "go('#/records/pipeline_runs')", `is(${count})`),
    'sorted by execution_date': await timed(
      page,
      "press('th:nth-child(4) button')",
      "has('[aria-sort=ascending]')",
    ),
    'filtered by status:failed': await timed(page, "type('status:failed')", `is(${count / 10})`),
    'filtered by a text': await timed(page, "type('variable-77.')", `is(${count / 1_000})`),
    'no filter again': await timed(page, "type('')", `is(${count})`),
    'scrolled to the middle': await timed(page, 'scroll(0.5)', 'isFull()'),
  }
  await context.close()
  return result
}

/** Does something in the page, and takes the time until a frame in which something holds. */
function timed(page, act, holds) {
  return page.evaluate(`measuring.time(() => measuring.${act}, () => measuring.${holds})`)
}

/** What stands in the page. */
function measuring() {
  const find = (selector) => {
    for (const host of document.querySelectorAll('*')) {
      const found = host.shadowRoot?.querySelector(selector)
      if (found) return found
    }
    return undefined
  }
  const rows = () => find('.record-table')?.querySelectorAll('[data-row]').length ?? 0
  const isQuiet = () => find('.record-table')?.getAttribute('aria-busy') === 'false'
  globalThis.measuring = {
    go(hash) {
      location.hash = hash
    },
    press: (selector) => find(selector).click(),
    type(text) {
      const field = find('.filter input')
      field.value = text
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    scroll(part) {
      const place = find('.record-scroll')
      place.scrollTop = place.scrollHeight * part
    },
    has: (selector) => find(selector) !== undefined && isQuiet() && rows() > 0,
    is: (count) =>
      isQuiet() && rows() > 0 && find('.record-table').getAttribute('aria-rowcount') === String(count + 1),
    isFull: () => rows() > 10 && find('.not-yet') === undefined,
    time: (act, holds) =>
      new Promise((resolve, reject) => {
        const start = performance.now()
        act()
        const look = () => {
          if (holds()) resolve(performance.now() - start)
          else if (performance.now() - start > 30_000) reject(new Error(`Never: ${holds}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
  }
}

/** A fixture of so many runs of 50 pipelines, one in ten failed. */
function writeRuns(folder, count) {
  const pipelines = Array.from({ length: 50 }, (_, index) => ({ name: `pipeline ${index}` }))
  const pipeline_schedules = pipelines.map((_, index) => ({
    id: index + 1,
    pipeline_uuid: `pipeline_${index}`,
  }))
  const pipeline_runs = Array.from({ length: count }, (_, index) => ({
    pipeline_uuid: `pipeline_${index % 50}`,
    pipeline_schedule_id: (index % 50) + 1,
    status: index % 10 === 3 ? 'failed' : 'completed',
    execution_date: `2025-${String((index % 12) + 1).padStart(2, '0')}-01 00:00:00`,
    variables: { of: `variable-${index % 1_000}.` },
  }))
  const file = join(folder, `runs-${count}.json`)
  writeFileSync(file, JSON.stringify({ pipelines, pipeline_schedules, pipeline_runs }))
  return file
}
