import { exampleFixture } from '../../fixtures/example-fixture.ts'

export interface PlannedFile {
  /** From the project's folder, with slashes. */
  readonly path: string
  readonly text: string
}

export interface TemplateOptions {
  /** The ending of the project's own files. */
  readonly code: 'ts' | 'js'
  /** The folder of the sources, and in it that of the texts. */
  readonly sources: string
  readonly mocks: string
  readonly ending: '' | '.js'
  readonly jsonAttribute: '' | ` with { type: 'json' }`
  /** From the folder of the texts to the root of the project, with a slash at its end. */
  readonly toRoot: string
  /** The name of msw's option for requests without a handler. */
  readonly unhandled: 'onUnhandledRequest' | 'onUnhandledFrame'
}

export const fixtureName = 'pipelines.fixture.json'

/** A small start state: one pipeline, its schedule with a token that the test knows, and a backfill. */
export function fixtureText({ toRoot }: TemplateOptions): string {
  const { $schema: _, ...records } = exampleFixture
  const [schedule] = exampleFixture.pipeline_schedules
  const fixture = {
    $schema: `${toRoot}node_modules/pipeline-understudy/fixtures/fixture.schema.json`,
    ...records,
    pipeline_schedules: [{ ...schedule, token: 'let-me-in' }],
  }
  return `${JSON.stringify(fixture, null, 2)}\n`
}

export function handlersText({ jsonAttribute, code }: TemplateOptions): string {
  return `import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import fixture from './${fixtureName}'${jsonAttribute}

/** Creates the mock of the API and its handlers. Tests freeze the clock; pages and servers use the system clock. */
export function createMock(clock${code === 'ts' ? `: 'frozen' | 'system'` : ''}) {
  const understudy = createUnderstudy({ fixture, clock })
  return { understudy, handlers: createHandlers(understudy, { unknown: 'pass' }) }
}
`
}

export function browserText({ ending, unhandled, code }: TemplateOptions): string {
  const promise = code === 'ts' ? ': Promise<void>' : ''
  return `import { setupWorker } from 'msw/browser'
import { mountPanel } from 'pipeline-understudy/panel'
import { createMock } from './handlers${ending}'

let started${code === 'ts' ? ': Promise<void> | undefined' : ''}

/** Starts the mock in this page, with the panel in its corner. Await it before the first request. */
export function startMocking()${promise} {
  started ??= start()
  return started
}

async function start()${promise} {
  const { understudy, handlers } = createMock('system')
  await setupWorker(...handlers).start({ ${unhandled}: 'bypass' })
  mountPanel(understudy)
}
`
}

export function serverText({ ending }: TemplateOptions): string {
  return `import { setupServer } from 'msw/node'
import { createMock } from './handlers${ending}'

/** Answers requests from Node. */
export const server = setupServer(...createMock('system').handlers)
`
}

/** Next.js calls `register` when its server starts. It mocks the requests of server components and actions. */
export function instrumentationText({ code, unhandled }: TemplateOptions, mocks: string): string {
  return `export async function register()${code === 'ts' ? ': Promise<void>' : ''} {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.UNDERSTUDY !== 'on') return
  const { server } = await import('${mocks}/server')
  server.listen({ ${unhandled}: 'bypass' })
}
`
}

/** SvelteKit calls `init` in a page before it renders. */
export function svelteHooksText({ ending }: TemplateOptions): string {
  return `import { dev } from '$app/environment'

export async function init() {
  if (!dev) return
  const { startMocking } = await import('./mocks/browser${ending}')
  await startMocking()
}
`
}

/** Nuxt sends each request below `/api` to this route, from pages and from the server. */
export function nuxtRouteText(fixturePath: string): string {
  return `import { createUnderstudy } from 'pipeline-understudy'
import fixture from '${fixturePath}'

const understudy = createUnderstudy({ fixture, clock: 'system' })

export default defineEventHandler((event) => {
  if (!import.meta.dev) throw createError({ statusCode: 404 })
  return understudy.fetch(toWebRequest(event))
})
`
}

