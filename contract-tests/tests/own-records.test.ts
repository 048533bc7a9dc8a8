import { expect } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { isThorough, thoroughly, wholly } from '../../tests/support/depth.ts'
import { onBody } from '../mutants/changes.ts'
import { breakServer, type Json } from '../mutants/define-mutant.ts'
import { checkTarget } from '../runner/check-target.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { verify } from '../verify/index.ts'
import { it as itInParts } from './it.ts'
import { runVerify } from './run-verify.ts'

const it = wholly(itInParts)

const recordsOfSomebody = [
  [
    'schedule',
    'createPipelineSchedule',
    (body: Json) => ({ pipeline_schedule: { ...(body.pipeline_schedule as Json), id: 1 } }),
  ],
  ['backfill', 'createBackfill', (body: Json) => ({ backfill: { ...(body.backfill as Json), id: 1 } })],
  [
    'pipeline by its uuid',
    'createPipeline',
    (body: Json) => ({ pipeline: { ...(body.pipeline as Json), uuid: 'standing' } }),
  ],
] as const

itInParts.for(isThorough ? recordsOfSomebody : recordsOfSomebody.slice(0, 1))(
  'never deletes or changes the %s of another client that a create returns',
  async ([_, operation, change]) => {
    const understudy = createTarget()
    const foreign = await understudy.fetch(
      new Request('http://x/api/pipelines/standing/backfills', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ backfill: { name: 'theirs' } }),
      }),
    )
    const { backfill } = (await foreign.json()) as { backfill: Json }
    const schedule = JSON.stringify(understudy.model.pipeline_schedules.findFirst((q) => q.where({ id: 1 })))
    const isCreation = operation === 'createPipelineSchedule'
    const wrong = breakServer(answering(understudy), {
      reply: isCreation
        ? (reply, { method, path }) =>
            method === 'POST' && path.endsWith('/pipeline_schedules')
              ? { body: change(reply.body as Json) }
              : undefined
        : onBody(operation, (body) => change(body as Json)),
    })
    // The thorough tests run all scenarios, and deviations again.
    const scenarios = isThorough ? {} : { scenarios: ['trigger'], confirm: false }
    await checkTarget({ ...builtIn, ...scenarios, target: wrong, sequences: 1, shrink: false })

    expect(backfill.id).toBe(1)
    const stored = understudy.model.backfills.findFirst((q) => q.where({ id: 1 }))
    expect([stored?.name, stored?.status ?? null]).toEqual(['theirs', null])
    const blocks = understudy.model.blocks.findMany((q) => q.where({ pipeline_uuid: 'standing' }))
    expect(blocks).toHaveLength(2)
    expect(JSON.stringify(understudy.model.pipeline_schedules.findFirst((q) => q.where({ id: 1 })))).toBe(
      schedule,
    )
  },
)

thoroughly(itInParts).for(['drops the connection', 'answers HTTP 500', 'denies it'])(
  'deletes the records of a target that %s',
  async (how) => {
    const understudy = createTarget()
    const before = understudy.model.pipelines.count()
    let creations = 0
    const target = {
      async fetch(request: Request) {
        const reply = await understudy.fetch(request)
        const isCreation = request.method === 'POST' && request.url.endsWith('/api/pipelines')
        if (!isCreation || ++creations % 3 !== 0) return reply
        if (how === 'drops the connection') throw new Error('ECONNRESET')
        if (how === 'answers HTTP 500') return new Response('Oops.', { status: 500 })
        return Response.json({ error: { code: 400, type: 'no', message: 'No.' }, status: 400 })
      },
    }
    await checkTarget({ ...builtIn, target, sequences: 1, shrink: false })

    expect(creations).toBeGreaterThan(3)
    expect(understudy.model.pipelines.count()).toBe(before)
  },
)

it.concurrent('lists records that a target refuses to delete', async ({ listen }) => {
  const understudy = createTarget()
  const url = await listen((request, response) => {
    if (request.method !== 'DELETE') return createApp(understudy)(request, response)
    request.resume()
    const error = { code: 400, message: 'Not allowed.', type: 'refused' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ error, status: 200 }))
  })
  const { report } = await verify({
    target: url,
    useConventions: true,
    scenarios: ['pipelines'],
    only: ['create-pipeline/*'],
    sequences: 0,
  })
  const ownCount = understudy.model.pipelines.count() - 1

  expect(ownCount).toBeGreaterThan(1)
  expect(report.leftBehind).toHaveLength(ownCount)
})

it.concurrent('lists the tokens of its sessions, and no record that is gone', async () => {
  const understudy = createTarget({ auth: 'login' })
  const before = understudy.model.oauth_access_tokens.count()
  const { leftBehind } = await checkTarget({
    ...builtIn,
    target: breakServer(answering(understudy), {
      reply: ({ body }, { method, path }) => {
        const isDeletion = method === 'DELETE' && path.startsWith('/api/backfills/')
        return isDeletion && 'backfill' in (body as Json)
          ? { body: { error: { code: 500, message: 'Deleted, but denied.', type: 'denied' }, status: 200 } }
          : undefined
      },
    }),
    only: ['delete-backfill/*'],
    sequences: 0,
    shrink: false,
    confirm: false,
  })
  const opened = understudy.model.oauth_access_tokens.count() - before

  expect(opened).toBeGreaterThan(0)
  expect(leftBehind.map(({ kind }) => kind)).toEqual(Array(opened).fill('token'))
})

