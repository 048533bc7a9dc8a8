import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { isObject } from '../../src/shared/values.ts'
import type { UsageMap } from '../../src/traffic/usage-map.ts'
import { usageOf } from '../../src/traffic/usage-of.ts'
import { exitCodeOf } from '../reports/report.ts'
import { checkTarget } from '../runner/check-target.ts'
import { createTarget, toListener } from '../targets/built-in.ts'
import { markUnused, readUsage } from '../traffic/usage.ts'
import { listen } from './listen.ts'
import { folder, runVerify } from './run-verify.ts'

/** A server whose reply to the creation of a backfill has another name. */
function renamingServer() {
  const understudy = createTarget()
  return {
    async fetch(request: Request) {
      const isCreation = request.method === 'POST' && request.url.includes('/backfills')
      const reply = await understudy.fetch(request)
      const body: unknown = isCreation ? await reply.json() : undefined
      if (!isObject(body) || !isObject(body.backfill)) return isCreation ? Response.json(body) : reply
      return Response.json({ backfill: { ...body.backfill, name: 'another' } })
    },
  }
}

/** The journal of a consumer, as a HAR file. */
async function consumer(
  requests: readonly (readonly [method: string, path: string, body?: object])[],
): Promise<string> {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  for (const [method, path, body] of requests) {
    const text = body === undefined ? null : JSON.stringify(body)
    await understudy.fetch(
      new Request(`http://localhost${path}`, {
        method,
        body: text,
        headers: { 'content-type': 'application/json' },
      }),
    )
  }
  const path = join(await folder(), 'consumer.har')
  await writeFile(path, JSON.stringify(await understudy.journal.har()))
  return path
}

const reads = () => consumer([['GET', '/api/backfills?pipeline_uuid=sales']])
const creates = () =>
  consumer([['POST', '/api/pipelines/sales/backfills', { backfill: { name: 'last week' } }]])

/** The findings about the faulty server, found once for all consumers. */
const checked = checkTarget({ target: renamingServer(), only: ['create-backfill/values'], bail: true })
/** The exit code for consumers, whose files these are. */
const exitCodeFor = async (...files: readonly string[]) => {
  const findings = markUnused((await checked).findings, await readUsage(files))
  return exitCodeOf({ findings, strict: [], gone: [] })
}

it('counts a deviation that one of several consumers uses', async () => {
  expect(await exitCodeFor(await creates())).toBe(1)
  expect(await exitCodeFor(await reads())).toBe(0)
  expect(await exitCodeFor(await reads(), await creates())).toBe(1)
})

it('lists a deviation that no consumer uses, by the command and the usage map of the page', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/verify-for-consumers.md'), 'utf8')
  const [, flag = ''] = /^npx pipeline-understudy verify \S+ (--\S+) \S+\.json \S+\.har$/m.exec(page) ?? []
  const [, map = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? []
  const place = await folder()
  const report = join(place, 'report.json')
  const mapPath = join(place, 'usage.json')
  await writeFile(mapPath, map)
  const { code, out } = await runVerify([
    await listen(toListener(renamingServer().fetch)),
    '--only',
    'create-backfill/values',
    '--sequences',
    '0',
    '--no-shrink',
    flag,
    await reads(),
    mapPath,
    '--report',
    `json=${report}`,
    `html=${report}.html`,
    `markdown=${report}.md`,
  ])
  const { usage } = JSON.parse(await readFile(report, 'utf8')) as {
    usage: { operation: string; requests: number; used: string[] }[]
  }

  expect(code).toBe(0)
  expect(out).toContain('listBackfills: 2 requests; unused: ')
  expect(out).toContain('createBackfill: unused')
  expect(out).toContain('Unused, not counted: Create backfill: name is "another"')
  expect(usage.find(({ operation }) => operation === 'listBackfills')).toMatchObject({
    requests: 2,
    used: expect.arrayContaining(['pipeline_uuid']),
  })
  for (const text of ['createBackfill: unused', 'Unused, not counted: Create backfill']) {
    expect(await readFile(`${report}.html`, 'utf8')).toContain(text)
    expect(await readFile(`${report}.md`, 'utf8')).toContain(text)
  }
})

it('counts a wrong filter for a consumer that sends its parameter and reads no such attribute', async () => {
  const understudy = createTarget()
  const hidesFirst = {
    async fetch(request: Request) {
      const reply = await understudy.fetch(request)
      if (request.method !== 'GET' || !/\/backfills\?pipeline_uuid=[^&]+$/.test(request.url)) return reply
      const body: unknown = await reply.json()
      if (!isObject(body) || !Array.isArray(body.backfills)) return Response.json(body)
      return Response.json({ ...body, backfills: body.backfills.slice(1) })
    },
  }
  const only = ['list-backfills/complete']
  const { findings } = await checkTarget({ target: hidesFirst, only, bail: true })
  const codeWith = (parameters: readonly string[]) => {
    const use = { requests: 1, parameters, sent: [], received: ['id'], errors: [] }
    return exitCodeOf({ findings: markUnused(findings, { listBackfills: use }), strict: [], gone: [] })
  }

  expect(codeWith(['pipeline_uuid'])).toBe(1)
  expect(codeWith([])).toBe(0)
})

const backfills: UsageMap = {
  createBackfill: { requests: 1, parameters: [], sent: [], received: ['id'], errors: [] },
}

it('reads a usage map, in which a team can leave out the attributes that its code does not read', async () => {
  const path = join(await folder(), 'usage.json')
  await writeFile(path, JSON.stringify(backfills))

  expect(await exitCodeFor(path)).toBe(0)
  await writeFile(
    path,
    JSON.stringify({ createBackfill: { ...backfills.createBackfill, received: ['id', 'name'] } }),
  )
  expect(await exitCodeFor(path)).toBe(1)
})

it('collects parameters, attributes and errors from the journal', async () => {
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  await understudy.fetch(new Request('http://localhost/api/pipelines/sales?include_schedules=1'))
  await understudy.fetch(new Request('http://localhost/api/pipelines/no_such_pipeline'))
  await understudy.fetch(new Request('http://localhost/other'))
  const usage = await usageOf(understudy)
  const { readPipeline } = usage

  expect(Object.keys(usage)).toEqual(['readPipeline'])
  expect(readPipeline).toMatchObject({
    requests: 2,
    parameters: ['include_schedules'],
    sent: [],
    errors: [404],
  })
  expect(readPipeline?.received).toContain('uuid')
})

it.each([
  ['an unknown file', async () => '/no/such/usage.json', 'for --used-by: the file does not exist.'],
  ['traffic of another API', () => consumer([['GET', '/other']]), 'found no operation'],
])('refuses %s before it sends anything', async (_, make, reason) => {
  const { code, err } = await runVerify(['http://127.0.0.1:1', '--used-by', await make()])

  expect(code).toBe(2)
  expect(err).toContain(reason)
})
