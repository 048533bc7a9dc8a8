import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { flawsInForms } from './support/axe.ts'
import { isBrowserAvailable } from './support/browser.ts'
import {
  appOf,
  hostDemo,
  hostForAll,
  inApp,
  newPipeline,
  nightBus,
  notes,
  openTab,
  runDemo,
  signIn,
  soon,
} from './support/demo.ts'
import { pack } from './support/pack.ts'

describe.runIf(isBrowserAvailable)('the live demo on a static host, under a path and a strict policy', () => {
  const all = hostForAll()

  it('shows the app and the panel of what it does, and breaks no policy', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)

    await expect
      .poll(() => appOf(page).getByRole('listitem').filter({ hasText: 'daily-revenue' }).count())
      .toBe(1)
    await page.getByRole('link', { name: /^Requests/ }).click()
    await expect
      .poll(() => page.locator('.request-row').allInnerTexts())
      .toContainEqual(expect.stringMatching(/200\s+HTTP 200\s+createSession/))
    expect(all.demo.complaints).toEqual([])
  })

  it('is after a reload as it was, with the app where it was', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)
    await newPipeline(page)
    await appOf(page).getByRole('link', { name: 'Backfills' }).click()
    await appOf(page).getByRole('heading', { name: 'Backfills' }).waitFor()

    await page.reload()

    await appOf(page).getByRole('heading', { name: 'Backfills' }).waitFor()
    await appOf(page).getByRole('link', { name: 'Pipelines' }).click()
    await expect.poll(() => nightBus(page).count(), soon).toBe(1)
  })

  it('passes axe-core in the light, dark and narrow layouts', async () => {
    const page = await openTab(all.visitor, `${all.demo.url}#scenario=flaky`)
    const found = await flawsInForms(page, async (form) => {
      // The app is examined without the panel.
      if (form === 'narrow') await page.getByRole('button', { name: 'Panel', exact: true }).click()
    })

    expect(found).toEqual([])
  })

  it('shows in the app what was changed in the panel', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)
    const row = appOf(page).getByRole('listitem').filter({ hasText: 'daily-revenue' })
    await expect.poll(() => row.innerText(), soon).toContain('running')

    await page.getByRole('button', { name: /^Go there/ }).click()

    await expect.poll(() => row.innerText(), soon).toContain('completed')
  })

  it('shows changes of one tab in another, which continues when the first closes', async () => {
    const first = await openTab(all.visitor, all.demo.url)
    const second = await openTab(all.visitor, all.demo.url)
    await signIn(second)

    await newPipeline(first)
    await expect.poll(() => nightBus(second).count(), soon).toBe(1)
    await first.close()
    await inApp(second, (understudy) =>
      understudy.model.pipelines.deleteMany((q) => q.where({ name: 'night bus' })),
    )
    await expect.poll(() => nightBus(second).count(), soon).toBe(0)
    expect(await notes(second)).toEqual([])
  })

  it('copies a link that opens the state elsewhere, message that it did, and goes back', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await newPipeline(page)
    await inApp(page, (understudy) =>
      understudy.faults.add({ operation: 'deleteBackfill', badGateway: true }),
    )
    await page.getByRole('button', { name: 'Copy link to this state' }).click()
    await expect.poll(() => notes(page)).toEqual([expect.stringMatching(/^Copied a link of \d+ characters/)])
    const link: string = await page.evaluate(() => navigator.clipboard.readText())
    const other = await all.demo.visit()
    onTestFinished(() => other.close())

    const opened = await openTab(other, link)
    await signIn(opened)

    await expect.poll(() => nightBus(opened).count(), soon).toBe(1)
    const badGateways = () =>
      inApp(opened, async ({ faults }) => (await faults.list()).filter((one) => 'badGateway' in one).length)
    expect(await badGateways()).toBe(1)
    expect(opened.url()).toBe(`${all.demo.url}`)
    expect(await notes(opened)).toEqual([
      'This state came from the link. The author of the link wrote its records, so do not trust their content.',
    ])
    await opened.getByRole('button', { name: 'Restore my state' }).click()
    await expect.poll(() => nightBus(opened).count(), soon).toBe(0)
    expect(await badGateways()).toBe(0)
  })

  it('opens the scenario that a link names', async () => {
    const page = await openTab(all.visitor, `${all.demo.url}#scenario=slow`)

    expect(await notes(page)).toEqual(['The scenario slow was opened by the link.'])
    expect(await inApp(page, async ({ faults }) => (await faults.list()).length)).toBeGreaterThan(0)
  })

  it('refuses a link with a broken record, and changes nothing', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await newPipeline(page)

    await page.goto(
      `${all.demo.url}#state=${pack({ description: 'x', fixture: { pipelines: [{ uuid: 7 }] } })}`,
    )

    await expect
      .poll(() => notes(page))
      .toEqual([expect.stringMatching(/ is broken at \$\.fixture\.pipelines\[0\].* Nothing was changed\.$/)])
    expect(await inApp(page, ({ model }) => model.pipelines.count({ name: 'night bus' }))).toBe(1)
    expect(page.url()).toBe(all.demo.url)
  })

  it('shows markup that a link brings as the text it is', async () => {
    const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const clock = { advance: '1s' }
    const fixture = await readFile(join(import.meta.dirname, '../fixtures/demo.json'), 'utf8')
    const records = JSON.parse(fixture) as { pipelines: { name: string }[] }
    records.pipelines[0]!.name = name

    const page = await openTab(
      all.visitor,
      `${all.demo.url}#state=${pack({ description: name, fixture: records, clock })}`,
    )
    await signIn(page)

    await expect.poll(() => appOf(page).getByText(name).count()).toBeGreaterThan(0)
    expect(await page.title()).toBe('Night Shift, on an understudy')
    expect(all.demo.complaints).toEqual([])
  })
})

