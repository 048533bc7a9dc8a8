import { describe } from 'vitest'
import { isBrowserAtHand } from './support/browser.ts'
import { openOnServiceWorker } from './support/frontend.ts'
import { testFrontend } from './support/frontend-tests.ts'

describe.runIf(isBrowserAtHand)('the example app on the service worker, with no server at all', () => {
  testFrontend(openOnServiceWorker, { checksAccessibility: true })
})
