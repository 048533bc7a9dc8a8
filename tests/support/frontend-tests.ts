import { afterAll, beforeAll, expect, it } from 'vitest'
import { flawsOf } from './axe.ts'
import type { OpenFrontend } from './frontend.ts'

/** Deviations of a real server, and the tests to run. */
export interface Otherwise {
  /** Limit of a run with its consequences, in milliseconds. */
  readonly runTakes?: number
  readonly wrongPassword?: string
  readonly unknownPipeline?: RegExp
  /** Texts of a backfill that is started, and of one that is cancelled. */
  readonly started?: RegExp
  /** Text of a pipeline with a completed run in the list. */
  readonly lastListed?: RegExp
  /** Text of the second block. */
  readonly coupled?: string
  /** The content of a block, which a server that runs it must understand. */
  readonly contentOf?: (name: string, type: string) => string
  /** True to examine the pages with axe-core and by keys: they are the same on whatever the app runs on. */
  readonly checksAccessibility?: boolean
}

/** The tests of the example app: the same on whatever it runs on. */
export function testFrontend(
  open: () => Promise<OpenFrontend>,
  {
    runTakes = 5_000,
    wrongPassword = '404 record_not_found',
    unknownPipeline = /No pipeline has the uuid "nowhere"/,
    started = /^(?:initial|running)/,
    lastListed = /completed/,
    coupled = 'couple cars transformer, python not executed, after fetch_tracks',
    contentOf = (name) => `# ${name}\n`,
    checksAccessibility = false,
  }: Otherwise = {},
) {
  let app: OpenFrontend

  let credentials: Readonly<Record<string, string>> = {}

  /** Asks the API from the page, with a session of the tests' own. */
  const callApi = (method: string, path: string, body?: object) =>
    app.page.evaluate(
      async ([method, path, headers, body]) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        const response = await fetch(`api${path}`, { method, headers, ...sent })
        const reply = await response.json()
        if (reply.error) throw new Error(`${method} ${path}: ${JSON.stringify(reply.error).slice(0, 300)}`)
        return reply
      },
      [method, path, { ...credentials, 'content-type': 'application/json' }, body] as const,
    )
  const namesOfBackfills = async (): Promise<string[]> =>
    (await callApi('GET', '/backfills?pipeline_uuid=night_train')).backfills.map(
      ({ name }: { name: string }) => name,
    )
  const go = (hash: string) => app.page.goto(`${app.url}#${hash}`)
  const rows = (list: string) => app.page.getByRole('list', { name: list, exact: true }).getByRole('listitem')
  const row = (list: string, text: string) => rows(list).filter({ hasText: text })
  const button = (name: string) => app.page.getByRole('button', { name, exact: true })
  const heading = (name: string) => app.page.getByRole('heading', { name, exact: true })

  async function signIn({ password = app.signIn.password } = {}) {
    const { page } = app
    await page.getByLabel('Email').fill(app.signIn.email)
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('API key').fill(app.signIn.apiKey)
    await button('Sign in').click()
  }

  /** Records that the app cannot create: pipelines with blocks and triggers, and backfills. */
  async function arrange() {
    const { apiKey, ...session } = app.signIn
    credentials = { 'x-api-key': apiKey }
    const raw: string = (await callApi('POST', '/sessions', { session })).session.token
    const { token } = JSON.parse(Buffer.from(raw.split('.')[1]!, 'base64url').toString())
    credentials = { 'x-api-key': apiKey, 'oauth-token': token }
    await callApi('POST', '/pipelines', { pipeline: { name: 'night bus', type: 'python' } })
    await callApi('POST', '/pipelines/night_bus/pipeline_schedules', {
      pipeline_schedule: {
        name: 'hourly',
        schedule_type: 'time',
        schedule_interval: '@hourly',
        status: 'active',
      },
    })
    await callApi('POST', '/pipelines', { pipeline: { name: 'night train', type: 'python' } })
    const block = (name: string, type: string, upstream_blocks: string[]) =>
      callApi('POST', '/pipelines/night_train/blocks', {
        block: { name, type, language: 'python', upstream_blocks, content: contentOf(name, type) },
      })
    await block('fetch tracks', 'data_loader', [])
    await block('couple cars', 'transformer', ['fetch_tracks'])
    await callApi('POST', '/pipelines/night_train/pipeline_schedules', {
      pipeline_schedule: { name: 'by hand', schedule_type: 'api' },
    })
    await callApi('PUT', `/pipeline_schedules/${(await trigger()).id}`, {
      pipeline_schedule: { status: 'active' },
    })
    for (const number of [1, 2, 3, 4, 5, 6])
      await callApi('POST', '/pipelines/night_train/backfills', { backfill: { name: `old week ${number}` } })
  }
  const trigger = async () =>
    (await callApi('GET', '/pipelines/night_train/pipeline_schedules')).pipeline_schedules[0] as {
      id: number
    }

  beforeAll(async () => {
    app = await open()
    await heading('Good evening').waitFor()
    await arrange()
  })

  afterAll(async () => app?.close())

  it('shows the error of a wrong password, and signs in with the right one', async () => {
    await signIn({ password: 'not this' })
    await expect.poll(() => app.page.getByRole('alert').innerText()).toContain(wrongPassword)
    await signIn()
    await heading('Pipelines').waitFor()
    await row('Pipelines', 'night train').waitFor()
  })

  it('lists pipelines with their status and when they run next', async () => {
    await go('/')
    await expect.poll(() => row('Pipelines', 'night bus').innerText()).toMatch(/next in \d+ (?:min|s)/)
    expect(await row('Pipelines', 'night train').innerText()).toMatch(/never ran\s+nothing planned$/)
  })

  it('draws the blocks of a pipeline, each right of what it depends on, and shows what is in one', async () => {
    await go('/')
    await app.page.getByRole('link', { name: 'night train' }).click()
    await heading('night train').waitFor()
    const place = async (name: string) => (await app.page.getByRole('button', { name }).boundingBox())!
    const [before, after] = [await place('fetch tracks data loader'), await place('couple cars transformer')]
    expect(before.x + before.width).toBeLessThan(after.x)
    await app.page.getByRole('button', { name: coupled, exact: true }).click()
    await expect.poll(() => app.page.getByLabel('Block couple_cars').innerText()).toContain('# couple cars')
  })

  it('triggers a pipeline, and watches the run and its log to the end', {
    timeout: 3 * runTakes + 20_000,
  }, async () => {
    const { page } = app
    await go('/pipelines/night_train')
    await button('Trigger now: by hand').click()
    const status = page.getByRole('status', { name: 'Status of the run' })
    await expect.poll(() => status.innerText(), { timeout: 20_000 }).toMatch(/^(?:running|initial)\s+Started/)
    expect(await page.locator('dl').innerText()).toMatch(/started_by\s/)
    await app.pass('6s')
    await expect
      .poll(() => status.innerText(), { timeout: 2 * runTakes })
      .toMatch(/^completed\s+Started .+, over /)
    await expect.poll(() => rows('Log files').count()).toBeGreaterThanOrEqual(1)
    const number = Number(/\d+$/.exec(await page.getByRole('heading', { name: /^Run \d+$/ }).innerText()))
    await page.getByRole('link', { name: 'night_train' }).click()
    await expect.poll(() => row('Last runs', `Run ${number}`).innerText()).toMatch(/completed/)
    await go('/')
    await expect
      .poll(() => row('Pipelines', 'night train').innerText(), { timeout: 20_000 })
      .toMatch(lastListed)
  })

  it('follows the log while Follow is checked', { timeout: 2 * runTakes + 20_000 }, async () => {
    await go('/pipelines/night_train/logs')
    await expect.poll(() => rows('Log files').count()).toBeGreaterThan(0)
    const before = await rows('Log files').count()
    const { id, token } = (await trigger()) as { id: number; token?: string }
    await callApi('POST', `/pipeline_schedules/${id}/pipeline_runs/${token}`, {})
    await app.pass('6s')

    await expect.poll(() => rows('Log files').count(), { timeout: runTakes + 5_000 }).toBeGreaterThan(before)
    expect(await app.page.getByLabel('Follow').isChecked()).toBe(true)
  })

  it('pages through backfills', async () => {
    const { page } = app
    await go('/backfills')
    await expect.poll(() => rows('Backfills').count()).toBe(5)
    const first = await rows('Backfills').allInnerTexts()
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => page.getByText('Page 2').count()).toBe(1)
    await expect
      .poll(async () => (await rows('Backfills').allInnerTexts()).some((text) => first.includes(text)))
      .toBe(false)
    await page.getByRole('link', { name: 'Previous' }).click()
    await expect.poll(() => rows('Backfills').allInnerTexts()).toEqual(first)
  })

  it('creates a backfill, changes it, starts it, cancels it, and deletes it', async () => {
    const { page } = app
    await go('/backfills')
    await button('New backfill').click()
    await page.getByLabel('Name').fill('timetable')
    await page.getByLabel('Pipeline').selectOption('night_train')
    await page.getByLabel('From').fill('2026-01-01T00:00')
    await page.getByLabel('To', { exact: false }).last().fill('2026-01-02T00:00')
    await button('Create').click()
    await page.getByText('Created “timetable”').waitFor()
    await findBackfill('timetable')
    await expect
      .poll(() => row('Backfills', 'timetable').innerText())
      .toMatch(/1 Jan, 00:00 to 2 Jan, 00:00, every day\s+not started/)

    await button('Edit timetable').click()
    await page.getByLabel('Name').fill('winter timetable')
    await button('Save').click()
    await button('Start winter timetable').click()
    await button('Cancel winter timetable').waitFor()
    expect(await row('Backfills', 'winter timetable').locator('.row-status').innerText()).toMatch(started)
    await button('Cancel winter timetable').click()
    await expect.poll(() => row('Backfills', 'winter timetable').innerText()).toMatch(/cancelled/)

    await button('Delete winter timetable').click()
    await button('Delete').click()
    await expect.poll(() => row('Backfills', 'winter timetable').count()).toBe(0)
    await expect.poll(namesOfBackfills).not.toContain('winter timetable')
  })

  /** Goes to the page of the backfills that has one of a name. */
  async function findBackfill(name: string) {
    const next = app.page.getByRole('link', { name: 'Next' })
    const isShown = async () => (await row('Backfills', name).count()) > 0
    const waitForRows = async () => {
      await rows('Backfills').first().waitFor()
      await expect.poll(() => app.page.locator('[aria-busy=true]').count()).toBe(0)
    }
    await waitForRows()
    // A new record may appear on an earlier page, so the pages are read again.
    for (let attempt = 1; !(await isShown()) && attempt < 50; attempt++) {
      if ((await next.count()) > 0) await next.click()
      else await go('/backfills')
      await waitForRows()
    }
  }

  it('restores a backfill that the server did not delete, shows the reason, and deletes it on retry', async () => {
    const { page } = app
    const error = { code: 500, type: 'disk_full', message: 'No space.' }
    await go('/backfills')
    await findBackfill('old week 3')
    await app.failOnce({ operation: 'deleteBackfill', error })
    await button('Delete old week 3').click()
    await button('Delete').click()
    const toast = page.getByRole('alert')
    await expect
      .poll(() => toast.innerText())
      .toMatch(/The backfill was not deleted\s+No space\. 500 disk_full/)
    await row('Backfills', 'old week 3').waitFor()
    expect(await namesOfBackfills()).toContain('old week 3')

    await toast.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => row('Backfills', 'old week 3').count()).toBe(0)
    await expect.poll(() => toast.count()).toBe(0)
    await expect.poll(namesOfBackfills).not.toContain('old week 3')
  })

  it('retries a request that a proxy answered', async () => {
    const { page } = app
    const isSignInNeeded = page.waitForResponse((response) => response.url().endsWith('?_limit=1'))
    await button('Sign out').click()
    await isSignInNeeded
    const wasApplied = await app.failOnce({ operation: 'listPipelines', badGateway: true })
    await signIn()
    await row('Pipelines', 'night train').waitFor()

    expect(await wasApplied()).toBe(true)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('shows the error of an unknown pipeline', async () => {
    await go('/pipelines/nowhere')
    await expect
      .poll(() => app.page.getByRole('alert').innerText(), { timeout: 20_000 })
      .toMatch(unknownPipeline)
    await app.page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  if (checksAccessibility) {
    it('supports the keyboard: a dialog opens, keeps the focus, closes, and returns it', async () => {
      const { page } = app
      await go('/backfills')
      await rows('Backfills').first().waitFor()
      await button('New backfill').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New backfill' }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New backfill')
    })

    it.each([
      ['pipelines', '/', 'Pipelines'],
      ['a pipeline', '/pipelines/night_train', 'night train'],
      ['logs', '/pipelines/night_train/logs', 'Logs'],
      ['backfills', '/backfills', 'Backfills'],
      ['nothing', '/nowhere', 'Nothing is here'],
    ])(
      'shows %s without a flaw that axe-core knows, wide and light, narrow and dark',
      async (name, hash, title) => {
        await go(hash)
        await heading(title).waitFor()
        await app.page.waitForFunction(() => document.querySelector('.waiting') === null)
        if (name === 'a pipeline') await app.page.getByRole('button', { name: /^fetch tracks/ }).click()
        expect(await checkView()).toEqual([])
      },
    )

    it('shows a dialog and a toast without a flaw that axe-core knows, wide and light, narrow and dark', async () => {
      await go('/backfills')
      await findBackfill('old week 4')
      await app.failOnce({
        operation: 'deleteBackfill',
        error: { code: 500, type: 'disk_full', message: 'No space.' },
      })
      await button('Delete old week 4').click()
      await button('Delete').click()
      await app.page.getByRole('alert').waitFor()
      expect(await checkView()).toEqual([])
      await app.page.getByRole('alert').getByRole('button', { name: 'Close the message' }).click()
      await button('New backfill').click()
      expect(await checkView()).toEqual([])
      await app.page.keyboard.press('Escape')
    })
  }

  it('ends a session whose token is invalid', async () => {
    await go('/')
    await heading('Pipelines').waitFor()
    await app.page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('night-shift.session')!)
      sessionStorage.setItem('night-shift.session', JSON.stringify({ ...session, token: 'of-yesterday' }))
    })
    await app.page.reload()
    await heading('Good evening').waitFor()
    if (checksAccessibility) expect(await checkView()).toEqual([])
    await signIn()
    await heading('Pipelines').waitFor()
    await button('Sign out').click()
    await heading('Good evening').waitFor()
  })

  it('causes no errors on the console', () => {
    expect(app.complaints).toEqual([])
  })

  /** Returns the violations that axe-core finds in two layouts. */
  async function checkView(): Promise<string[]> {
    const found: string[] = []
    for (const [form, width, colorScheme] of [
      ['wide', 1180, 'light'],
      ['narrow', 360, 'dark'],
    ] as const) {
      await app.page.setViewportSize({ width, height: 860 })
      await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      found.push(...(await flawsOf(app.page)).map((flaw) => `${form}: ${flaw}`))
      const isTooWide = await app.page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      if (isTooWide) found.push(`${form}: the page is wider than the screen`)
    }
    await app.page.setViewportSize({ width: 1180, height: 900 })
    await app.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    return found
  }
}