describe.runIf(isBrowserAvailable)('the live demo where browsers and hosts differ', () => {
  it('stores its state in one tab without shared workers, and reports so in a second one', async () => {
    const demo = await hostDemo()
    onTestFinished(() => demo.close())
    const visitor = await demo.visit()
    await visitor.addInitScript('delete globalThis.SharedWorker')
    const page = await openTab(visitor, demo.url)
    await newPipeline(page)
    const second = await openTab(visitor, demo.url)
    await expect
      .poll(() => notes(second), { timeout: 20_000 })
      .toEqual([expect.stringMatching(/^Another tab has this demo open/)])
    await second.close()
    await signIn(page)

    await page.reload()

    await expect.poll(() => nightBus(page).count(), soon).toBe(1)
    expect(demo.complaints).toEqual([])
  })

  it('opens without the slash at the end of its address where it was built for that', async () => {
    const demo = await hostDemo('--base', '/night/demo/')
    onTestFinished(() => demo.close())
    const visitor = await demo.visit()

    const page = await openTab(visitor, demo.url.slice(0, -1))
    await signIn(page)

    await expect.poll(() => appOf(page).getByRole('listitem').count(), soon).toBe(10)
    await page.getByRole('link', { name: /^Requests/ }).click()
    await expect.poll(() => page.locator('.request-row').count()).toBeGreaterThan(0)
    expect(page.url()).toBe(`${demo.url.slice(0, -1)}#/requests`)
    expect(demo.complaints).toEqual([])
  })
})

describe.runIf(isBrowserAvailable)('the live demo without its host', () => {
  it('opens once it has been open, with the state', async () => {
    const demo = await hostDemo()
    onTestFinished(() => demo.close())
    const visitor = await demo.visit()
    const page = await openTab(visitor, demo.url)
    await signIn(page)
    await newPipeline(page)
    await page.getByText('Works offline.').waitFor()
    demo.closeHost()
    await page.close()

    const again = await openTab(visitor, demo.url)
    await signIn(again)

    expect(await notes(again)).toEqual([])
    await expect.poll(() => nightBus(again).count(), soon).toBe(1)
    await again.getByRole('link', { name: /^Pipelines/ }).click()
    await again.locator('main').getByRole('link', { name: 'load-forecast' }).first().click()
    // The layout of graphs is loaded with the first graph.
    await again.locator('svg.graph, .graph svg').first().waitFor()
  })
})

describe('pipeline-understudy demo build', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'understudy-demo-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('writes a fixture of one’s own, and the addresses of a base', async () => {
    const fixture = join(folder, 'mine.json')
    await writeFile(fixture, '{"pipelines":[{"uuid":"mine","name":"mine"}]}')

    const output = await runDemo(
      'build',
      '--out',
      join(folder, 'out'),
      '--fixture',
      fixture,
      '--base',
      '/docs/demo/',
    )

    expect(output).toMatch(
      /^Wrote \d+ files, \d+ KB, to .*out\. Any static host serves them at \/docs\/demo\/, by HTTPS or on localhost\.\n$/,
    )
    expect(await readFile(join(folder, 'out/fixture.json'), 'utf8')).toContain('"mine"')
    expect(await readFile(join(folder, 'out/index.html'), 'utf8')).toMatch(
      /<script type="module" src="\/docs\/demo\/shell-/,
    )
  })

  it('replaces a demo with --force, and no other file', async () => {
    const out = join(folder, 'out')
    await runDemo('build', '--out', out)

    expect(await runDemo('build', '--out', out)).toMatch(
      /out is not empty\. Choose another folder, or replace a demo that is there by --force\.\n$/,
    )
    expect(await runDemo('build', '--out', out, '--force')).toMatch(/^Wrote/)
    await writeFile(join(folder, 'diary.txt'), 'dear')
    expect(await runDemo('build', '--out', folder, '--force')).toMatch(/has other things in it than a demo/)
    expect(await readFile(join(folder, 'diary.txt'), 'utf8')).toBe('dear')
  })

  it.each([
    [
      ['--base', 'docs'],
      /^--base: expected a path that begins and ends with a slash, such as \/demo\/; found "docs"\.\n$/,
    ],
    [['--base', '/a"b/'], /^--base: expected a path/],
    [['--fixture', 'dmo'], /^Cannot read the fixture dmo: .* Did you mean/],
  ])('refuses %j with a sentence', async (flags, sentence) => {
    expect(await runDemo('build', '--out', join(folder, 'out'), ...flags)).toMatch(sentence)
  })
})
