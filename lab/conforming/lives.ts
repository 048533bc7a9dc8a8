import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import {
  earlier,
  facts,
  mapRecords,
  onRecords,
  refusal,
  returned,
  sentence,
  succeeded,
} from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { backfillMoves, deep, onBodies } from './reply-changes.ts'
import { sessionTokens } from './session-tokens.ts'
import { defineVariants } from './variant.ts'

const now = () => `${new Date().toISOString().slice(0, 19).replace('T', ' ')}.000000+00:00`
const seconds = (time: string) => time.slice(0, 19)

/** Changes the status of some listed backfills, because they progress on the server. */
const moves = (states: Readonly<Record<string, Json>>): Start =>
  onRecords('listBackfills', (record) => ({ ...record, ...states[String(record.status)] }))

/** Rounds times to the next second where replies show seconds. */
const roundedUp: Start = onRecords('createBackfill', (record) => {
  const next = new Date(Date.parse(`${String(record.created_at).replace(' ', 'T')}Z`) + 1_000)
  return { ...record, created_at: seconds(next.toISOString().replace('T', ' ')) }
})

/** Refuses every parameter that an operation does not document. */
const strictParameters: Start = () => (request, forward) => {
  const { operation, query } = request
  if (operation === undefined) return forward()
  const known = ['api_key', ...facts(operation).parameters.map(({ name }) => name)]
  const unknown = [...query.keys()].find((name) => !known.includes(name))
  return unknown === undefined ? forward() : refusal(`No parameter ${unknown} is known.`)
}

/** Returns the token that is still valid at a second sign-in. */
const reissuing: Start = () => (request, forward) => {
  const before = succeeded(request, 'createSession').find(
    (own) => JSON.stringify(own.request.body) === JSON.stringify(request.body),
  )
  return request.operation === 'createSession' && before ? before.reply : forward()
}

/** Counts runs a while after they were triggered. */
const countsLate: Start = () => {
  const triggered: { readonly schedule: unknown; readonly at: number }[] = []
  return async (request, forward) => {
    const reply = await forward()
    if (isErrorReply(reply) || !isObject(reply.body)) return reply
    const { pipeline_run: run } = reply.body
    if (isObject(run)) triggered.push({ schedule: run.pipeline_schedule_id, at: performance.now() })
    if (request.operation !== 'listPipelineSchedules') return reply
    const late = triggered.filter(({ at }) => performance.now() - at < 20)
    const body = mapRecords(reply.body, request, (record) => ({
      ...record,
      pipeline_runs_count:
        Number(record.pipeline_runs_count) - late.filter(({ schedule }) => schedule === record.id).length,
    }))
    return { ...reply, body }
  }
}

/** Ends each session after some requests. */
const shortSessions: Start = () => {
  const uses = new Map<string, number>()
  return (request, forward) => {
    const { token, opened } = sessionTokens(request)
    if (!opened.includes(token) || request.operation === 'createSession') return forward()
    uses.set(token, (uses.get(token) ?? 0) + 1)
    return Number(uses.get(token)) > 40 ? refusal('The session has ended.', 401, 'unauthorized') : forward()
  }
}

/** Refuses sign-ins after several wrong ones in a row. */
const locks: Start = () => (request, forward) => {
  const last = earlier(request, 'createSession').slice(-5)
  const isLocked = last.length === 5 && last.every(({ reply }) => isErrorReply(reply))
  return isLocked && request.operation === 'createSession'
    ? refusal('Too many failed sign-ins.', 423, 'account_locked')
    : forward()
}

/** Refuses a write of a backfill while another one is in progress. */
const refusesConflicts: Start = () => {
  const written = new Set<string>()
  return async (request, forward) => {
    const { method, path } = request
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    if (method === 'GET' || !/\/backfills\/[^/]+$/.test(path)) return forward()
    if (written.has(id)) return refusal('The backfill is being changed.', 409, 'conflict')
    written.add(id)
    try {
      await wait(3)
      return await forward()
    } finally {
      written.delete(id)
    }
  }
}

