import { it } from 'vitest'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { company } from './support/company.ts'
import { isThorough } from './support/depth.ts'
import { expectParity, openMemory, type PlayedScript, playAll } from './support/parity.ts'
import { scenes } from './support/parity-script.ts'

/** The longest one, in which nothing is checked, is played by every other adapter, too. */
const some = isThorough ? scenes : scenes.slice(1)

async function playInBrowser(): Promise<PlayedScript> {
  const page = await openPage('parity-page.ts')
  return (await page.call('playScenes', { scenes: some, fixture: company })) as PlayedScript
}

it.runIf(isBrowserAvailable)(
  'answers the script through a service worker in Chromium with the same status, headers and bytes as in memory',
  async () => {
    const inMemory = await playAll('memory', openMemory, some)

    expectParity('a service worker in Chromium', await playInBrowser(), inMemory, some)
  },
)
