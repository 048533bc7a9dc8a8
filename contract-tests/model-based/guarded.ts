import type { OperationId } from '../rules/index.ts'
import type { ReceivedRecord } from '../runner/replies.ts'
import type { SequenceRun } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

/** A request that needs correct credentials. */
export interface Guarded {
  readonly method: string
  /** Undefined if the sequence has no such record. */
  path(sequence: SequenceRun, home: TrackedRecord): string | undefined
  body?(sequence: SequenceRun): ReceivedRecord
  /** Further parameters, which replace no credentials. */
  query?(home: TrackedRecord): string
  /** The record to read afterwards. */
  readonly readsAfterwards?: 'block' | 'backfill'
  /** True if the reply is about the current user: a target may refuse it to a client without a session. */
  readonly isOfUser?: boolean
}

const at = (home: TrackedRecord) => `/api/pipelines/${segment(home, 'target')}`
const blockPath = (sequence: SequenceRun, home: TrackedRecord) => {
  const [block] = sequence.all('block', home)
  return block && `${at(home)}/blocks/${segment(block, 'target')}`
}
const backfillPath = (sequence: SequenceRun, home: TrackedRecord, base: string) => {
  const [backfill] = sequence.all('backfill', home)
  return backfill && `${base}/backfills/${segment(backfill, 'target')}`
}

/** Every operation that needs credentials, except for the creation of sessions: the specification does not show what it needs. */
export const guarded = {
  listPipelines: { method: 'GET', path: () => '/api/pipelines', query: () => 'include_schedules=1' },
  readPipeline: { method: 'GET', path: (_, home) => at(home), query: () => 'include_schedules=1' },
  listBackfills: {
    method: 'GET',
    // For one pipeline, since a target may refuse the list of all, which may be long.
    path: (_, home) => `/api/backfills?pipeline_uuid=${segment(home, 'target')}`,
    query: () => '_offset=1&_limit=2&include_run_count=true',
  },
  listPipelineSchedules: {
    method: 'GET',
    path: (_, home) => `${at(home)}/pipeline_schedules`,
    query: () => 'tag[]=red&tag[]=blue',
  },
  listLogs: {
    method: 'GET',
    // A pipeline with logs shows more than one without.
    path: ({ context }, home) => `/api/pipelines/${encodeURIComponent(context.logs?.pipeline ?? home.keys.target)}/logs`,
    query: () => '_offset=1&_limit=2&start_timestamp=1',
  }, // biome-ignore format: one path
  listOauthAccessTokens: {
    method: 'GET',
    path: () => '/api/oauth_access_tokens',
    query: () => 'show_all=1&_offset=1&_limit=2',
    isOfUser: true,
  },
  readBlock: { method: 'GET', path: blockPath },
  deleteBlock: { method: 'DELETE', path: blockPath, query: () => 'force=True&block_type=custom' },
  createBlock: {
    method: 'POST',
    path: (_, home) => `${at(home)}/blocks`,
    body: () => ({ block: { name: 'accepted', type: 'custom' } }),
    readsAfterwards: 'block',
  },
  updateBackfill: {
    method: 'PUT',
    path: (sequence, home) => backfillPath(sequence, home, at(home)),
    body: () => ({ backfill: { interval_units: 1 } }),
  },
  createBackfill: {
    method: 'POST',
    path: (_, home) => `${at(home)}/backfills`,
    body: () => ({ backfill: { name: 'accepted' } }),
  },
  deleteBackfill: {
    method: 'DELETE',
    path: (sequence, home) => backfillPath(sequence, home, '/api'),
    readsAfterwards: 'backfill',
  },
  createPipeline: {
    method: 'POST',
    path: () => '/api/pipelines',
    body: ({ prefix }) => ({ pipeline: { name: `${prefix}-accepted`, type: 'python' } }),
  },
} as const satisfies Partial<Record<OperationId, Guarded>>

/** An operation that needs credentials. */
export type GuardedOperation = keyof typeof guarded

/** Every operation that needs credentials. */
// The keys of an object are plain texts to the compiler.
export const guardedOperations = Object.keys(guarded) as readonly GuardedOperation[]
