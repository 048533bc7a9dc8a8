import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import { sentence } from '../mutants/mutant.ts'
import { defineVariants, type VariantRow } from './variant.ts'

type NeighbourCall = (method: string, path: string, body?: unknown) => Promise<Json>
/** What a neighbour does at its nth turn; it remembers what it made. */
type Habit = (call: NeighbourCall, turn: number) => Promise<unknown>

const others = sentence('Read pipelines', 'retrieves all pipelines')

function callsTo(server: Answering): NeighbourCall {
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

/** A neighbour who does something whenever the client has asked a number of times. */
const neighbour = (every: number, begin: () => Habit): VariantRow => [
  others,
  {
    meanwhile: (server) => {
      const call = callsTo(server)
      const habit = begin()
      let turn = 0
      return async (nth) => {
        if (nth % every === 0) await habit(call, turn++)
      }
    },
  },
]

const createsPipelines = (): Habit => (call, turn) =>
  call('POST', '/api/pipelines', { pipeline: { name: `a neighbour ${turn}`, type: 'streaming' } })
const comesAndGoes = (): Habit => async (call, turn) => {
  await call('POST', '/api/pipelines', { pipeline: { name: `brief ${turn}`, type: 'python' } })
  if (turn > 0) await call('DELETE', `/api/pipelines/brief_${turn - 1}`)
}
const createsBackfills = (): Habit => async (call, turn) =>
  call('POST', '/api/pipelines/standing/backfills', { backfill: { name: `theirs ${turn}` } })
const deletesBackfills = (): Habit => {
  let last: unknown
  return async (call, turn) => {
    if (last !== undefined) await call('DELETE', `/api/backfills/${last}`)
    const { backfill } = await call('POST', '/api/pipelines/standing/backfills', {
      backfill: { name: `brief ${turn}` },
    })
    last = isObject(backfill) ? backfill.id : undefined
  }
}
const movesBackfills = (): Habit => {
  let id: unknown
  return async (call, turn) => {
    const { backfill } =
      id === undefined
        ? await call('POST', '/api/pipelines/standing/backfills', { backfill: { name: 'moving' } })
        : {}
    if (isObject(backfill)) id = backfill.id
    await call('PUT', `/api/pipelines/standing/backfills/${id}`, {
      backfill: {
        status: ['initial', 'running', 'completed', 'failed', 'cancelled'][turn % 5],
        name: `moving ${turn}`,
      },
    })
  }
}
const addsBlocks = (): Habit => async (call, turn) => {
  await call('POST', '/api/pipelines/standing/blocks', {
    block: { name: `theirs ${turn}`, type: 'custom', upstream_blocks: ['load'] },
  })
  if (turn % 2 === 1) await call('DELETE', `/api/pipelines/standing/blocks/theirs_${turn - 1}?force=True`)
}
const signsIn = (): Habit => (call) =>
  call('POST', '/api/sessions', { session: { email: 'judge@example.com', password: 'gavel-and-robe' } })
const otherSignsIn = (): Habit => (call) =>
  call('POST', '/api/sessions', { session: { email: 'other@example.com', password: 'someone-else' } })
const triggers = (): Habit => {
  let schedule: Json | undefined
  return async (call, turn) => {
    const { pipeline_schedule } = schedule
      ? {}
      : await call('POST', '/api/pipelines/standing/pipeline_schedules', {
          pipeline_schedule: { name: 'theirs', tags: ['own'] },
        })
    if (isObject(pipeline_schedule)) schedule = pipeline_schedule
    if (schedule)
      await call('POST', `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`, { turn })
  }
}
const addsSchedules = (): Habit => (call, turn) =>
  call('POST', '/api/pipelines/standing/pipeline_schedules', {
    pipeline_schedule: { name: `theirs ${turn}`, tags: [['red'], ['blue', 'red'], []][turn % 3] },
  })
const deletesWhatWasThere = (): Habit => async (call) => {
  const { pipelines } = await call('GET', '/api/pipelines')
  const [first] = Array.isArray(pipelines) ? pipelines.filter(({ uuid }) => /^(old|brief)/.test(uuid)) : []
  await call('POST', '/api/pipelines', {
    pipeline: { name: `old ${String(first?.uuid).length}`, type: 'python' },
  })
  if (first) await call('DELETE', `/api/pipelines/${first.uuid}`)
}
const together =
  (...habits: (() => Habit)[]) =>
  (): Habit => {
    const begun = habits.map((begin) => begin())
    return (call, turn) => begun[turn % begun.length]?.(call, turn) ?? Promise.resolve()
  }

/** Others who work on the same server: what they do is theirs. */
export const neighbours = defineVariants({
  'neighbour-creates-pipelines': neighbour(5, createsPipelines),
  'neighbour-creates-pipelines-all-the-time': neighbour(1, createsPipelines),
  'neighbour-comes-and-goes': neighbour(2, comesAndGoes),
  'neighbour-creates-backfills': neighbour(4, createsBackfills),
  'neighbour-creates-backfills-all-the-time': neighbour(1, createsBackfills),
  'neighbour-deletes-backfills': neighbour(2, deletesBackfills),
  'neighbour-moves-backfills': neighbour(3, movesBackfills),
  'neighbour-adds-blocks': neighbour(4, addsBlocks),
  'neighbour-signs-in-as-the-same-user': neighbour(6, signsIn),
  'neighbour-signs-in-all-the-time': neighbour(1, signsIn),
  'neighbour-other-user-signs-in': neighbour(4, otherSignsIn),
  'neighbour-triggers': neighbour(3, triggers),
  'neighbour-triggers-all-the-time': neighbour(1, triggers),
  'neighbour-adds-schedules': neighbour(8, addsSchedules),
  'neighbour-deletes-what-was-there': neighbour(9, deletesWhatWasThere),
  'neighbour-does-everything': neighbour(
    1,
    together(
      createsPipelines,
      comesAndGoes,
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
