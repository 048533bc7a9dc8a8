import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { mageAi0979 } from '../../src/profiles/index.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { compareForms } from '../real-server/compare-forms.ts'

/** Recorded requests of the web UI of a real server, with replies to documented operations. */
interface Pages {
  readonly limits: readonly { readonly at: string; readonly reason: string }[]
  readonly pages: readonly {
    readonly page: string
    readonly steps: readonly {
      readonly method: string
      readonly path: string
      readonly reply?: { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
    }[]
  }[]
}

const fixtures = join(import.meta.dirname, '../../fixtures')
const read = async (file: string) => JSON.parse(await readFile(join(fixtures, file), 'utf8'))
const { pages, limits }: Pages = await read('recorded/mage-ai-0.9.79/pages.json')
const fixture = await read('mage-ui.json')

/** A world like that of the recording: with one finished run. */
async function createWorld() {
  const understudy = createUnderstudy({ profile: mageAi0979, auth: 'open', fixture })
  const schedule = understudy.model.pipeline_schedules.findFirst((query) => query.where({ name: 'by hand' }))!
  await understudy.dispatch({
    method: 'POST',
    url: `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline_run: { variables: { day: 'monday' } } }),
  })
  understudy.clock.advance('1m')
  return async (method: string, url: string) => {
    const reply = await understudy.dispatch({ method, url, headers: {} })
    return {
      status: reply?.status,
      body: JSON.parse(reply?.body ?? '{}') as Readonly<Record<string, unknown>>,
    }
  }
}

/** Returns whether two values have the same type, or one of them is null. */
const isOfOneKind = (real: string, profile: string) => {
  const kind = (form: string) => {
    if (/^-?\d/.test(form)) return 'a number'
    // The recording has other names for tokens.
    if (form.startsWith('"') || form === 'a token') return 'a text'
    return /^(true|false)$/.test(form) ? 'a boolean' : form
  }
  return kind(real) === kind(profile) || [real, profile].includes('null')
}

it.each(pages)('answers the steps of the page "$page" as the real server did', async ({ steps }) => {
  const sendRequest = await createWorld()
  for (const { method, path, reply } of steps) {
    if (reply === undefined) continue
    const { status, body } = await sendRequest(method, path)
    const differences = compareForms(withFirst(reply.body), withFirst(body)).filter(
      ({ at, real, profile }) =>
        !limits.some((limit) => createGlob(limit.at)(at)) && !isOfOneKind(real, profile),
    )

    expect([path, status, differences]).toEqual([path, reply.status, []])
  }
})

/** The first item of every list, because a recording contains no more. */
function withFirst(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withFirst)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withFirst(inner)]))
}

it('answers undocumented requests from the UI fixture, or with an error', async () => {
  const sendRequest = await createWorld()
  const outside = pages.flatMap(({ steps }) => steps.filter(({ reply }) => reply === undefined))
  const missing = new Set<string>()
  for (const { method, path } of outside)
    if ((await sendRequest(method, path)).body.error !== undefined) missing.add(path.split('?')[0]!)

  expect([...missing].sort()).toEqual([
    '/api/client_pages/pipeline_schedule:create',
    '/api/pipelines/daily_sales/pipeline_triggers',
    '/api/pipelines/daily_sales/variables',
  ])
})

it('writes log lines as the UI of the real server reads them: a timestamp and an object', async () => {
  const sendRequest = await createWorld()
  const { body } = await sendRequest('GET', '/api/pipelines/daily_sales/logs')
  const [entry] = body.logs as [{ block_run_logs: { content: string }[] }]
  const [line = ''] = entry.block_run_logs[0]!.content.split('\n')

  expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \{/)
  expect(JSON.parse(line.slice(20))).toMatchObject({ level: 'INFO', pipeline_uuid: 'daily_sales' })
})

it('has no secret and no local path in the recordings of pages and a client', async () => {
  const text = JSON.stringify([pages, await read('recorded/mage-ai-0.9.79/client.json')])

  expect(text).not.toMatch(/api_key=|[0-9a-f]{32}|\/tmp\/|\/root\/|\/home\//)
})

/** Recorded requests of a third-party client to the real server, in order. */
interface RecordedClient {
  readonly limits: Pages['limits']
  readonly steps: readonly {
    readonly method: string
    readonly path: string
    /** The places of the API key. */
    readonly key: readonly ('header' | 'query' | 'body')[]
    /** The owner of the token in the header `Authorization`. */
    readonly bearer?: 'session' | 'schedule'
    readonly body?: Readonly<Record<string, unknown>>
    /** The time that the client had waited. */
    readonly after?: '1m'
    readonly reply: { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  }[]
}

it('answers the steps of a third-party client as the real server did', async () => {
  const client: RecordedClient = await read('recorded/mage-ai-0.9.79/client.json')
  const [key, email, password] = ['a-key', 'admin@admin.com', 'admin']
  const understudy = createUnderstudy({
    profile: mageAi0979,
    auth: 'login',
    fixture: { api_keys: [key], users: [{ email, password }] },
  })
  const sendRequest = async (method: string, url: string, headers: Record<string, string>, body?: object) => {
    const reply = await understudy.dispatch({ method, url, headers, body: body && JSON.stringify(body) })
    return { status: reply?.status, body: JSON.parse(reply?.body ?? '{}') }
  }
  const { session } = (
    await sendRequest('POST', '/api/sessions', { 'x-api-key': key }, { session: { email, password } })
  ).body
  // The token within the signed text, which the client reads.
  const bearers = { session: JSON.parse(atob(session.token.split('.')[1])).token, schedule: '' }
  const differing: unknown[] = []
  for (const { method, path, key: places, bearer, body, after, reply } of client.steps) {
    if (after !== undefined) understudy.clock.advance(after)
    const headers = {
      'content-type': 'application/json',
      ...(places.includes('header') && { 'x-api-key': key }),
      ...(bearer && { authorization: `Bearer ${bearers[bearer]}` }),
    }
    const query = places.includes('query') ? `${path.includes('?') ? '&' : '?'}api_key=${key}` : ''
    const sent = body && { ...body, ...(places.includes('body') && { api_key: key }) }
    const got = await sendRequest(method, path + query, headers, sent)
    bearers.schedule = got.body.pipeline_schedules?.[0]?.token ?? bearers.schedule
    const differences = compareForms(withFirst(reply.body), withFirst(got.body)).filter(
      ({ at, real, profile }) =>
        !client.limits.some((limit) => createGlob(limit.at)(at)) && !isOfOneKind(real, profile),
    )
    if (got.status !== reply.status || differences.length > 0)
      differing.push([method, path, got.status, differences])
  }

  expect(differing).toEqual([])
})
