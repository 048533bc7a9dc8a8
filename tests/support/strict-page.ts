import { setupWorker } from 'msw/browser'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy } from '../../src/index.ts'

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

const seen: string[] = []
const whatWasSeen = async () => ({ seen, violations })

Object.assign(window, { pollEachSecond, whatWasSeen })
