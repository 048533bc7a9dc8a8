import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it as itInParts } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { mageAi0979 } from '../../src/profiles/index.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { harEnd, harStart, toHarEntry } from '../../src/traffic/write-har.ts'
import { badClients, goodClients, runClient } from '../../tests/support/clients.ts'
import { everyNth, wholly } from '../../tests/support/depth.ts'
import { onList, reaches } from '../mutants/changes.ts'
import { breakServer, type FaultyServer } from '../mutants/define-mutant.ts'
import { mockTraffic, realTraffic } from './recorded-traffic.ts'
import { folder, runVerify } from './run-verify.ts'
import { findingsIn } from './traffic-findings.ts'

const it = wholly(itInParts)

it.each(['open', 'login'] as const)('finds nothing in the recording of the real %s server', async (mode) => {
  const { failed, counts } = await findingsIn(await realTraffic(mode), mageAi0979)

  expect(failed).toEqual([])
  expect(counts.checked).toBe(counts.read)
  expect(counts.followed).toBeGreaterThan(counts.read / 2)
})

itInParts.each([1, 3, 8])('finds nothing in recordings of the mock with %d clients', async (clients) => {
  for (const seed of everyNth(3, [1, 2, 3, 4, 5, 6])) {
    for (const profile of [undefined, mageAi0979]) {
      const traffic = await mockTraffic({ clients, seed, requests: 200, ...(profile && { profile }) })
      const { failed, counts } = await findingsIn(traffic, profile)

      expect(failed).toEqual([])
      expect(counts.followed).toBeGreaterThan(clients === 1 ? 150 : 20)
    }
  }
})

async function harOf(exchanges: readonly RecordedExchange[], name = 'traffic.har'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'understudy-')), name)
  const entries = exchanges.map((exchange) => JSON.stringify(toHarEntry(exchange)))
  await writeFile(path, `${harStart()}${entries.join(',\n')}${harEnd}`)
  return path
}

const lastLine = (out: string) => out.trimEnd().split('\n').at(-1)

