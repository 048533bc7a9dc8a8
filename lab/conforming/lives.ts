import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import { earlier, facts, onRecords, refusal, sentence, succeeded } from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { backfillMoves, deep, onBodies } from './reply-changes.ts'
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
export const harmlessLives = defineVariants({
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
  'logs-come-late': [sentence('Read logs', 'Maximum number of logs returned'), logsAppearLate],
})
