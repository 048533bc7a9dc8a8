import { createUnderstudy, type Understudy } from '../../src/index.ts'
import { isObject } from '../../src/shared/values.ts'
import type { ClientRule } from '../../src/traffic/client-lint.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'

type Body = Readonly<Record<string, unknown>>

/** Sends one request, and returns the body of the reply. */
type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Body>

/** The environment of a client. */
interface Environment {
  readonly send: Send
  readonly understudy: Understudy
  /** Passes time. */
  wait(milliseconds: number): void
}

type Client = (environment: Environment) => Promise<unknown>

const member = (body: Body, name: string): Body => (isObject(body[name]) ? body[name] : {})
const key = { 'x-api-key': 'demo-key' }
const credentials = { ...key, 'oauth-token': 'demo-token' }

async function setStatus(understudy: Understudy, status: 'completed' | 'running'): Promise<void> {
  await understudy.model.backfills.update((q) => q.where({ id: 1 }), {
    data(backfill) {
      backfill.status = status
    },
  })
}

/** Clients that do one thing wrong each, by the rule that names it. */
export const badClients: Readonly<Record<ClientRule, Client>> = {
  async 'error-as-success'({ send }) {
    const created = await send('POST', '/api/pipelines', { pipeline: { name: 'daily sales', type: 'no such type' } })
    await send('GET', `/api/pipelines/${member(created, 'pipeline').uuid}`)
  },
  async 'no-new-session'({ send, understudy }) {
    await send('GET', '/api/pipelines')
    await understudy.model.oauth_access_tokens.delete((q) => q.where({ token: 'demo-token' }))
    for (let time = 0; time < 4; time++) await send('GET', '/api/pipelines')
  },
  async 'endless-polling'({ send, understudy, wait }) {
    await setStatus(understudy, 'completed')
    for (let time = 0; time < 10; time++) {
      await send('GET', '/api/backfills?pipeline_uuid=sales')
      wait(1_000)
    }
  },
  async 'first-page-only'({ send, understudy }) {
    for (let number = 0; number < 150; number++) await understudy.factories.backfill.create({ pipeline_uuid: 'sales' })
    await send('GET', '/api/backfills?_limit=20')
  },
  async 'run-on-first-page'({ send, understudy }) {
    await send('POST', '/api/pipeline_schedules/1/pipeline_runs/nightly-token', {})
    for (let number = 0; number < 150; number++) await understudy.factories.pipelineRun.create({ pipeline_uuid: 'sales', pipeline_schedule_id: 1 })
    await send('GET', '/api/pipeline_runs?_limit=20')
  },
  async 'sent-twice'({ send, wait }) {
    await send('POST', '/api/pipelines/sales/backfills', { backfill: { name: 'last week' } })
    wait(80)
    await send('POST', '/api/pipelines/sales/backfills', { backfill: { name: 'last week' } })
  },
  async 'unknown-part'({ send }) {
    await send('GET', '/api/backfills?pipeline=sales')
  },
  async 'trigger-token'({ send }) {
    await send('POST', '/api/pipeline_schedules/1/pipeline_runs/nightly-token', {})
    await send('GET', '/api/pipelines', undefined, { ...key, 'oauth-token': 'nightly-token' })
  },
  async 'credentials-in-url'({ send }) {
    await send('GET', '/api/pipelines?api_key=demo-key', undefined, { 'oauth-token': 'demo-token' })
  },
  async 'misspelt-header'({ send }) {
    await send('GET', '/api/pipelines', undefined, { x_api_key: 'demo-key', 'oauth-token': 'demo-token' })
  },
} // biome-ignore format: a table

