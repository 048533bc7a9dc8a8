import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { unpackChromium } from './chromium.js'

const { launchOptions, remove } = await unpackChromium()
process.on('exit', remove)

export default defineConfig({
  test: {
    include: ['src/*.test.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
