import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import { facts, onRecords, onSuccess, refusal, sentence } from '../mutants/mutant.ts'
import { isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { backfillMoves } from './reply-changes.ts'
import { deep, type HarmlessVariant } from './variant.ts'

const now = () => `${new Date().toISOString().slice(0, 19).replace('T', ' ')}.000000+00:00`
const seconds = (time: string) => time.slice(0, 19)
/** Moves backfills of some states on, where they are listed: work goes on behind the API. */
const moves = (name: string, states: Readonly<Record<string, Json>>): HarmlessVariant => ({
  name,
  leaves: backfillMoves,
  start: onRecords('listBackfills', (record) => ({ ...record, ...states[String(record.status)] })),
})
const turned = (value: unknown) => (Array.isArray(value) ? value.toReversed() : value)

/** A time that is shortened to seconds may be rounded to the next. */
const roundedUp: Start = onRecords('createBackfill', (record) => {
  const next = new Date(Date.parse(`${String(record.created_at).replace(' ', 'T')}Z`) + 1_000)
  return { ...record, created_at: seconds(next.toISOString().replace('T', ' ')) }
})

/** Refuses every parameter that an operation does not document. */
const strictParameters: Start = () => (heard, ask) => {
  const { operation, query } = heard
  if (operation === undefined) return ask()
  const known = ['api_key', ...facts(operation).parameters.map(({ name }) => name)]
  const unknown = [...query.keys()].find((name) => !known.includes(name))
  return unknown === undefined ? ask() : refusal(`No parameter ${unknown} is known.`)
}

/** Gives who signs in again the token that is still good. */
const reissuing: Start = () => {
  const given = new Map<string, Awaited<ReturnType<Parameters<ReturnType<Start>>[1]>>>()
  return async (heard, ask) => {
    if (heard.operation !== 'createSession') return ask()
    const who = JSON.stringify(heard.body)
    const reply = given.get(who) ?? (await ask())
    if (!isErrorReply(reply)) given.set(who, reply)
    return reply
  }
}

/** What becomes of records between requests, and how they are shown on the way. */
export const harmlessLives: readonly HarmlessVariant[] = [
  moves('backfills-end-at-once', {
    initial: { status: 'completed', started_at: now(), completed_at: now() },
    running: { status: 'completed', started_at: now(), completed_at: now() },
  }),
  moves('backfills-fail-at-once', {
    initial: { status: 'failed', failed_at: now() },
    running: { status: 'failed' },
  }),
  moves('backfills-that-failed-are-tried-again', { failed: { status: 'running', started_at: now() } }),
  {
    name: 'backfill-touched-when-deleted',
    leaves: sentence('Backfill', '`updated_at`'),
    start: onRecords('deleteBackfill', (record) => ({ ...record, updated_at: seconds(now()) })),
  },
  {
    name: 'backfill-says-when-it-was-made-only',
    leaves: sentence('Backfill', '`updated_at`'),
    toldBy: ['backfill-times/updated-at'],
    start: () => async (_, ask) => {
      const reply = await ask()
      const body = deep(reply.body, (record) =>
        'interval_units' in record ? { ...record, updated_at: record.created_at } : record,
      )
      return isObject(reply.body) ? { ...reply, body } : reply
    },
  },
  { name: 'created-at-rounded-up', leaves: sentence('Backfill', '`created_at`'), start: roundedUp },
  {
    name: 'blocks-and-links-in-another-order',
    leaves: 'list-order',
    start: onSuccess('readPipeline', ({ body }) => ({
      body: deep(body, (record) => ({
        ...record,
        ...('blocks' in record && { blocks: turned(record.blocks) }),
        ...('upstream_blocks' in record && {
          upstream_blocks: turned(record.upstream_blocks),
          downstream_blocks: turned(record.downstream_blocks),
        }),
      })) as Json,
    })),
  },
  { name: 'unknown-parameters-refused', leaves: 'unknown-attributes', start: strictParameters },
  { name: 'sessions-give-the-same-token', leaves: 'token-lifetime', start: reissuing },
  {
    name: 'user-with-many-tokens',
    leaves: 'default-limit',
    options: {
      fixture: {
        ...targetFixture,
        oauth_access_tokens: [
          // It is a list, as it stands there.
          ...(targetFixture.oauth_access_tokens as readonly object[]),
          ...Array.from({ length: 230 }, (_, n) => ({
            token: `old-${n}`,
            expires: n % 2 === 0 ? '+8d' : '-8d',
            user_id: 1,
          })),
        ],
      },
    },
  },
  {
    name: 'logs-come-late',
    leaves: sentence('Read logs', 'Maximum number of logs returned'),
    start: () => {
      let nth = 0
      return async (heard, ask) => {
        const reply = await ask()
        if (heard.operation !== 'listLogs' || isErrorReply(reply) || ++nth > 4) return reply
        const entry = {
          block_run_logs: [], pipeline_run_logs: [], total_block_run_log_count: 0, total_pipeline_run_log_count: 0,
        } // biome-ignore format: an entry without files
        return { ...reply, body: { logs: [entry], metadata: {} } }
      }
    },
  },
]
