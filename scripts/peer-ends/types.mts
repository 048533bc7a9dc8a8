import { test as base } from '@playwright/test'
import { setupServer } from 'msw/node'
import { createUnderstudy, type Fixture } from 'pipeline-understudy'
import { createApp } from 'pipeline-understudy/express'
import { createHandlers } from 'pipeline-understudy/msw'
import { createListener } from 'pipeline-understudy/node'
import { understudyFixtures } from 'pipeline-understudy/playwright'
import { understudy as plugin } from 'pipeline-understudy/vite'
import 'pipeline-understudy/matchers/vitest'
import type { UserConfig } from 'vite'
import { expect } from 'vitest'

const fixture: Fixture = { pipelines: [{ name: 'sales' }] }
const understudy = createUnderstudy({ fixture })
export const handlers = createHandlers(understudy)
export const server = setupServer(...createHandlers(understudy))
export const app = createApp(understudy)
expect(understudy).toHaveReceived('listPipelines')
export const test = base.extend(understudyFixtures())
export const listener = createListener(understudy, { pages: 'beside' })
export const config: UserConfig = { plugins: [plugin({ fixture, panel: true })] }