it('passes traffic of a correct server, and reports on the last line how much of it was checked', async () => {
  const { code, out, err } = await runVerify([await harOf(await mockTraffic({ requests: 40 }))])

  expect(err).toBe('')
  expect(code).toBe(0)
  expect(out).toMatch(/^PASSED/)
  expect(lastLine(out)).toMatch(/^40 of 40 exchanges checked, \d+ followed by the model, \d+ not \(\d+ /)
})

/** The HAR file of traffic with a server whose replies have a defect. */
async function harOfMutant(reply: NonNullable<FaultyServer['reply']>): Promise<string> {
  return harOf(await mockTraffic({ requests: 60, behind: (mock) => breakServer(mock, { reply }) }))
}

it('fails for a list that lacks a new record, with the rule, the values and the request before it', async () => {
  let reads = 0
  const hidesOnce = onList('listBackfills', (list, { query }) =>
    query.get('pipeline_uuid') === 'standing' && list.length > 0 && ++reads === 1 ? list.slice(1) : list,
  )
  const { code, out } = await runVerify([await harOfMutant(hidesOnce), '--verbose'])

  expect(code).toBe(1)
  expect(out).toMatch(/^FAILED: 1 finding/)
  expect(out).toContain('shows backfill 1 not at all after Create backfill')
  expect(out).toContain('create-backfill/read-back')
  expect(out).toContain('POST /api/pipelines/standing/backfills')
})

it('accepts what the profile explains, and nothing of it without the profile', async () => {
  const file = await harOf(await realTraffic('open'))

  expect((await runVerify([file, '--profile', 'mage-ai-0.9.79'])).code).toBe(0)
  expect((await runVerify([file])).code).toBe(1)
})

it('reports another deviation of a rule that the profile violates', async () => {
  const traffic = (await realTraffic('open')).map((exchange) => {
    const body = exchange.reply?.body?.replace('"next":null', '"next":"no"')
    return exchange.reply === undefined ? exchange : { ...exchange, reply: { ...exchange.reply, body } }
  })
  const { failed } = await findingsIn(traffic, mageAi0979)

  expect(failed).toEqual([expect.stringContaining('list-metadata/pipelines: Read pipelines: next is "no"')])
})

it('reports another deviation after many known ones of the same rule and operation', async () => {
  const list = (await realTraffic('open')).find(({ reply }) => reply?.body?.includes('"next":null'))!
  const traffic = Array.from({ length: 150 }, (_, index) => {
    const body = index < 149 ? list.reply?.body : list.reply?.body?.replace('"next":null', '"next":"no"')
    return { ...list, startedAt: list.startedAt + index, reply: { ...list.reply!, body } }
  })
  const { failed } = await findingsIn(traffic, mageAi0979)

  expect(failed).toEqual([expect.stringContaining('list-metadata/pipelines: Read pipelines: next is "no"')])
})

it('merges recordings of several clients by time', async () => {
  const traffic = await mockTraffic({ clients: 3, requests: 90 })
  const files = await Promise.all(
    [0, 1, 2].map((client) =>
      harOf(
        traffic.filter((each) => each.client === `client ${client}`),
        `${client}.har`,
      ),
    ),
  )
  const { code, out } = await runVerify(files)

  expect(code).toBe(0)
  expect(lastLine(out)).toMatch(/^90 of 90 exchanges checked/)
})

it('finds nothing in the journal of a mock, which hides credentials', async () => {
  const understudy = createUnderstudy({
    auth: 'login',
    fixture: {
      users: [{ id: 1, username: 'mira', email: 'mira@example.com', password: 'lantern' }],
      api_keys: ['good-key'],
      oauth_access_tokens: [
        { token: 'first-token', user_id: 1, expires: '+30s' },
        { token: 'second-token', user_id: 1, expires: '+9d' },
      ],
      pipelines: [{ name: 'sales', blocks: [{ name: 'load', type: 'data_loader' }] }],
    },
  })
  const headers = { 'x-api-key': 'good-key', 'content-type': 'application/json' }
  const first = { ...headers, 'oauth-token': 'first-token' }
  const get = (path: string, given: Record<string, string>) => understudy.fetch(path, { headers: given })
  await get('/api/oauth_access_tokens', first)
  await get('/api/pipelines/sales', first)
  await get('/api/pipelines/sales', { ...first, 'x-api-key': 'bad-key' })
  await understudy.fetch('/api/pipelines/sales/blocks/load', {
    method: 'PUT',
    headers: first,
    body: '{"block":{"content":"load()"}}',
  })
  await get('/api/pipelines/sales', first)
  understudy.clock.advance('40s')
  await get('/api/pipelines/sales', first)
  const file = join(await folder(), 'journal.har')
  await writeFile(file, JSON.stringify(await understudy.journal.har()))
  const { code, out } = await runVerify([file])

  expect(out).toMatch(/^PASSED/)
  expect(code).toBe(0)
  expect(lastLine(out)).toMatch(/^6 of 6 exchanges checked, /)
})

it('finds nothing about blocks that belong to two pipelines', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }, { name: 'costs' }] } })
  const create = (name: string, upstream_blocks: readonly string[]) =>
    understudy.fetch('/api/pipelines/costs/blocks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        block: { name, type: 'custom', pipelines: ['sales', 'costs'], upstream_blocks },
      }),
    })
  await create('load', [])
  for (const uuid of ['sales', 'costs']) await understudy.fetch(`/api/pipelines/${uuid}/blocks/load`)
  await create('clean', ['load'])
  for (const uuid of ['sales', 'costs']) await understudy.fetch(`/api/pipelines/${uuid}/blocks/load`)
  const file = join(await folder(), 'journal.har')
  await writeFile(file, JSON.stringify(await understudy.journal.har()))

  expect((await runVerify([file])).out).toMatch(/^PASSED/)
})

it('finds nothing about a block that is created again after its deletion', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  const headers = { 'content-type': 'application/json' }
  const body = '{"block":{"name":"load all","type":"custom"}}'
  const create = () => understudy.fetch('/api/pipelines/sales/blocks', { method: 'POST', headers, body })
  const read = () => understudy.fetch('/api/pipelines/sales')
  await create()
  await read()
  await understudy.fetch('/api/pipelines/sales/blocks/load_all?block_type=custom', { method: 'DELETE' })
  await read()
  await create()
  await create()
  await read()
  const file = join(await folder(), 'journal.har')
  await writeFile(file, JSON.stringify(await understudy.journal.har()))

  expect((await runVerify([file])).out).toMatch(/^PASSED/)
})

it('accepts that a token expires between two requests', async () => {
  const [pattern] = await mockTraffic({ requests: 1 })
  if (pattern?.reply === undefined) throw new Error('The recording is empty.')
  const { request, reply } = pattern
  const list: RecordedExchange = {
    ...pattern,
    request: { ...request, method: 'GET', url: 'http://mock.invalid/api/pipelines', body: undefined },
    reply: { ...reply, body: '{"pipelines":[],"metadata":{"count":0,"next":false}}' },
  }
  const refused = (message: string): RecordedExchange => ({
    ...list,
    reply: {
      ...reply,
      body: JSON.stringify({ error: { code: 401, type: 'invalid_token', message }, status: 200 }),
    },
  })

  expect((await runVerify([await harOf([list, refused('The token has expired.')])])).code).toBe(0)
  expect((await runVerify([await harOf([list, refused('Unknown token.')])])).code).toBe(1)
})

