import { describe } from 'vitest'
import { isBrowserAvailable } from './support/browser.ts'
import { openOnServiceWorker } from './support/frontend.ts'
import { testFrontend } from './support/frontend-tests.ts'

describe.runIf(isBrowserAvailable)('the example app on the service worker, with no server at all', () => {
  testFrontend(openOnServiceWorker, { checksAccessibility: true })
})