/** Starts a backfill that has dates and an interval. */
const startsPlanned: Start = onRecords('listBackfills', (record) => {
  const { status, start_datetime: start, end_datetime: end, interval_units: units } = record
  const isPlanned = status === null && start !== null && end !== null && units !== null
  return isPlanned ? { ...record, status: 'running', started_at: record.updated_at } : record
})

/** Repeats each triggered run after the next request. */
const repeatsRuns: Start = onRecords('listPipelineSchedules', (schedule, { request }) => {
  const before = { ...request, earlier: request.earlier.slice(0, -1) }
  const repeated = returned(before, 'triggerPipeline').filter(
    (run) => run.pipeline_schedule_id === schedule.id,
  )
  return { ...schedule, pipeline_runs_count: Number(schedule.pipeline_runs_count) + repeated.length }
})

const noLogs = {
  block_run_logs: [], pipeline_run_logs: [], total_block_run_log_count: 0, total_pipeline_run_log_count: 0,
} // biome-ignore format: an entry without files
const logsAppearLate: Start = () => async (request, forward) => {
  const reply = await forward()
  const isLate = request.operation === 'listLogs' && earlier(request, 'listLogs').length < 4
  return isLate && !isErrorReply(reply) ? { ...reply, body: { logs: [noLogs], metadata: {} } } : reply
}

const manyTokens = Array.from({ length: 230 }, (_, n) => ({
  token: `old-${n}`,
  expires: n % 2 === 0 ? '+8d' : '-8d',
  user_id: 1,
}))
const ownTokens = Array.isArray(targetFixture.oauth_access_tokens) ? targetFixture.oauth_access_tokens : []

/** Changes of records between requests, and the values that replies show meanwhile. */
export const lifeVariants = defineVariants({
  'backfills-end-at-once': [
    backfillMoves,
    moves({
      initial: { status: 'completed', started_at: now(), completed_at: now() },
      running: { status: 'completed', started_at: now(), completed_at: now() },
    }),
  ],
  'backfills-fail-at-once': [
    backfillMoves,
    moves({ initial: { status: 'failed', failed_at: now() }, running: { status: 'failed' } }),
  ],
  'backfills-that-failed-are-tried-again': [
    backfillMoves,
    moves({ failed: { status: 'running', started_at: now() } }),
  ],
  'triggered-runs-are-repeated': [sentence('Pipeline schedule', '`pipeline_runs_count`'), repeatsRuns],
  'backfill-touched-when-deleted': [
    sentence('Backfill', '`updated_at`'),
    onRecords('deleteBackfill', (record) => ({ ...record, updated_at: seconds(now()) })),
  ],
  'backfill-says-when-it-was-made-only': [
    sentence('Backfill', '`updated_at`'),
    onBodies((body) =>
      deep(body, (record) =>
        'interval_units' in record ? { ...record, updated_at: record.created_at } : record,
      ),
    ),
    'backfill-times/updated-at',
  ],
  'created-at-rounded-up': [sentence('Backfill', '`created_at`'), roundedUp],
  'unknown-parameters-refused': ['unknown-attributes', strictParameters],
  'sessions-give-the-same-token': ['token-lifetime', reissuing],
  'user-with-many-tokens': [
    'default-limit',
    { options: { fixture: { ...targetFixture, oauth_access_tokens: [...ownTokens, ...manyTokens] } } },
  ],
  'runs-counted-late': [sentence('Pipeline schedule', '`pipeline_runs_count`'), countsLate],
  'sessions-of-40-requests': ['token-lifetime', shortSessions],
  'sign-in-locked-after-five': [sentence('Limits', 'rate limits'), locks],
  'conflicting-writes-refused': [backfillMoves, refusesConflicts],
  'planned-backfills-start': [backfillMoves, startsPlanned],
  'logs-come-late': [sentence('Read logs', 'Maximum number of logs returned'), logsAppearLate],
})
