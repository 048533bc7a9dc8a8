import { describe, expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { flawsOf } from './support/axe.ts'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { openForAll, openPanel } from './support/panel.ts'
import { serveMock } from './support/serve-mock.ts'

describe.runIf(isBrowserAvailable)('the panel', () => {
  const all = openForAll()

  it('shows how an application reaches the mock, to copy, also in the command dialog', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/requests`)
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    const about = page.locator('.side .about')
    await about.getByRole('button', { name: 'Copy the base URL' }).click()
    await expect.poll(clipboard).toBe(`${url}/api`)
    await about.getByRole('button', { name: 'Copy the API key' }).click()
    await expect.poll(clipboard).toBe(demo.api_keys?.[0])
    expect(await about.getByRole('link', { name: 'API docs' }).getAttribute('href')).toBe(`${url}/docs`)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('base url')
    await page.getByRole('option', { name: /^Copy the base URL/ }).click()
    await expect.poll(clipboard).toBe(`${url}/api`)
  })

  it('shows what the client does wrong, and what differs from a snapshot', async () => {
    const { page, url, understudy, api } = all.panel
    understudy.snapshot('compared')
    await api('POST', '/pipelines/load_forecast/backfills', { backfill: { name: 'new since then' } })
    await api('GET', '/pipelines/undefined')
    await page.goto(`${url}/#/requests`)
    const pane = page.locator('.split-one')
    await pane.getByRole('button', { name: 'Check the client' }).click()
    await pane.getByText('error-as-success').waitFor()
    await pane.getByLabel('Compare with').selectOption('compared')
    await pane.getByRole('button', { name: 'Compare', exact: true }).click()

    await expect
      .poll(() => pane.locator('.diff').allInnerTexts())
      .toEqual([expect.stringMatching(/^\+ backfills \d+ added/)])
    expect(await pane.getByText('GET /api/pipelines/undefined').isVisible()).toBe(true)
    expect(await flawsOf(page)).toEqual([])
  })

  it('takes letters that somebody types before a dialog is there for no shortcuts', async () => {
    const { page, url, understudy } = all.panel
    const time = understudy.clock.now()
    await page.goto(`${url}/#/overview`)
    await page.reload()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nf')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

    expect([understudy.clock.now(), understudy.clock.speed()]).toEqual([time, 0])
  })

  it('returns the focus from a dialog to the button that opened it', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/requests`)
    const button = page.getByRole('button', { name: 'World main' })
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

    await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('shows the query of a request, one stop of the Tab key for the list, and its rows at 200 %', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/requests`)
    await page.getByText('GET /pipelines?_limt=2').waitFor()
    expect(await page.locator('.request-row:not([tabindex])').count()).toBe(1)
    await page.setViewportSize({ width: 640, height: 400 })
    try {
      const list = await page.locator('.split-list .scroll').boundingBox()
      expect(list?.height).toBeGreaterThan(100)
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })

  it('begins each view at its top', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/daily_revenue`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.scrollIntoViewIfNeeded()
    const offset = () => page.locator('main').evaluate((element) => element.scrollTop)
    expect(await offset()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Faults' }).first().click()

    await page.getByRole('heading', { name: 'Inject a fault' }).waitFor()
    expect(await offset()).toBe(0)
  })

  it('lists the shortcuts on ?', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/requests`)
    await page.locator('.request-row').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()

    expect(await flawsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('undoes a move of a running clock, which then runs on from the time before', async () => {
    const own = await openPanel({ fixture: demo, clock: 'system', seed: 7 }, { hash: '#/requests' })
    const { page, understudy } = own
    const minutesAhead = () => Math.round(Math.abs(understudy.clock.now() - Date.now()) / 60_000)
    const runs = understudy.model.pipeline_runs.count()
    await page.getByRole('button', { name: 'Advance by 1 d' }).click()
    await page.getByRole('status').filter({ hasText: 'Clock advanced by 1 d.' }).waitFor()
    expect(minutesAhead()).toBe(24 * 60)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: 'Undone.' }).waitFor()

    expect(minutesAhead()).toBe(0)
    expect(understudy.clock.speed()).toBe(1)
    expect(understudy.model.pipeline_runs.count()).toBe(runs)
  })

  it('goes to the event that is shown as the next, never to a later one', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/requests`)
    await page.getByText('Next, in 20 s').waitFor()
    // The page does not learn that the event has passed.
    await page.route('**/clock/next?*', () => undefined)
    try {
      await understudy.clock.advanceToNext()
      const passed = understudy.clock.now()
      await expect
        .poll(() => page.locator('.clock time').getAttribute('datetime'))
        .toBe(new Date(passed).toISOString())
      await page.keyboard.press('n')
      await page.getByRole('status').filter({ hasText: 'Clock advanced to' }).waitFor()

      expect(understudy.clock.now()).toBe(passed)
    } finally {
      await page.unroute('**/clock/next?*')
    }
  })

  it('has the world in its address, shows how to select it, and keeps world and recorder on a reload', async () => {
    const { page, url, understudy } = all.panel
    understudy.worlds.create('second')
    await page.goto(`${url}/#/requests`)
    await page.reload()
    await page.getByRole('button', { name: 'World main' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^second/ })
      .click()
    await page.getByRole('button', { name: 'World second' }).click()
    await page.getByRole('dialog').getByText('x-understudy-world: second').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Advance by 1 h' }).click()
    await page.getByRole('button', { name: 'Recorder: 1 call, as a test' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/requests?world=second')
    await page.reload()

    await page.getByRole('button', { name: 'World second' }).waitFor()
    await page.getByRole('button', { name: 'Recorder: 1 call, as a test' }).click()
    const recorded = page.getByRole('dialog').locator('pre')
    await recorded.getByText("understudy.world('second').clock.advance('1h')").waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  })

  it('deletes the world that is shown, and shows that another client has deleted one', async () => {
    const { page, url, understudy } = all.panel
    understudy.worlds.create('second')
    await page.goto(`${url}/#/requests?world=second`)
    await page.getByRole('button', { name: 'World second' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'World second deleted.' }).waitFor()
    await page.getByRole('button', { name: 'World main' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)

    understudy.worlds.create('second')
    await page.goto(`${url}/#/requests?world=second`)
    await page.getByRole('button', { name: 'World second' }).waitFor()
    await page.getByText('Next, in').waitFor()
    understudy.worlds.delete('second')
    await page.getByRole('alert').filter({ hasText: 'World second does not exist or was deleted.' }).waitFor()
    await page.getByRole('alert').locator('..').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'World main' }).waitFor()
  })

  it.each([0, 1])(
    'shows since when the server does not respond, with the data from then, and that it restarted after %i requests',
    async (count) => {
      const own = await openPanel({ fixture: demo }, { hash: '#/requests' })
      const { page, url, api } = own
      await page.getByText('No requests yet.').waitFor()
      if (count > 0) await api('GET', '/pipelines')
      await expect.poll(() => page.locator('.request-row').count()).toBe(count)
      await own.closeServer()
      await page.getByRole('alert').filter({ hasText: 'The server has not responded since' }).waitFor()
      expect(await page.locator('.request-row').count()).toBe(count)
      expect(await page.getByRole('button', { name: 'Run' }).first().isDisabled()).toBe(true)
      await serveMock(createUnderstudy({ fixture: demo }), { port: Number(new URL(url).port) })
      await page.getByRole('alert').filter({ hasText: 'The server restarted: its state is new' }).waitFor()
      expect(await page.locator('.request-row').count()).toBe(0)
    },
  )

  it('makes the next delete fail, whatever it deletes, and runs a schedule now, by words that one types', async () => {
    const { page, url, api, understudy } = all.panel
    await page.goto(`${url}/#/overview`)
    const choose = async (text: string, option: string) => {
      await page.getByRole('button', { name: 'Find or do' }).click()
      await page.getByRole('combobox', { name: 'Find or do' }).fill(text)
      await page.getByRole('option', { name: option }).first().click()
    }
    await choose('make the next delete fail', 'Fail the next delete')
    await page.getByRole('status').filter({ hasText: 'Fault added.' }).waitFor()
    expect(await api('DELETE', '/backfills/1')).toContain('"code":500')
    expect(await api('DELETE', '/backfills/1')).not.toContain('"error"')
    const runs = understudy.model.pipeline_runs.count()
    await choose('run a schedule of load_forecast now', 'Trigger every night')
    await page.getByRole('heading', { name: `Run ${runs + 1}` }).waitFor()
  })

  it('injects a fault for one record', async () => {
    const { page, url, api, understudy } = all.panel
    await page.goto(`${url}/#/faults`)
    await page.getByRole('button', { name: /^Fail the next delete/ }).click()
    await page.getByLabel('Resource of the record').selectOption('backfills')
    await page.getByLabel('Key of the record').fill('2')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByRole('status').filter({ hasText: 'Fault added.' }).waitFor()

    expect(understudy.faults.list().at(-1)).toMatchObject({
      method: 'DELETE',
      record: { backfills: 2 },
      times: 1,
    })
    expect(await api('DELETE', '/backfills/1')).not.toContain('"error"')
    expect(await api('DELETE', '/backfills/2')).toContain('"code":500')
  })

  it('shows a message with Undo on a narrow page', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/overview`)
    await page.setViewportSize({ width: 390, height: 844 })
    try {
      const before = understudy.clock.now()
      await page.getByRole('button', { name: 'Go there N' }).click()
      await page.locator('.line-message').getByText('Clock advanced to').waitFor()
      const undo = page.getByRole('button', { name: 'Undo' })
      const { x = 0, width = 0 } = (await undo.boundingBox()) ?? {}
      expect(x + width).toBeLessThanOrEqual(390)
      await undo.click()
      await expect.poll(() => understudy.clock.now()).toBe(before)
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })

  it('shows the log of the failing block, and its graph in the selected run', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/daily_revenue/runs/89`)
    const log = page.getByRole('region', { name: 'Log' })
    await log.locator('.code').getByText('ERROR load_invoices failed').waitFor()
    const statusOf = (name: string) => page.locator('.node', { hasText: name }).getAttribute('class')
    await expect.poll(() => statusOf('load invoices')).toBe('node failed')
    expect(await statusOf('load readings')).toBe('node executed')
    await log.getByLabel('Search the log').fill('started')
    await expect.poll(() => log.locator('.code .fail').count()).toBe(0)
    await log.getByRole('button', { name: 'Copy' }).click()
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain('ERROR load_invoices failed')
  })

  it('shows headers of a request, sends it again, and clears the list', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/requests/5`)
    await page.locator('main summary').first().click()
    await page.getByText('content-type', { exact: true }).first().waitFor()
    const before = understudy.model.backfills.count()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('status').filter({ hasText: 'Replayed: HTTP 200.' }).waitFor()
    expect(understudy.model.backfills.count()).toBe(before + 1)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()

    await page.getByText('No requests yet.').waitFor()
    expect(understudy.journal.entries()).toEqual([])
  })

  it('draws a part of many pipelines and worlds, in natural order, and filters them', async () => {
    const pipelines = Array.from({ length: 300 }, (_, index) => ({ name: `pipeline ${index}` }))
    const long = { name: 'a name without an end '.repeat(9).trim() }
    const own = await openPanel({ fixture: { pipelines: [...pipelines, long] } }, { hash: '#/overview' })
    const { page, url, understudy } = own
    for (const count of [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) understudy.worlds.create(`world-${count}`)
    const worlds = page.getByRole('region', { name: 'Worlds' }).locator('li b')
    await expect
      .poll(() => worlds.allInnerTexts())
      .toEqual(['main', 'world-1', 'world-2', 'world-3', 'world-4'])
    const widthOf = async (place: string) => (await page.locator(place).boundingBox())?.width
    expect(await widthOf('section:has(> .pipelines)')).toBe(await widthOf('.pipelines'))
    await page.goto(`${url}/#/pipelines`)
    const names = page.locator('.pipelines tbody a')
    await names.nth(59).waitFor()
    expect((await names.allInnerTexts()).slice(2, 5)).toEqual(['pipeline 1', 'pipeline 2', 'pipeline 3'])
    expect(await names.count()).toBeLessThan(200)
    await page.getByLabel('Filter the pipelines').fill('pipeline 299')
    await expect.poll(() => names.allInnerTexts()).toEqual(['pipeline 299'])
    await page.getByRole('button', { name: 'World main' }).click()
    await page.getByLabel('Filter the worlds').fill('10')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^world-10/ })
      .click()
    await page.getByRole('button', { name: 'World world-10' }).waitFor()
  })

  it('lays the graph out downwards on a narrow screen, within its width', async () => {
    const { page, url } = all.panel
    await page.goto(`${url}/#/pipelines/load_forecast`)
    await page.setViewportSize({ width: 390, height: 844 })
    const widthOf = async (place: string) => (await page.locator(place).boundingBox())?.width ?? 0
    try {
      await expect.poll(async () => (await widthOf('.graph')) <= (await widthOf('.graph-place'))).toBe(true)
      const [first, second] = await Promise.all(
        ['features', 'publish forecast'].map((name) =>
          page.locator('.node', { hasText: name }).boundingBox(),
        ),
      )
      expect(second?.y).toBeGreaterThan(first?.y ?? 0)
    } finally {
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  })

  it('names a record, offers what a reference can name, and takes both forms of a timestamp', async () => {
    const { page, url, understudy } = all.panel
    await page.goto(`${url}/#/records/pipeline_schedules/1`)
    const schedule = () => understudy.model.pipeline_schedules.findFirst((q) => q.where({ id: 1 }))
    await page.getByRole('heading', { name: `${schedule()?.name} 1` }).waitFor()
    const reference = page.getByLabel(/^pipeline_uuid/)
    const list = await reference.getAttribute('list')
    await expect.poll(() => page.locator(`#${list} option`).count()).toBe(10)
    await page.goto(`${url}/#/records/pipeline_runs/178`)
    await page.getByLabel(/^execution_date/).fill('2026-01-02T03:04:05Z')
    await page.getByRole('button', { name: 'Save' }).click()

    await expect
      .poll(() => understudy.model.pipeline_runs.findFirst((q) => q.where({ id: 178 }))?.execution_date)
      .toBe('2026-01-02 03:04:05.000000+00:00')
  })

  it('shows the end of a long key, and no other run for one that does not exist', async () => {
    const uuid = `${'a-part-of-a-long-key-'.repeat(4)}END`
    const own = await openPanel({
      fixture: {
        pipelines: [{ uuid }],
        pipeline_schedules: [{ id: 1, pipeline_uuid: uuid }],
        pipeline_runs: [{ id: 7, pipeline_uuid: uuid, pipeline_schedule_id: 1, status: 'completed' }],
      },
    })
    const { page, url } = own
    await page.goto(`${url}/#/records/pipelines/${uuid}`)
    const field = page.getByLabel(/^uuid/)
    await field.waitFor()
    expect(await field.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await page.goto(`${url}/#/records/pipeline_runs/7`)
    await page.getByText(uuid, { exact: true }).last().waitFor()
    await page.goto(`${url}/#/pipelines/${uuid}/runs/8`)
    await page.getByText('There is no run 8 of this pipeline.').waitFor()
    expect(await page.getByRole('heading', { name: /^Run / }).count()).toBe(0)
    await page.getByRole('link', { name: /^Run 7, completed/ }).click()
    await page.getByRole('heading', { name: 'Run 7' }).waitFor()
  })

  it('fits long names of a world and a snapshot in the dialog of a phone', async () => {
    const own = await openPanel({ fixture: {} }, { hash: '#/overview' })
    const { page, url, understudy } = own
    const world = 'w'.repeat(64)
    understudy.world(world).snapshot('s'.repeat(200))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${url}/#/overview?world=${world}`)
    await page.getByRole('link', { name: 'More' }).click()
    await page.getByRole('button', { name: `World ${world}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Restore s/ }).waitFor()

    expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    const rows = dialog.locator('li')
    const heights = await rows.evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
    expect(new Set(heights).size).toBe(1)
  })

  it('fits a phone in the corner of a page', async () => {
    const { page } = await openPage('corner-page.ts')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^understudy, world main/ }).click()
    const box = await page.locator('.sheet-head').getByRole('button', { name: 'Close' }).boundingBox()
    expect(box?.x).toBeGreaterThan(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  })
})
