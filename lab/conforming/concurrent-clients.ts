import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import { sentence } from '../mutants/mutant.ts'
import { defineVariants, type VariantRow } from './variant.ts'

type ClientCall = (method: string, path: string, body?: unknown) => Promise<Json>
/** The work of another client at its nth turn. It may remember the records that it created. */
type Work = (call: ClientCall, round: number) => Promise<unknown>

const others = sentence('Read pipelines', 'retrieves all pipelines')

function callsTo(server: Answering): ClientCall {
  return async (method, path, body) => {
    const { text } = await server.answer({
      method,
      path,
      headers: { 'X-API-KEY': 'contract-key', 'OAUTH-TOKEN': 'other-active-token' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : {}
  }
}

/** Lets another client work after every `every` requests. */
const otherClient = (every: number, begin: () => Work): VariantRow => [
  others,
  {
    meanwhile: (server) => {
      const call = callsTo(server)
      const work = begin()
      let round = 0
      return async (nth) => {
        if (nth % every === 0) await work(call, round++)
      }
    },
  },
]

const createsPipelines = (): Work => (call, round) =>
  call('POST', '/api/pipelines', { pipeline: { name: `another client ${round}`, type: 'streaming' } })
const createsAndDeletes = (): Work => async (call, round) => {
  await call('POST', '/api/pipelines', { pipeline: { name: `brief ${round}`, type: 'python' } })
  if (round > 0) await call('DELETE', `/api/pipelines/brief_${round - 1}`)
}
const createsBackfills = (): Work => async (call, round) =>
  call('POST', '/api/pipelines/standing/backfills', { backfill: { name: `theirs ${round}` } })
const deletesBackfills = (): Work => {
  let last: unknown
  return async (call, round) => {
    if (last !== undefined) await call('DELETE', `/api/backfills/${last}`)
    const { backfill } = await call('POST', '/api/pipelines/standing/backfills', {
      backfill: { name: `brief ${round}` },
    })
    last = isObject(backfill) ? backfill.id : undefined
  }
}
const movesBackfills = (): Work => {
  let id: unknown
  return async (call, round) => {
    const { backfill } =
      id === undefined
        ? await call('POST', '/api/pipelines/standing/backfills', { backfill: { name: 'moving' } })
        : {}
    if (isObject(backfill)) id = backfill.id
    await call('PUT', `/api/pipelines/standing/backfills/${id}`, {
      backfill: {
        status: ['initial', 'running', 'completed', 'failed', 'cancelled'][round % 5],
        name: `moving ${round}`,
      },
    })
  }
}
const addsBlocks = (): Work => async (call, round) => {
  await call('POST', '/api/pipelines/standing/blocks', {
    block: { name: `theirs ${round}`, type: 'custom', upstream_blocks: ['load'] },
  })
  if (round % 2 === 1) await call('DELETE', `/api/pipelines/standing/blocks/theirs_${round - 1}?force=True`)
}
const signsIn = (): Work => (call) =>
  call('POST', '/api/sessions', { session: { email: 'judge@example.com', password: 'gavel-and-robe' } })
const otherSignsIn = (): Work => (call) =>
  call('POST', '/api/sessions', { session: { email: 'other@example.com', password: 'someone-else' } })
const triggers = (): Work => {
  let schedule: Json | undefined
  return async (call, round) => {
    const { pipeline_schedule } = schedule
      ? {}
      : await call('POST', '/api/pipelines/standing/pipeline_schedules', {
          pipeline_schedule: { name: 'theirs', tags: ['own'] },
        })
    if (isObject(pipeline_schedule)) schedule = pipeline_schedule
    if (schedule)
      await call('POST', `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`, {
        round,
      })
  }
}
const addsSchedules = (): Work => (call, round) =>
  call('POST', '/api/pipelines/standing/pipeline_schedules', {
    pipeline_schedule: { name: `theirs ${round}`, tags: [['red'], ['blue', 'red'], []][round % 3] },
  })
const deletesWhatWasThere = (): Work => async (call) => {
  const { pipelines } = await call('GET', '/api/pipelines')
  const [first] = Array.isArray(pipelines) ? pipelines.filter(({ uuid }) => /^(old|brief)/.test(uuid)) : []
  await call('POST', '/api/pipelines', {
    pipeline: { name: `old ${String(first?.uuid).length}`, type: 'python' },
  })
  if (first) await call('DELETE', `/api/pipelines/${first.uuid}`)
}
const together =
  (...works: (() => Work)[]) =>
  (): Work => {
    const begun = works.map((begin) => begin())
    return (call, round) => begun[round % begun.length]?.(call, round) ?? Promise.resolve()
  }

/** Servers with another client that works at the same time. */
export const concurrentClients = defineVariants({
  'other-client-creates-pipelines': otherClient(5, createsPipelines),
  'other-client-creates-pipelines-all-the-time': otherClient(1, createsPipelines),
  'other-client-comes-and-goes': otherClient(2, createsAndDeletes),
  'other-client-creates-backfills': otherClient(4, createsBackfills),
  'other-client-creates-backfills-all-the-time': otherClient(1, createsBackfills),
  'other-client-deletes-backfills': otherClient(2, deletesBackfills),
  'other-client-moves-backfills': otherClient(3, movesBackfills),
  'other-client-adds-blocks': otherClient(4, addsBlocks),
  'other-client-signs-in-as-the-same-user': otherClient(6, signsIn),
  'other-client-signs-in-all-the-time': otherClient(1, signsIn),
  'other-client-other-user-signs-in': otherClient(4, otherSignsIn),
  'other-client-triggers': otherClient(3, triggers),
  'other-client-triggers-all-the-time': otherClient(1, triggers),
  'other-client-adds-schedules': otherClient(8, addsSchedules),
  'other-client-deletes-what-was-there': otherClient(9, deletesWhatWasThere),
  'other-client-does-everything': otherClient(
    1,
    together(
      createsPipelines,
      createsAndDeletes,
      createsBackfills,
      deletesBackfills,
      movesBackfills,
      addsBlocks,
      signsIn,
      otherSignsIn,
      triggers,
    ),
  ),
})