/** The tests for vitest and jest. */
function testsText({ unhandled }: TemplateOptions, parameters: string): string {
  return `const ask = async (${parameters}) => (await fetch(\`http://localhost/api/\${path}\`, init)).json()

beforeAll(() => server.listen({ ${unhandled}: 'error' }))
afterEach(() => understudy.reset())
afterAll(() => server.close())

it('completes a triggered run', async () => {
  const triggered = await ask('pipeline_schedules/1/pipeline_runs/let-me-in', { method: 'POST' })
  expect(triggered).toMatchObject({ pipeline_run: { status: 'running' } })

  understudy.clock.advance('5s')
  expect(await ask('pipeline_runs?_limit=1')).toMatchObject({ pipeline_runs: [{ status: 'completed' }] })
})

it('reports errors in replies with the HTTP status 200', async () => {
  expect(await ask('pipelines/nowhere')).toMatchObject({ error: { code: 404 } })
})
`
}

export function vitestText(options: TemplateOptions): string {
  const parameters = options.code === 'ts' ? 'path: string, init?: RequestInit' : 'path, init'
  return `import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createMock } from './handlers${options.ending}'

const { understudy, handlers } = createMock('frozen')
const server = setupServer(...handlers)
${testsText(options, parameters)}`
}

/** The imports and the mock of a test without `handlers`: in a module of its own, whatever the project compiles to. */
const ownMockText = `import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'

const fixture = JSON.parse(readFileSync(new URL('./${fixtureName}', import.meta.url), 'utf8'))
const understudy = createUnderstudy({ fixture })
const server = setupServer(...createHandlers(understudy))`

/** In a module of its own kind, which jest takes as it is: neither Babel nor ts-jest has a part in it. */
export function jestText(options: TemplateOptions): string {
  return `/** @jest-environment node */
import { readFileSync } from 'node:fs'
${ownMockText}
${testsText(options, 'path, init')}`
}

export function nodeTestText({ unhandled }: TemplateOptions): string {
  return `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, it } from 'node:test'
${ownMockText}
const ask = async (path, init) => (await fetch(\`http://localhost/api/\${path}\`, init)).json()

before(() => server.listen({ ${unhandled}: 'error' }))
afterEach(() => understudy.reset())
after(() => server.close())

it('completes a triggered run', async () => {
  const { pipeline_run } = await ask('pipeline_schedules/1/pipeline_runs/let-me-in', { method: 'POST' })
  assert.equal(pipeline_run.status, 'running')

  understudy.clock.advance('5s')
  const { pipeline_runs } = await ask('pipeline_runs?_limit=1')
  assert.equal(pipeline_runs[0].status, 'completed')
})

it('reports errors in replies with the HTTP status 200', async () => {
  const { error } = await ask('pipelines/nowhere')
  assert.equal(error.code, 404)
})
`
}

/** Without a server: the understudy in the test process answers the requests of the page. */
export function playwrightText(): string {
  return `import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { createUnderstudy } from 'pipeline-understudy'

const fixture = JSON.parse(readFileSync(new URL('./${fixtureName}', import.meta.url), 'utf8'))

test('completes a triggered run', async ({ page }) => {
  const understudy = createUnderstudy({ fixture })
  await page.route('**/api/**', async (route) => {
    const asked = route.request()
    const init = { method: asked.method(), headers: asked.headers(), body: asked.postData() }
    const reply = await understudy.fetch(asked.url(), init)
    await route.fulfill({ status: reply.status, contentType: 'application/json', body: await reply.text() })
  })
  // Your application's address goes here.
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>' }))
  await page.goto('http://localhost/')
  const ask = (path, init) =>
    page.evaluate(async ([path, init]) => (await fetch(\`/api/\${path}\`, init)).json(), [path, init])

  const triggered = await ask('pipeline_schedules/1/pipeline_runs/let-me-in', { method: 'POST' })
  expect(triggered).toMatchObject({ pipeline_run: { status: 'running' } })
  understudy.clock.advance('5s')
  expect(await ask('pipeline_runs?_limit=1')).toMatchObject({ pipeline_runs: [{ status: 'completed' }] })
})
`
}
