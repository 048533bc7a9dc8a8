import { describe } from 'vitest'
import { isBrowserAvailable } from './support/browser.ts'
import { openOnServe } from './support/frontend.ts'
import { testFrontend } from './support/frontend-tests.ts'

describe.runIf(isBrowserAvailable)(
  'the example app on pipeline-understudy serve, through the proxy of Vite',
  () => {
    testFrontend(openOnServe)
  },
)
