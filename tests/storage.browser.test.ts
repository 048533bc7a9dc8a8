import { expect, it } from 'vitest'
import { isBrowserAtHand, openPage } from './support/browser.ts'
import { company } from './support/company.ts'

it.runIf(isBrowserAtHand)('keeps the state of a page in IndexedDB', async () => {
  const page = await openPage('storage-page.ts')
  try {
    const begin = (world: string) => page.call('begin', { fixture: company, world })
    expect(await begin('main')).toEqual({ said: ['begun'], uuids: ['archive', 'daily_sales'] })
    await page.call('createPipeline', { name: 'of main', world: 'main' })
    await page.call('createPipeline', { name: 'of alice', world: 'alice' })
    await page.call('waitUntilKept', '"uuid":"of_alice"')
    expect(await page.call('refusal', { fixture: company })).toBe(
      'STATE_IN_USE: IndexedDB (page) is used by another page. Close that, or choose another name for the state.',
    )

    // The page is gone without a word, as a reload goes.
    await page.reload()
    expect(await begin('alice')).toEqual({
      said: ['loaded 2'],
      uuids: ['archive', 'daily_sales', 'of_alice'],
    })
    await page.call('createPipeline', { name: 'the last', world: 'main' })
    await page.call('close', undefined)

    await page.reload()
    expect(await begin('main')).toEqual({
      said: ['loaded 2'],
      uuids: ['archive', 'daily_sales', 'of_main', 'the_last'],
    })
    await page.call('close', undefined)
    await page.call('damage', undefined)

    await page.reload()
    expect(await begin('main')).toEqual({ said: ['set aside'], uuids: ['archive', 'daily_sales'] })
    await page.call('waitUntilKept', 'understudy-state')
    expect(await page.call('keys', undefined)).toEqual([
      'page',
      expect.stringMatching(/^page\.damaged-20\d\d-/),
    ])
  } finally {
    await page.close()
  }
})
