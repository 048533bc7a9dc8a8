import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from './root.ts'

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const options = JSON.stringify({
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
})

/** Returns the violations that axe-core finds in a page. */
export async function flawsOf(page: Page): Promise<string[]> {
  // By the debugger, which no policy of the page concerns.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${axe};undefined`)
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + JSON.stringify(target))))`)
}

/** Returns the violations in the light, dark and narrow layout of a page; `prepare` runs before each. */
export async function flawsInForms(
  page: Page,
  prepare: (form: 'light' | 'dark' | 'narrow') => Promise<void> = async () => undefined,
): Promise<string[]> {
  const found: string[] = []
  for (const [form, width, colorScheme] of [
    ['light', 1440, 'light'],
    ['dark', 1440, 'dark'],
    ['narrow', 360, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await prepare(form)
    found.push(...(await flawsOf(page)).map((flaw) => `${form}: ${flaw}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}
