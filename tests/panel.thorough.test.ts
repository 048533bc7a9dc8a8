import { describe, expect, it } from 'vitest'
import { switchable } from '../src/cli/switchable.ts'
import { demo } from '../src/fixtures/index.ts'
import { isBrowserAtHand } from './support/browser.ts'
import { flawsInForms } from './support/look.ts'
import { openForAll, openPanel, runCopied } from './support/panel.ts'

describe.runIf(isBrowserAtHand)('the panel', () => {
  const all = openForAll()

  it.each([
    ['now', 'now'],
    ['requests', 'requests'],
    ['a request', 'requests/5'],
    ['pipelines', 'pipelines'],
    ['a pipeline', 'pipelines/load_forecast'],
    ['wrong on purpose', 'wrong'],
    ['records', 'records/pipeline_runs/178'],
    ['more', 'more'],
  ])('shows %s without a flaw that axe-core knows, light, dark and narrow', async (name, address) => {
    const { page, url, look } = all.panel
    await page.goto(`${url}/#/${address}`)
    await page.locator('main h1').first().waitFor()

    const found = await flawsInForms(page, (form) => look(`${name.replaceAll(' ', '-')}-${form}`))

    expect(found).toEqual([])
  })

  it('makes the next create fail, moves time, opens another world, and copies all of it as a test that passes', async () => {
    const own = await openPanel({ fixture: demo, clock: 'system', seed: 7 }, { hash: '#/wrong' })
    const { page, understudy, api, url } = own
    try {
      await page.getByRole('button', { name: /^Fail the next create/ }).click()
      await page.getByRole('button', { name: 'Add this' }).click()
      await page.locator('.rows', { hasText: 'The next createPipeline fails: 500 disk_full' }).waitFor()
      await api('POST', '/pipelines', { pipeline: { name: 'mine', type: 'python' } })
      await api('PUT', '/backfills/1', { backfill: { name: 'renamed' } })
      await page.goto(`${url}/#/requests`)
      await expect
        .poll(() => page.locator('.request-row').nth(1).innerText())
        .toMatch(/500\s+HTTP 200\s+createPipeline\s+disk full/)
      await page.getByRole('button', { name: 'Freeze' }).click()
      await expect.poll(() => understudy.clock.speed()).toBe(0)
      const before = understudy.clock.now()
      await page.getByRole('button', { name: 'Advance by 1 h' }).click()
      await expect.poll(() => understudy.clock.now() - before).toBe(3_600_000)
      await page.goto(`${url}/#/pipelines/load_forecast`)
      await page.getByRole('button', { name: 'Make new runs fail' }).click()
      await page.getByRole('status').filter({ hasText: 'a new run fails' }).waitFor()
      await page.getByRole('button', { name: 'Trigger every night' }).click()
      await page.getByRole('status').filter({ hasText: 'triggered' }).waitFor()
      await page.getByRole('button', { name: 'World main' }).click()
      await page.getByLabel('Name of a new world').fill('other')
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('button', { name: 'World other' }).waitFor()
      expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'other'])
      await page.getByRole('button', { name: 'World other' }).click()
      await page.locator('.menu-list').getByRole('button', { name: /^main/ }).click()
      await page.getByRole('button', { name: 'Prompt book: 6 calls, as a test' }).click()
      await page.getByRole('button', { name: 'Copy as a test' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save start.json' }).click()
      const start = await (await downloading).createReadStream()
      const pieces: Buffer[] = []
      for await (const piece of start) pieces.push(piece as Buffer)
      const test = await page.evaluate<string>('navigator.clipboard.readText()')

      expect(test).toContain("operation: 'createPipeline'")
      expect(test).toContain('The application: createPipeline.')
      for (const [plural, expected] of [
        ['backfills', ".toMatchObject({ name: 'renamed' })"],
        ['pipelines', "({ uuid: 'load_forecast', run_script: 'running for 5s, then failed' })).toBe(1)"],
        ['pipeline_runs', "({ status: 'running' })).toBe("],
      ]) {
        expect(test.split('\n').filter((line) => line.includes(`model.${plural}.`))).toContainEqual(
          expect.stringContaining(expected!),
        )
      }
      expect(JSON.parse(await runCopied(test, Buffer.concat(pieces).toString()))).toMatchObject({
        numPassedTests: 1,
        numFailedTests: 0,
      })
      expect(own.complaints).toEqual([])
    } finally {
      await own.close()
    }
  })

  it('lets a server of the command be wrong as a whole, counts it among what is on, and be good again, and another by its ways', async () => {
    const own = await openPanel(
      { fixture: demo },
      { hash: '#/wrong', around: (good) => switchable(good, undefined) },
    )
    const { page, api } = own
    try {
      const choice = page.getByLabel('Wrong server')
      await choice.selectOption('count-as-text')
      await page.getByRole('status').filter({ hasText: 'The server is count-as-text from now on.' }).waitFor()

      expect(await page.locator('.line code').innerText()).toBe(
        "await understudy.wrongServers.take('count-as-text')",
      )
      expect(await page.getByText('it breaks the rule').innerText()).toBe(
        'it breaks the rule list-metadata/count',
      )
      const [rule, select] = [
        await page.locator('#wrong-server').locator('..').boundingBox(),
        await choice.boundingBox(),
      ]
      expect((select?.y ?? 0) - (rule?.y ?? 0) - (rule?.height ?? 0)).toBe(8)
      expect(select?.width).toBe(rule?.width)
      expect(await own.look('wrong-server')).toEqual([])
      expect(await api('GET', '/backfills')).toContain('"count":"3"')
      expect(await page.getByRole('link', { name: /^Wrong on purpose/ }).innerText()).toMatch(/4$/)
      await own.understudy.wrongServers?.take('created-as-text')
      await page.getByText('The server is created-as-text, in every world').waitFor()
      await page.getByRole('button', { name: 'Off: the server created-as-text' }).click()
      await page.getByRole('status').filter({ hasText: 'The server is the good one again.' }).waitFor()
      await expect.poll(() => choice.inputValue()).toBe('')
      expect(await api('GET', '/backfills')).not.toContain('"count":"3"')
      await page.getByLabel('Profile').selectOption('mage-ai-0.9.79')
      await page.getByText('The server has the ways of mage-ai-0.9.79 from now on.').waitFor()
      expect(await api('GET', '/pipeline_schedules?_limit=1')).toContain('"last_enabled_at"')
    } finally {
      await own.close()
    }
  })
})