it.concurrent('reports first that a request has harmed the target', async ({ listen }) => {
  let isHarmed = false
  const app = createApp(createTarget())
  const url = await listen((request, response) => {
    if (isHarmed && request.method === 'GET' && request.url === '/api/backfills') {
      const error = { code: 500, message: "'no_such_status' is not among the defined values.", type: 'x' }
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ error, status: 200 }))
    }
    if (request.method !== 'PUT') return app(request, response)
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (text.includes('no_such_status')) isHarmed = true
      void fetch(`${good}${request.url}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: text,
      })
        .then((reply) => reply.text())
        .then((reply) => response.setHeader('content-type', 'application/json').end(reply))
    })
  })
  const good = await listen(app)
  const { out, code } = await runVerify([
    url,
    '--use-conventions',
    '--allow-destructive',
    '--only',
    'backfill-states/unknown-status',
  ])

  expect(out.replaceAll('\n', ' ')).toMatch(
    /^HARM DONE: GET \/api\/backfills answered before and does not any more: 'no_such_status'/,
  )
  expect(code).toBe(0)
})

it.concurrent('detects a target that requires no token although its owner expects it', async () => {
  const understudy = createTarget({ auth: 'key' })
  const { findings } = await checkTarget({
    ...builtIn,
    target: understudy,
    expect: 'login',
    only: ['authentication/*'],
    shrink: false,
  })
  const of = (id: string) => findings.find(({ rule }) => rule.id === id)?.verdict

  expect(of('authentication/token-needed')).toMatchObject({
    kind: 'failed',
    evidence: { request: 'GET /api/pipelines', httpStatus: 200 },
  })
})

it.concurrent('removes the tags of a schedule before it deletes it', async () => {
  const understudy = createTarget()
  const sent: string[] = []
  await checkTarget({
    ...builtIn,
    target: breakServer(answering(understudy), {
      request: ({ method, path, body }) => {
        if (path.startsWith('/api/pipeline_schedules/')) sent.push(`${method} ${JSON.stringify(body ?? '')}`)
        return undefined
      },
    }),
    scenarios: ['trigger'],
    shrink: false,
    confirm: false,
  })
  const last = sent.lastIndexOf('PUT {"pipeline_schedule":{"tags":[]}}')

  expect(last).toBeGreaterThan(-1)
  expect(sent.slice(last).some((request) => request.startsWith('DELETE'))).toBe(true)
})

it.concurrent('lists pipelines that a target named differently, and deletes none of them', async () => {
  const understudy = createTarget()
  let made = 0
  const wrong = breakServer(answering(understudy), {
    request: ({ method, path, body }) =>
      method === 'POST' && path === '/api/pipelines'
        ? {
            body: {
              pipeline: { ...(body as Json & { pipeline: Json }).pipeline, name: `another ${++made}` },
            },
          }
        : undefined,
  })
  const { leftBehind } = await checkTarget({
    ...builtIn,
    target: wrong,
    scenarios: ['pipelines'],
    shrink: false,
    confirm: false,
  })
  const there = understudy.model.pipelines
    .findMany((q) => q.where({ type: 'python' }))
    .map(({ uuid }) => uuid)

  expect(there).toContain('another_1')
  expect(leftBehind.map(({ path }) => path)).toContain('/api/pipelines/another_1')
  const reported = new Set(leftBehind.map(({ path }) => path))
  expect(there.filter((uuid) => uuid !== 'standing' && !reported.has(`/api/pipelines/${uuid}`))).toEqual([])
})

it.concurrent('deletes no backfill that a create returns and no list shows', async () => {
  const understudy = createTarget()
  const foreign = await understudy.factories.backfill.create({ pipeline_uuid: 'standing', name: 'theirs' })
  const before = JSON.stringify(foreign)
  const sent: string[] = []
  const wrong = breakServer(answering(understudy), {
    request: ({ method, path }) => {
      if (method !== 'GET' && path.endsWith(`/backfills/${foreign.id}`)) sent.push(`${method} ${path}`)
      return undefined
    },
    reply: ({ body }, { method, path }) => {
      if (method === 'POST' && path.endsWith('/backfills') && 'backfill' in (body as Json))
        return { body: { backfill: { ...((body as Json).backfill as Json), id: foreign.id } } }
      const { backfills, ...rest } = body as Json & { backfills?: Json[] }
      return method === 'GET' && path === '/api/backfills' && backfills
        ? { body: { ...rest, backfills: backfills.filter(({ id }) => id !== foreign.id) } }
        : undefined
    },
  })
  await checkTarget({ ...builtIn, target: wrong, scenarios: ['backfills'], shrink: false, confirm: false })

  expect(sent).toEqual([])
  expect(JSON.stringify(understudy.model.backfills.findFirst((q) => q.where({ id: foreign.id })))).toBe(
    before,
  )
})

it.concurrent('deletes no backfill of another client that every list shows', async () => {
  const understudy = createTarget()
  const foreign = await understudy.factories.backfill.create({ pipeline_uuid: 'standing', name: 'theirs' })
  const wrong = breakServer(answering(understudy), {
    reply: ({ body }, { method, path, query }) => {
      const pipeline_uuid = query.get('pipeline_uuid')
      if (method !== 'GET' || path !== '/api/backfills' || pipeline_uuid === null) return undefined
      const { backfills = [], ...rest } = body as Json & { backfills?: Json[] }
      return {
        body: {
          ...rest,
          backfills: [{ ...backfills[0], id: foreign.id, name: 'theirs', pipeline_uuid }, ...backfills],
        },
      }
    },
  })
  await checkTarget({ ...builtIn, target: wrong, scenarios: ['backfills'], shrink: false, confirm: false })

  expect(understudy.model.backfills.findFirst((q) => q.where({ id: foreign.id }))?.name).toBe('theirs')
})
