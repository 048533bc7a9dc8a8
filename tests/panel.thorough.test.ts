import { describe, expect, it } from 'vitest'
import { faultyVariants } from '../contract-tests/mutants/faulty-variants.ts'
import { demo } from '../src/fixtures/index.ts'
import { profiles } from '../src/profiles/index.ts'
import { flawsInForms, flawsOf } from './support/axe.ts'
import { isBrowserAvailable } from './support/browser.ts'
import { openForAll, openPanel, runCopied } from './support/panel.ts'

describe.runIf(isBrowserAvailable)('the panel', () => {
  const all = openForAll()

  it.each([
    ['overview', 'overview'],
    ['requests', 'requests'],
    ['a request', 'requests/5'],
    ['pipelines', 'pipelines'],
    ['a pipeline', 'pipelines/load_forecast'],
    ['faults', 'faults'],
    ['records', 'records/pipeline_runs/178'],
    ['more', 'more'],
  ])('shows %s without a flaw that axe-core knows, light, dark and narrow', async (_, address) => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/${address}`)
    await page.locator('main h1').first().waitFor()

    expect(await flawsInForms(page)).toEqual([])
  })

  it('goes by the arrow keys along the blocks of a graph and the runs of a lane, each one stop of the Tab key', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast/runs/154`)
    const focused = () =>
      page.evaluate(() => {
        const roots = [...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
        return (roots[0]?.activeElement as HTMLElement | null)?.innerText
      })
    await page.locator('.node:not([tabindex])').focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toMatch(/^forecast/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toMatch(/^(?:weather|history)/)
    await page.locator('.bar[aria-current]').focus()
    await page.keyboard.press('ArrowRight')

    expect(await focused()).toMatch(/^Run 173, completed/)
    expect(await page.locator('.bar:not([tabindex])').count()).toBe(2)
  })

  it('shows what a request changed, from what to what', async () => {
    const { page, url, api, understudy } = all.panel
    await api('PUT', '/backfills/1', { backfill: { name: 'renamed' } })
    const { sequence } = understudy.journal.entries().at(-1)!
    await page.goto(`${url}/#/requests/${sequence}`)

    expect(await page.locator('.diff tr', { hasText: 'name' }).first().innerText()).toMatch(/⟶\s+renamed/)
  })

  it.each([
    ['tomorrow', 'Go to tomorrow, 00:00', "await understudy.clock.advance('86400000ms')"],
    ['18:00', 'Go to 18:00', "await understudy.clock.advance('64800000ms')"],
  ])('offers the clock to one who types %s', async (text, title, call) => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/overview`)
    await page.locator('.summary').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill(text)
    const option = page.getByRole('dialog').getByRole('option').first()
    // The list may still show the state before the reset.
    await expect
      .poll(async () => (await option.innerText()).split('\n'))
      .toEqual([title, expect.anything(), expect.stringContaining(call)])
    await page.keyboard.press('Escape')
  })

  it('makes the next create fail, moves time, opens another world, and copies all of it as a test that passes', async () => {
    const own = await openPanel({ fixture: demo, clock: 'system', seed: 7 }, { hash: '#/faults' })
    const { page, understudy, api, url } = own
    await page.getByRole('button', { name: /^Fail the next create/ }).click()
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: /The next createPipeline answers with the error 500 disk_full\s*not applied yet/ })
      .waitFor()
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
    await page.getByRole('status').filter({ hasText: 'New runs fail' }).waitFor()
    await page.getByRole('button', { name: 'Trigger every night' }).click()
    await page.getByRole('status').filter({ hasText: 'triggered' }).waitFor()
    await page.getByRole('button', { name: 'World main' }).click()
    await page.getByLabel('Name of the new world').fill('other')
    await page.getByRole('button', { name: 'Create world' }).click()
    await page.getByRole('button', { name: 'World other' }).waitFor()
    expect(understudy.worlds.list().map(({ name }) => name)).toEqual(['main', 'other'])
    await page.getByRole('button', { name: 'World other' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /^main/ }).click()
    await page.getByRole('button', { name: 'Recorder: 6 calls, as a test' }).click()
    await page.getByRole('button', { name: 'Copy as a test' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save start.json' }).click()
    const start = await (await downloading).createReadStream()
    const pieces: Buffer[] = []
    for await (const piece of start) pieces.push(piece as Buffer)
    const test = await page.evaluate<string>('navigator.clipboard.readText()')

    expect(test).toContain("operation: 'createPipeline'")
    expect(test).toContain('The application: createPipeline.')
    for (const expected of [
      ".toMatchObject({ name: 'renamed' })",
      /record: \{ uuid: 'load_forecast' \},\s+changes: \{ run_script: \{ to: 'running for 5s, then failed' \} \}/,
      /pipeline_runs: \{ created: \[\{ id: \d+, status: 'running' \}\] \} \}, 'before the call'\)/,
    ])
      expect(test).toMatch(expected)
    expect(JSON.parse(await runCopied(test, Buffer.concat(pieces).toString()))).toMatchObject({
      numPassedTests: 1,
      numFailedTests: 0,
    })
    expect(own.complaints).toEqual([])
  })

  it('creates a world with a server-wide bug or a profile, goes to it, and counts the bug among the active faults', async () => {
    const own = await openPanel({ fixture: demo, profiles, faultyVariants }, { hash: '#/faults' })
    const { page } = own
    const read = async (world: string, path: string) => (await own.understudy.world(world).fetch(path)).text()
    await page.getByLabel('Search the server-wide bugs').fill('count as text')
    await page.getByRole('radio', { name: /^count-as-text / }).check()
    await page.getByLabel('Name of the new world').fill('buggy')
    await page.getByRole('button', { name: 'Create world' }).click()
    await page.getByRole('status').filter({ hasText: 'World buggy created.' }).waitFor()

    expect(await page.locator('.line code').innerText()).toBe(
      "await understudy.worlds.create('buggy', { faultyVariant: 'count-as-text' })",
    )
    await page.getByText('This world has the server-wide bug count-as-text').waitFor()
    expect(await flawsOf(page)).toEqual([])
    expect(await read('buggy', '/api/backfills')).toContain('"count":"3"')
    expect(await read('main', '/api/backfills')).not.toContain('"count":"3"')
    await page.getByLabel('Profile').selectOption('mage-ai-0.9.79')
    await page.getByLabel('Name of the new world').fill('real')
    await page.getByRole('button', { name: 'Create world' }).click()
    await page.getByRole('button', { name: 'World real' }).waitFor()
    expect(await read('real', '/api/pipeline_schedules?_limit=1')).toContain('"last_enabled_at"')
  })

  it('brings the log of the last run to fail into sight by its link, each file once, in a narrow page, too', async () => {
    const own = await openPanel({ fixture: demo })
    const { page } = own
    await page.setViewportSize({ width: 360, height: 780 })
    await page.getByRole('link', { name: 'Read log of load-forecast' }).click()
    const line = page.getByText('MemoryError: executor 3 was lost (4g of 4g used)')
    await line.waitFor()

    const isInSight = () =>
      line.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect()
        return element.contains((element.getRootNode() as ShadowRoot).elementFromPoint(left + 1, top + 1))
      })
    await expect.poll(isInSight).toBe(true)
    expect(await page.getByRole('group', { name: 'Log files' }).getByRole('button').allInnerTexts()).toEqual([
      'weather.log',
      'history.log',
      'features.log',
      'pipeline.log',
    ])
  })

  it('makes every new run of a pipeline fail by one button, opens the one that is triggered with the reason in its log, and removes the script', async () => {
    const own = await openPanel({ fixture: demo, seed: 7 }, { hash: '#/pipelines/load_forecast' })
    const { page, understudy, url } = own
    const scripts = () =>
      understudy.model.pipelines.findFirst((q) => q.where({ uuid: 'load_forecast' }))?.run_script
    await page.getByRole('button', { name: 'Make new runs fail' }).click()
    await page.getByRole('status').filter({ hasText: 'New runs fail after 5 s.' }).waitFor()
    await page.getByRole('button', { name: 'Make new runs fail', pressed: true }).click()
    await expect.poll(scripts).toBeNull()
    await page.getByRole('button', { name: 'Make new runs fail', pressed: false }).click()
    await expect.poll(scripts).toBe('running for 5s, then failed')
    await page.getByRole('button', { name: 'Trigger every night' }).click()
    await page.getByRole('heading', { name: 'Run 188' }).waitFor()
    expect(await page.locator('.bar[aria-current]').innerText()).toMatch(/^Run 188, running/)
    await page.getByText('fails in 5 s').waitFor()
    await page.getByRole('button', { name: 'Go there N' }).click()
    await page.getByText('failed after 5 s').waitFor()
    const log = page.getByRole('region', { name: 'Log' })
    await log.locator('.code .fail').getByText('features failed: RuntimeError: simulated failure').waitFor()
    await log.getByRole('button', { name: 'weather.log' }).click()
    await log.locator('.code').getByText('completed').waitFor()
    expect(await log.locator('.code .fail').count()).toBe(0)

    await page.goto(`${url}/#/overview`)
    await page.getByRole('row', { name: /load-forecast pyspark new runs fail/ }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'New runs of load-forecast: running for 5 s, then failed' })
      .waitFor()
    await page.getByRole('button', { name: 'Remove: load-forecast' }).click()
    await expect.poll(scripts).toBeNull()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(scripts).toBe('running for 5s, then failed')
  })

  it('asks for more rows of a long table as somebody scrolls, sorted and filtered where they are', async () => {
    const schedule = { id: 1, pipeline_uuid: 'long' }
    const own = await openPanel(
      {
        fixture: {
          pipelines: [{ name: 'long' }],
          pipeline_schedules: [schedule],
          pipeline_runs: Array.from({ length: 3_000 }, (_, index) => ({
            pipeline_uuid: 'long',
            pipeline_schedule_id: 1,
            status: index % 1_000 === 7 ? 'failed' : 'completed',
          })),
        },
      },
      { hash: '#/records/pipeline_runs' },
    )
    const { page } = own
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const ids = () => page.locator('[data-row] td:nth-child(2)').allInnerTexts()
    await page.locator('[data-row]').first().waitFor()
    expect(await page.locator('th[scope=col]').count()).toBe(6)
    expect((await ids()).slice(0, 2)).toEqual(['3000', '2999'])
    expect((await ids()).length).toBeLessThan(200)
    await page.locator('[data-row]').last().scrollIntoViewIfNeeded()
    await expect.poll(ids).toContain('2900')
    await page.getByRole('button', { name: 'id', exact: true }).click()
    await expect.poll(async () => (await ids()).slice(0, 2)).toEqual(['1', '2'])
    await page.getByLabel('Filter the records').fill('status:failed')
    await expect.poll(ids).toEqual(['8', '1008', '2008'])
    await page.locator('[data-row]', { hasText: '1008' }).click()
    await page.locator('.drawer-delete', { hasText: 'along' }).waitFor()
    await page.getByLabel(/^passed_sla/).selectOption('true')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').filter({ hasText: 'Saved ' }).waitFor()

    expect(requested.filter((path) => path.endsWith('/records/pipeline_runs'))).toEqual([])
    expect(own.complaints).toEqual([])
  })

  it('opens a fixture, saves it beside the copied test, and leaves a world that is gone', async () => {
    const { page, url, understudy } = all.panel
    understudy.worlds.create('second')
    await page.goto(`${url}/#/overview?world=second`)
    await page.reload()
    await page.getByRole('button', { name: 'World second' }).click()
    await page.getByLabel('Open a fixture').setInputFiles({
      name: 'mine.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"pipelines":[{"name":"only"}]}'),
    })
    await page.getByText('Opened mine.json.').waitFor()
    await page.getByRole('link', { name: 'only' }).first().waitFor()
    expect(understudy.world('second').model.pipelines.count()).toBe(1)
    understudy.worlds.delete('second')
    await page.getByRole('button', { name: 'World main' }).waitFor()
    await page.getByRole('button', { name: /^Recorder/ }).click()

    await expect
      .poll(() => page.getByRole('button', { name: /^Save / }).allInnerTexts())
      .toEqual(['Save start.json', 'Save opened-1.json'])
    const test = await page.getByRole('dialog').locator('pre').innerText()
    expect(test).toContain("await understudy.world('second').import(read('opened-1.json'))")
  })

  it('finds records by what one types, and does what one chooses, showing its call before', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/overview`)
    await page.locator('.summary').waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Find or do' })
    await field.fill('crm')
    await page.getByRole('option', { name: /^CRM sync, crm_sync/ }).click()
    await page.getByRole('heading', { name: 'CRM sync' }).waitFor()
    await page.getByRole('button', { name: 'Find or do' }).click()
    await field.fill('next create')

    expect(await page.getByRole('dialog').getByRole('option').first().innerText()).toMatch(
      /^Fail the next create\n.*disk_full.*\nawait understudy\.faults\.add\(\{ operation: 'createPipeline'/,
    )
    expect(await flawsOf(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain("faults.add({\n  operation: 'createPipeline'")
    const before = understudy.faults.list().length
    await page.keyboard.press('Enter')
    await expect.poll(() => understudy.faults.list().length).toBe(before + 1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    understudy.faults.remove(understudy.faults.list().at(-1)!.id)
    await page.keyboard.press('Control+k')
    await field.fill('no such thing')
    await page.getByText('No results for “no such thing”.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('changes a record in a form, and shows flaws that the server found at their field', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/records/pipeline_runs/178`)
    await page.getByLabel('execution_date').fill('21.11.2026')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.flaw').waitFor()

    expect(await page.locator('.flaw').innerText()).toMatch(/^expected .+; found "21\.11\.2026"$/)
    await page.getByRole('button', { name: 'Revert' }).click()
    await page.getByLabel(/^passed_sla/).selectOption('true')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => understudy.model.pipeline_runs.findFirst((q) => q.where({ id: 178 }))?.passed_sla)
      .toBe(true)
    expect(await page.locator('.drawer-delete').innerText()).toContain('takes 10 logs along')
  })
})
