import { setupServer } from 'msw/node'
import { createUnderstudy, type Fixture } from 'pipeline-understudy'
import { isErrorEnvelope, type OperationReply } from 'pipeline-understudy/api'
import { assumptions } from 'pipeline-understudy/assumptions'
import { createClient } from 'pipeline-understudy/client'
import { type CheckResult, checkTarget } from 'pipeline-understudy/contract'
import { createApp } from 'pipeline-understudy/express'
import { demo } from 'pipeline-understudy/fixtures'
import { withUnderstudy } from 'pipeline-understudy/jest-preset'
import { understudyMatchers } from 'pipeline-understudy/matchers'
import 'pipeline-understudy/matchers/jest'
import 'pipeline-understudy/matchers/vitest'
import { createHandlers } from 'pipeline-understudy/msw'
import { createListener, serve } from 'pipeline-understudy/node'
import { buildDocument } from 'pipeline-understudy/openapi'
import { mountPanel } from 'pipeline-understudy/panel'
import { understudyFixtures } from 'pipeline-understudy/playwright'
import { mageAi0979 } from 'pipeline-understudy/profiles'
import { scenarios } from 'pipeline-understudy/scenarios'
import { createStorage } from 'pipeline-understudy/storage'
import { fileStorage } from 'pipeline-understudy/storage/file'
import { indexedDbStorage } from 'pipeline-understudy/storage/indexed-db'
import { understudyStories } from 'pipeline-understudy/storybook'
import 'pipeline-understudy/storybook/manager'
import { test } from 'pipeline-understudy/vitest'
import { expect } from 'vitest'

const fixture: Fixture = { ...demo, clock: '2026-03-01T09:00:00Z' }
const understudy = createUnderstudy({
  fixture,
  scenarios,
  profile: mageAi0979,
  storage: fileStorage('state.json'),
})

export const server = setupServer(...createHandlers(understudy, { unknown: 'pass' }))
export const app = createApp(understudy, { admin: true })
export const listener = createListener(understudy, { pages: 'beside' })
export const serving: Promise<string> = serve(understudy, { port: 0 }).then(({ url }) => url)
export const panel = () => mountPanel(understudy)
export const places = [indexedDbStorage('understudy'), createStorage]
export const checked: Promise<CheckResult> = checkTarget({ target: 'http://127.0.0.1:6789' })
export const document = buildDocument()
export const storybookStories = understudyStories({ scenarios }).worldOf('list--one')
export const jest = withUnderstudy({ preset: 'ts-jest' })
export const fixtures = understudyFixtures({ url: 'http://127.0.0.1:6789' })
export const choices: string[] = Object.keys(assumptions)
export const names: string[] = Object.keys(understudyMatchers)
export const requests: Promise<number> = createClient('http://127.0.0.1:6789')
  .journal.entries()
  .then((entries) => entries.length)
export const count = (body: OperationReply<'listBackfills'>): number =>
  isErrorEnvelope(body) ? 0 : body.metadata.count

expect(understudy).toHaveReceived('listPipelines')
export const extended = test.extend({ time: async ({ understudy: own }, use) => use(own.clock.now()) })
