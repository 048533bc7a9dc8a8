import { derivedRule } from '../rules/derived.ts'
import type { RuleId } from '../rules/index.ts'
import type { Exchange, SendOptions } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { equal, listIn, metadataIn } from '../runner/replies.ts'
import { unknownRequest } from './refused-commands.ts'
import { type SequenceRun, unless, unlessRefused } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

/** A read, and the part of its reply that does not change without a write. */
interface Read {
  readonly rule: RuleId
  readonly path: string
  shows(exchange: Exchange): unknown
}

/** Reads that run concurrently: of the records of a sequence, or of its schedules. */
export interface ConcurrentReads {
  readonly of: 'records' | 'schedules'
}

/** Maximum number of repetitions if other clients change the records. */
const maxReads = 3

/**
 * Reads records after a refusal of the same request, and then all at once with refused requests among them: neither earlier
 * nor concurrent requests change a reply.
 */
export async function readConcurrently(
  sequence: SequenceRun,
  home: TrackedRecord,
  { of }: ConcurrentReads,
): Promise<void> {
  const reads = of === 'records' ? recordReads(sequence, home) : scheduleReads(home)
  const wrong = of === 'records' ? refusals(sequence, home) : []
  const both = await readPairs(sequence, reads, wrong)
  let differing = reads.filter((read, index) => {
    const [one, other] = both[index] as ReplyPair
    const isSame = equal(read.shows(one), read.shows(other))
    if (isSame) sequence.note(read.rule, one)
    return !isSame
  })
  // Other clients may have written meanwhile. A value before and after was also the value in between.
  for (let read = 0; read < maxReads && differing.length > 0; read++) {
    const before = await readAlone(sequence, reads)
    const pairs = await readPairs(sequence, reads, wrong)
    const after = await readAlone(sequence, reads)
    differing = differing.filter((read) => {
      const index = reads.indexOf(read)
      const expected = read.shows(before[index] as Exchange)
      if (!equal(expected, read.shows(after[index] as Exchange))) return true
      for (const exchange of pairs[index] as ReplyPair) {
        const received = read.shows(exchange)
        sequence.note(read.rule, exchange, unless(equal(received, expected), received, expected))
      }
      return false
    })
  }
}

/** A reply right after a refusal, and one during concurrent reads. */
type ReplyPair = readonly [afterRefusal: Exchange, atOnce: Exchange]

async function readPairs(
  sequence: SequenceRun,
  reads: readonly Read[],
  wrong: readonly RefusedRequest[],
): Promise<ReplyPair[]> {
  const afterRefusals: Exchange[] = []
  for (const { path } of reads) {
    await refuse(sequence, path)
    afterRefusals.push(await sequence.context.get(path))
  }
  const [atOnce] = await Promise.all([
    // In the reverse order: a reply may depend on the previous one.
    Promise.all(reads.toReversed().map(({ path }) => sequence.context.get(path))),
    ...wrong.map((request) => sendRefused(sequence, request)),
  ])
  // As many replies as requests.
  return afterRefusals.map((exchange, index) => [exchange, atOnce.at(-1 - index) as Exchange])
}

async function readAlone(sequence: SequenceRun, reads: readonly Read[]): Promise<Exchange[]> {
  const replies: Exchange[] = []
  for (const { path } of reads) replies.push(await sequence.context.get(path))
  return replies
}

/** Sends a request that fails: without credentials if the target checks them, else for an unknown pipeline. */
async function refuse({ context, prefix }: SequenceRun, path: string): Promise<void> {
  const isGuarded = context.provided.checksKeys || context.provided.checksTokens
  await context.get(isGuarded ? path : `/api/pipelines/${prefix}_none`, { credentials: !isGuarded })
}

/** The reply without the count of a list, whose meaning is not specified. */
function whole({ body }: Exchange): unknown {
  if (!isObject(body) || !isObject(body.metadata)) return body
  const { count: _, ...metadata } = body.metadata
  return { ...body, metadata }
}

