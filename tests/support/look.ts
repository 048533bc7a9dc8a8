import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from './root.ts'

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Leaves a photograph of a page, and gives what axe-core finds wrong with it. */
export async function flawsOf(page: Page, photograph: string): Promise<string[]> {
  await page.screenshot({ path: photograph })
  // By the debugger, which no policy of the page concerns.
  return page.evaluate(`${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + JSON.stringify(target))))`)
}

/** Calls a function in the light, dark and narrow layout of a page, and returns its results. */
export async function flawsInForms(
  page: Page,
  look: (form: 'light' | 'dark' | 'narrow') => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const [form, width, colorScheme] of [
    ['light', 1440, 'light'],
    ['dark', 1440, 'dark'],
    ['narrow', 360, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await look(form)).map((flaw) => `${form}: ${flaw}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return found
}