const elsewhere = (exchange: RecordedExchange): RecordedExchange => ({
  ...exchange,
  request: { ...exchange.request, url: exchange.request.url.replace('/api/', '/v1/') },
})

it('ignores and counts other paths', async () => {
  const traffic = await mockTraffic({ requests: 40 })
  const { code, out } = await runVerify([await harOf([...traffic, ...traffic.slice(0, 5).map(elsewhere)])])

  expect(code).toBe(0)
  expect(lastLine(out)).toMatch(
    /^40 of 45 exchanges checked.*; 5 not checked \(5 of other hosts and paths\)$/,
  )
})

it('never passes a file of which nothing could be checked', async () => {
  const traffic = await mockTraffic({ requests: 10 })
  const noBody = traffic.map((each) => ({ ...each, reply: each.reply && { ...each.reply, body: undefined } }))
  const redirects = noBody.map((each) => ({ ...each, reply: each.reply && { ...each.reply, status: 302 } }))
  for (const exchanges of [[], traffic.map(elsewhere), noBody, redirects]) {
    const { code, out } = await runVerify([await harOf(exchanges)])

    expect(code).toBe(2)
    expect(out).toMatch(/^No rule was checked/)
    expect(lastLine(out)).toMatch(/^0 of \d+ exchanges checked/)
  }
})

it.each([
  ['', 'is not complete JSON'],
  ['{"log":{"version":"1.2"}}', 'log.entries'],
  ['{"openapi":"3.1.0"}', 'log'],
])('refuses %j, which is no HAR file', async (content, reason) => {
  const file = join(await mkdtemp(join(tmpdir(), 'understudy-')), 'broken.har')
  await writeFile(file, content)
  const { code, err } = await runVerify([file])

  expect(code).toBe(2)
  expect(err).toContain('broken.har as a HAR file')
  expect(err).toContain(reason)
})

it.each([
  [['traffic.har', 'http://127.0.0.1:1'], 'Expected HAR files only; found http://127.0.0.1:1.'],
  [['traffic.har', '--plan'], '--plan applies to a server, and not to HAR files.'],
  [['http://127.0.0.1:1', '--profile', 'mage-ai-0.9.79'], '--profile applies to HAR files'],
  [['http://127.0.0.1:1', 'http://127.0.0.1:2'], 'Expected one base URL; found 2 arguments.'],
])('refuses the arguments %j', async (flags, reason) => {
  const { code, err } = await runVerify(flags)

  expect(code).toBe(2)
  expect(err).toContain(reason)
})

it('writes no credentials into a report', async () => {
  let lists = 0
  const error = { code: 401, message: 'Invalid API key.', type: 'invalid_api_key' }
  const file = await harOfMutant((_, passing) =>
    reaches('listBackfills', passing) && ++lists > 2 ? { body: { error, status: 200 } } : undefined,
  )
  const { code, out } = await runVerify([file, '--json'])

  expect(code).toBe(1)
  expect(out).not.toContain('contract-key')
  expect(out).not.toContain('judge-active-token')
})

it('runs every command of its page', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/verify-traffic.md'), 'utf8')
  const commands = [...text.matchAll(/^npx pipeline-understudy verify (.+)$/gm)].map(([, flags = '']) =>
    flags.split(' '),
  )
  const file = await harOf(await mockTraffic({ requests: 40, profile: mageAi0979 }))

  expect(commands.length).toBeGreaterThan(2)
  for (const flags of commands) {
    const { code, err } = await runVerify(flags.map((flag) => (flag.endsWith('.har') ? file : flag)))

    expect(err).toBe('')
    expect(code).toBeLessThan(2)
  }
})

it.each(Object.entries(badClients))('names %s with --client, and no other issue', async (rule, client) => {
  const { traffic } = await runClient(client)
  const { out } = await runVerify([await harOf(traffic), '--client'])
  const [, section = ''] = out.split('Client (does not affect the exit code):')
  const named = [...section.matchAll(/^ {2}([a-z-]+): [A-Z]+ /gm)].map(([, name]) => name)

  expect(named).toEqual([rule])
  expect(section).not.toMatch(/demo-key|demo-token|nightly-token/)
})

it.each(Object.entries(goodClients))('finds nothing wrong with --client: %s', async (_, client) => {
  const { traffic } = await runClient(client)
  const { out } = await runVerify([await harOf(traffic), '--client'])

  expect(out).toContain('The client does nothing wrong.')
})