/** Clients that do nothing wrong. */
export const goodClients: Readonly<Record<string, Client>> = {
  async 'a form that creates and updates'({ send, wait }) {
    const created = await send('POST', '/api/pipelines/sales/backfills', { backfill: { name: 'last week' } })
    if (created.error !== undefined) throw new Error('It cannot be created.')
    const { id } = member(created, 'backfill')
    wait(3_000)
    await send('PUT', `/api/pipelines/sales/backfills/${id}`, { backfill: { name: 'this week' } })
    await send('GET', '/api/backfills?pipeline_uuid=sales')
    await send('DELETE', `/api/backfills/${id}`)
    await send('POST', '/api/pipelines', { pipeline: { name: 'daily sales', type: 'no such type' } })
    await send('GET', '/api/pipelines')
  },
  async 'a page that reads every page and waits for the end'({ send, understudy, wait }) {
    for (let number = 0; number < 150; number++) await understudy.factories.backfill.create({ pipeline_uuid: 'sales' })
    for (let offset = 0, next: unknown = true; next === true; ) {
      const page = await send('GET', `/api/backfills?_limit=50&_offset=${offset}`)
      offset += Array.isArray(page.backfills) ? page.backfills.length : 0
      next = member(page, 'metadata').next
    }
    await setStatus(understudy, 'running')
    for (let time = 0; time < 12; time++) {
      await send('GET', '/api/backfills?pipeline_uuid=sales&_limit=1')
      wait(1_000)
    }
  },
  async 'a script that waits long, with growing pauses'({ send, understudy, wait }) {
    await setStatus(understudy, 'running')
    for (let time = 0; time < 40; time++) {
      await send('GET', '/api/backfills?pipeline_uuid=sales&_limit=1')
      wait(Math.min(30_000, 1_000 * 1.5 ** time))
    }
    await setStatus(understudy, 'completed')
    await send('GET', '/api/backfills?pipeline_uuid=sales&_limit=1')
  },
  async 'a page that sends several requests at once, and sends a record back as it was read'({ send, understudy }) {
    const { backfills } = await send('GET', '/api/backfills')
    const [backfill] = Array.isArray(backfills) ? backfills : []
    await send('PUT', '/api/pipelines/sales/backfills/1', { backfill: { ...backfill, name: 'this week' } })
    await understudy.model.oauth_access_tokens.delete((q) => q.where({ token: 'demo-token' }))
    const paths = ['pipelines', 'backfills', 'oauth_access_tokens', 'pipelines/sales']
    await Promise.all(paths.map((path) => send('GET', `/api/${path}`)))
    await send('POST', '/api/sessions', { session: { email: 'demo@example.com', password: 'demo-password' } }, key)
  },
  async 'a script that signs in again and triggers'({ send, understudy, wait }) {
    await send('GET', '/api/pipelines')
    await understudy.model.oauth_access_tokens.delete((q) => q.where({ token: 'demo-token' }))
    await send('GET', '/api/pipelines')
    const opened = await send('POST', '/api/sessions', { session: { email: 'demo@example.com', password: 'demo-password' } }, key)
    const renewed = { ...key, cookie: `oauth_token=${member(opened, 'session').token}` }
    await send('GET', '/api/pipelines', undefined, renewed)
    const triggered = await send('POST', '/api/pipeline_schedules/1/pipeline_runs/nightly-token', { day: 1 }, renewed)
    await send('GET', `/api/pipeline_runs/${member(triggered, 'pipeline_run').id}`, undefined, renewed)
    wait(60_000)
    await send('POST', '/api/pipeline_schedules/1/pipeline_runs/nightly-token', { day: 1 }, renewed)
  },
} // biome-ignore format: a table

/** Runs a client against a mock of its own; returns the mock, and the traffic as a proxy would record it. */
export async function runClient(
  client: Client,
): Promise<{ understudy: Understudy; traffic: RecordedExchange[] }> {
  let now = Date.UTC(2026, 0, 1)
  const understudy = createUnderstudy({
    auth: 'login',
    clock: { now: () => now },
    fixture: {
      users: [{ id: 1, username: 'demo', email: 'demo@example.com', password: 'demo-password' }],
      api_keys: ['demo-key'],
      oauth_access_tokens: [{ token: 'demo-token', expires: '+9d', user_id: 1 }],
      pipelines: [{ name: 'sales' }],
      pipeline_schedules: [
        { id: 1, name: 'nightly', pipeline_uuid: 'sales', token: 'nightly-token', status: 'active' },
      ],
      backfills: [{ id: 1, name: 'first', pipeline_uuid: 'sales' }],
    },
  })
  const traffic: RecordedExchange[] = []
  const send: Send = async (method, path, body, headers = credentials) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) }
    const startedAt = now
    const reply = await understudy.fetch(
      new Request(`http://mock.invalid${path}`, { method, headers: sent, body: text ?? null }),
    )
    const received = await reply.text()
    traffic.push({
      source: 'test',
      world: undefined,
      position: traffic.length + 1,
      client: 'test',
      startedAt,
      milliseconds: 1,
      isOrdered: false,
      request: { method, url: `http://mock.invalid${path}`, headers: sent, body: text },
      reply: { status: reply.status, headers: Object.fromEntries(reply.headers), body: received },
    })
    now += 5
    const parsed: unknown = JSON.parse(received)
    return isObject(parsed) ? parsed : {}
  }
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  await client({ send, understudy, wait })
  return { understudy, traffic }
}
