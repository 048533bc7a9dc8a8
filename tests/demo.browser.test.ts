import { describe, expect, it, onTestFinished } from 'vitest'
import { isBrowserAtHand } from './support/browser.ts'
import {
  appOf,
  hostForAll,
  inApp,
  newPipeline,
  nightBus,
  notes,
  openTab,
  signIn,
  soon,
} from './support/demo.ts'

describe.runIf(isBrowserAtHand)('the live demo on a static host, under a path and a strict policy', () => {
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

  it('shows in the app what was changed in the panel', async () => {
    const page = await openTab(all.visitor, all.demo.url)
    await signIn(page)
    const row = appOf(page).getByRole('listitem').filter({ hasText: 'daily-revenue' })
    await expect.poll(() => row.innerText(), soon).toContain('running')

    await page.getByRole('button', { name: /^Go there/ }).click()

    await expect.poll(() => row.innerText(), soon).toContain('completed')
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

  it('shows a change in one tab in the other, which goes on when the first is closed', async () => {
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

  it('copies a link that opens the state elsewhere, says that it did, and goes back', async () => {
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
      'This state came with the link: whoever made the link wrote the records, so do not believe what you read in them.',
    ])
    await opened.getByRole('button', { name: 'Back to mine' }).click()
    await expect.poll(() => nightBus(opened).count(), soon).toBe(0)
    expect(await badGateways()).toBe(0)
  })

  it('opens the scenario that a link names', async () => {
    const page = await openTab(all.visitor, `${all.demo.url}#scenario=slow`)

    expect(await notes(page)).toEqual(['The scenario slow was opened by the link.'])
    expect(await inApp(page, async ({ faults }) => (await faults.list()).length)).toBeGreaterThan(0)
  })
})
