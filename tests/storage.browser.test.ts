import { expect, it } from 'vitest'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { company } from './support/company.ts'

it.runIf(isBrowserAvailable)('stores the state of a page in IndexedDB', async () => {
  const { page, call } = await openPage('storage-page.ts')
  const begin = (world: string) => call('begin', { fixture: company, world })
  expect(await begin('main')).toEqual({ events: ['created'], uuids: ['archive', 'daily_sales'] })
  await call('createPipeline', { name: 'of main', world: 'main' })
  await call('createPipeline', { name: 'of alice', world: 'alice' })
  await call('waitUntilStored', '"uuid":"of_alice"')
  expect(await call('refusal', { fixture: company })).toBe(
    'STATE_IN_USE: IndexedDB (page) is used by another page. Close that page, or choose another name for the state.',
  )

  // A reload does not close the understudy.
  await page.reload()
  expect(await begin('alice')).toEqual({
    events: ['loaded 2'],
    uuids: ['archive', 'daily_sales', 'of_alice'],
  })
  await call('createPipeline', { name: 'the last', world: 'main' })
  await call('close', undefined)

  await page.reload()
  expect(await begin('main')).toEqual({
    events: ['loaded 2'],
    uuids: ['archive', 'daily_sales', 'of_main', 'the_last'],
  })
  await call('close', undefined)
  await call('damage', undefined)

  await page.reload()
  expect(await begin('main')).toEqual({ events: ['set aside'], uuids: ['archive', 'daily_sales'] })
  await call('waitUntilStored', 'understudy-state')
  expect(await call('keysOfStates', undefined)).toEqual([
    'page',
    expect.stringMatching(/^page\.damaged-20\d\d-/),
  ])
})
