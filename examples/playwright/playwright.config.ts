import { defineConfig } from '@playwright/test'
import { unpackChromium } from './chromium.js'
import { api, app } from './ports.js'

const origin = `http://127.0.0.1:${app}`

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  use: { baseURL: origin, launchOptions: await unpackChromium() },
  webServer: [
    { command: 'node app/serve.js', url: origin },
    {
      command: `pipeline-understudy serve --port ${api}`,
      url: `http://127.0.0.1:${api}/__understudy__/api/health`,
    },
  ],
})