function recordReads(sequence: SequenceRun, home: TrackedRecord): Read[] {
  const { context, prefix } = sequence
  const pipeline = segment(home, 'target')
  const [block] = sequence.all('block', home)
  const backfills = `/api/backfills?pipeline_uuid=${pipeline}`
  const logged = context.logs?.pipeline
  const logs = logged === undefined ? undefined : `/api/pipelines/${encodeURIComponent(logged)}/logs`
  const ofBackfills = ['', '&_limit=1&_offset=1', '&_offset=1', '&include_run_count=true']
  const pages = ['', '?_limit=1&_offset=1', '?_offset=1']
  const own = (exchange: Exchange) =>
    listIn(exchange, 'pipelines')?.filter(({ uuid }) => String(uuid).startsWith(prefix.replaceAll('-', '_')))
  return [
    { rule: 'read-pipeline/values', path: `/api/pipelines/${pipeline}`, shows: whole },
    { rule: 'read-pipeline/values', path: `/api/pipelines/${pipeline}?include_schedules=1`, shows: whole },
    { rule: 'list-pipelines/values', path: '/api/pipelines', shows: own },
    ...(block ? [{ rule: 'read-block/values', path: `/api/pipelines/${pipeline}/blocks/${segment(block, 'target')}`, shows: whole } as const] : []),
    ...ofBackfills.map((query) => ({ rule: 'list-backfills/values', path: `${backfills}${query}`, shows: whole }) as const),
    ...(logs ? pages.map((query) => ({ rule: 'list-logs/paging', path: `${logs}${query}`, shows: filesIn }) as const) : []),
    ...((context.client.credentials.token ?? context.client.credentials.raw) === undefined
      ? []
      : [...pages, '?show_all=1'].map((query) => ({ rule: 'list-oauth-access-tokens/paging', path: `/api/oauth_access_tokens${query}`, shows: tokensIn }) as const)),
  ] // biome-ignore format: one read a line
}

function scheduleReads(home: TrackedRecord): Read[] {
  const path = `/api/pipelines/${segment(home, 'target')}/pipeline_schedules`
  return ['', '?tag[]=blue', '?tag[]=none&tag[]=blue'].map((query) => ({
    rule: 'list-pipeline-schedules/filter',
    path: `${path}${query}`,
    shows: schedulesIn,
  }))
}

/** The order of schedules is not specified. */
function schedulesIn(exchange: Exchange): unknown {
  const schedules = listIn(exchange, 'pipeline_schedules')?.map((schedule) => JSON.stringify(schedule))
  return { schedules: schedules?.sort(), next: metadataIn(exchange)?.next }
}

/** Log files may grow during a read; their names may not. */
function filesIn(exchange: Exchange): unknown {
  return listIn(exchange, 'logs')?.map((entry) =>
    ['block_run_logs', 'pipeline_run_logs'].map((kind) => {
      const files = entry[kind]
      return Array.isArray(files) ? files.map((file) => (isObject(file) ? file.path : file)) : files
    }),
  )
}

/** Each use of a token may extend its lifetime. */
function tokensIn(exchange: Exchange): unknown {
  const tokens = listIn(exchange, 'oauth_access_tokens')?.map(({ token }) => token)
  return { tokens, next: metadataIn(exchange)?.next }
}

/** A request that the target must refuse. */
interface RefusedRequest {
  readonly rules: readonly (RuleId | undefined)[]
  readonly method: string
  readonly path: string
  readonly options: SendOptions
}

const unknownRecords = ['pipeline', 'block', 'delete block', 'create backfill', 'update', 'delete'] as const

/** Requests for unknown records, a sign-in with a wrong password, and a read without the API key. */
function refusals(sequence: SequenceRun, home: TrackedRecord): RefusedRequest[] {
  const { provided, client } = sequence.context
  const { email, password, checksKeys } = provided
  const { apiKey, token } = client.credentials
  const unknown = unknownRecords.map((what): RefusedRequest => {
    const { operation, method, path, body } = unknownRequest(sequence, home, { what })
    return {
      rules: [derivedRule(operation, 'refuses')],
      method,
      path: path('target'),
      options: body ? { body } : {},
    }
  })
  const signIn: RefusedRequest = {
    rules: ['create-session/refuses'],
    method: 'POST',
    path: '/api/sessions',
    // A target may refuse a sign-in with a session, so this request contains only the key.
    options: { body: { session: { email, password: `${password}-not` } }, credentials: 'key' },
  }
  const withoutKey: RefusedRequest = {
    rules: ['read-pipeline/credentials'],
    method: 'GET',
    path: `/api/pipelines/${segment(home, 'target')}`,
    options: { credentials: false, headers: token === undefined ? {} : { 'OAUTH-TOKEN': token } },
  }
  return [
    ...unknown,
    ...(email !== undefined && password !== undefined ? [signIn] : []),
    ...(apiKey !== undefined && checksKeys ? [withoutKey] : []),
  ]
}

async function sendRefused(sequence: SequenceRun, refused: RefusedRequest): Promise<void> {
  const { rules, method, path, options } = refused
  const exchange = await sequence.context.send(method, path, options)
  sequence.note(rules, exchange, unlessRefused(exchange))
}
