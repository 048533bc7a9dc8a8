import { setupServer } from 'msw/node'
import { createUnderstudy, type Fixture } from 'pipeline-understudy'
import { createApp } from 'pipeline-understudy/express'
import { createHandlers } from 'pipeline-understudy/msw'
import 'pipeline-understudy/matchers/vitest'
import { expect } from 'vitest'

const fixture: Fixture = { pipelines: [{ name: 'sales' }] }
const understudy = createUnderstudy({ fixture })
export const handlers = createHandlers(understudy)
export const server = setupServer(...createHandlers(understudy))
export const app = createApp(understudy)
expect(understudy).toHaveReceived('listPipelines')
