import { setupWorker } from 'msw/browser'
import { mountPanel } from '../../panel/src/index.ts'
import { createAdmin } from '../../src/admin/index.ts'
import { demo } from '../../src/fixtures/index.ts'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy } from '../../src/index.ts'
import { scenarios } from '../../src/scenarios/index.ts'
import { indexedDbStorage } from '../../src/storage/indexed-db.ts'

declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): void
}

// Mock Service Worker hands its script to the browser as a text, which Trusted Types forbid: this one text is allowed.
trustedTypes.createPolicy('default', {
  createScriptURL(url) {
    if (new URL(url, location.href).pathname === '/page/mockServiceWorker.js') return url
    throw new TypeError(`No script may come from ${url}.`)
  },
})

const violations: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  violations.push(`${violatedDirective} ${blockedURI}`)
})

/** An app that signs in, starts a run and polls it each second by timers of the page. */
async function pollEachSecond(): Promise<void> {
  const understudy = createUnderstudy({
    auth: 'login',
    clock: 'system',
    fixture: {
      api_keys: ['let-me-in'],
      users: [{ email: 'mira@example.com', password: 'lantern' }],
      pipelines: [{ name: 'sales' }],
      pipeline_schedules: [{ pipeline_uuid: 'sales', token: 'start-it' }],
    },
  })
  const worker = setupWorker(...createHandlers(understudy))
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
  const headers: Record<string, string> = { 'x-api-key': 'let-me-in', 'content-type': 'application/json' }
  const send = async (method: string, path: string, json?: unknown) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    return (await fetch(`/api/${path}`, { method, headers, ...body })).json()
  }
  const { session } = await send('POST', 'sessions', {
    session: { email: 'mira@example.com', password: 'lantern' },
  })
  headers.authorization = `Bearer ${session.token}`
  await send('POST', 'pipeline_schedules/1/pipeline_runs/start-it', {})
  const poll = setInterval(async () => {
    const { pipeline_runs } = await send('GET', 'pipeline_runs')
    seen.push(pipeline_runs[0].status)
    if (pipeline_runs[0].status === 'completed') clearInterval(poll)
  }, 1_000)
}

/** Runs the other features of a page: stored state, records, a scenario, an import, the panel, the admin API. */
async function useEverything(): Promise<object> {
  const understudy = createUnderstudy({ fixture: demo, scenarios, storage: indexedDbStorage('strict') })
  await understudy.ready
  await understudy.scenarios.start('everything-fails-tonight')
  await understudy.factories.pipeline.with('withRuns').create({ name: 'mine' })
  understudy.faults.add({ operation: 'listPipelines', times: 1, error: { code: 500 } })
  understudy.clock.advance('1h')
  const code = (await (await understudy.fetch('/api/pipelines')).json()).error.code as number
  const { unmount } = mountPanel(understudy)
  const root = document.body.lastElementChild!.shadowRoot!
  const views: string[] = []
  root.querySelector('button')!.click()
  await new Promise(requestAnimationFrame)
  for (const link of root.querySelectorAll<HTMLElement>('nav ul a')) {
    link.click()
    await new Promise(requestAnimationFrame)
    views.push(link.textContent)
  }
  unmount()
  const worlds = { method: 'GET', path: '/__understudy__/api/worlds', query: new URLSearchParams() }
  const visitor = { headers: { host: 'localhost' }, remoteAddress: '127.0.0.1', body: undefined }
  const { status } = await createAdmin(understudy).answer({ ...worlds, ...visitor })
  understudy.import(understudy.export())
  const found = understudy.model.pipelines.findMany((q) => q.where({ name: 'mine' })).length
  await understudy.close()
  return { code, found, views, status }
}

const seen: string[] = []
const whatWasSeen = async () => ({ seen, violations })

/** Libraries probe for permissions: they catch the error, but the browser reports it. */
async function makeCodeOfText(): Promise<string> {
  try {
    return typeof new Function('return 1')
  } catch (error) {
    return (error as Error).name
  }
}

/**
 * Calls a function in a task of the page. In tasks of the test's tools, the browser compiles text to code despite the
 * policy.
 */
function inOwnTask<Result>(run: () => Promise<Result>): () => Promise<Result> {
  return async () => {
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port2.onmessage = resolve
      port1.postMessage('')
    })
    return run()
  }
}

Object.assign(window, {
  makeCodeOfText: inOwnTask(makeCodeOfText),
  pollEachSecond: inOwnTask(pollEachSecond),
  useEverything: inOwnTask(useEverything),
  whatWasSeen,
})
