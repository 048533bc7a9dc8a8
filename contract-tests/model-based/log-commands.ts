// Commands of sequences that read the logs of a pipeline in pages, and check the replies.
import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { findLogs } from '../runner/other-pipelines.ts'
import { equal, listIn } from '../runner/replies.ts'
import { alikeUuids, nearUuids } from './boundary-values.ts'
import { partOf } from './pages.ts'
import { errorOf, type SequenceRun, unless } from './sequence-run.ts'

/** The paths of the log files of a reply, by kind. */
interface LogPaths {
  /** The same by item of the list, in a reply. */
  readonly items?: readonly LogPaths[]
  readonly ofBlocks: readonly string[]
  readonly ofRuns: readonly string[]
}

/** A page of logs in a request. */
interface LogPage {
  readonly limit?: number
  readonly offset?: number
  /** A timestamp before all logs, whatever the unit. */
  readonly since?: 0 | 1
}

/** Ways to count a page of files of two kinds (`logs-limit`); the specification allows each. */
const readings: readonly ((shown: LogPaths, whole: LogPaths, page: LogPage) => boolean)[] = [
  // Each kind by itself.
  (shown, { ofBlocks, ofRuns }, page) =>
    isSame(shown, { ofBlocks: partOf(ofBlocks, page), ofRuns: partOf(ofRuns, page) }),
  // "Maximum number of items in a list response": an item of this list may contain several files.
  (shown, { items = [] }, page) => {
    const part = partOf(items, page)
    const ofBlocks = part.flatMap((item) => item.ofBlocks)
    return isSame(shown, { ofBlocks, ofRuns: part.flatMap((item) => item.ofRuns) })
  },
  // The runs of blocks, so that the files of pipeline runs come with each page.
  (shown, { ofBlocks, ofRuns }, page) => isSame(shown, { ofBlocks: partOf(ofBlocks, page), ofRuns }),
  // Both kinds in one order, which replies do not show. Then only the number is known.
  (shown, whole, page) => {
    const all = [...whole.ofBlocks, ...whole.ofRuns]
    const found = [...shown.ofBlocks, ...shown.ofRuns]
    const isKnown =
      shown.ofBlocks.every((path) => whole.ofBlocks.includes(path)) &&
      shown.ofRuns.every((path) => whole.ofRuns.includes(path))
    return isKnown && new Set(found).size === found.length && found.length === partOf(all, page).length
  },
]

/** Stores the pipeline that has run and the one without runs for the sequence about logs. */
export async function storeForLogs(sequence: SequenceRun): Promise<void> {
  const [run, empty] = sequence.all('pipeline').map(({ keys }) => keys.target)
  if (run !== undefined && empty !== undefined) sequence.context.logged = { run, empty }
}

/**
 * Reads the logs of a pipeline in pages: one way of counting must explain them all. Meanwhile it reads those of a pipeline
 * without runs.
 */
export async function pageLogs(sequence: SequenceRun): Promise<void> {
  const { context } = sequence
  // A second run reads the same logs.
  context.logs ??= { pipeline: await findLogs(context) }
  const { pipeline } = context.logs
  if (pipeline === undefined) {
    // Any pipeline is enough to check the form of a reply without files.
    const [any] = listIn(await context.get('/api/pipelines'), 'pipelines') ?? []
    if (any !== undefined) await context.get(`/api/pipelines/${encodeURIComponent(String(any.uuid))}/logs`)
    return
  }
  const path = `/api/pipelines/${encodeURIComponent(pipeline)}/logs`
  const future = await readFutureLogs(sequence, path)
  let logs = await readLogs(sequence, path)
  // Runs end meanwhile, and write more: then the pages are read again.
  for (let read = 0; read < mostReads && logs !== undefined; read++) {
    if (await pageOnce(sequence, path, logs)) {
      // The unit of the timestamp is the same for every request.
      noteFuture(sequence, await sequence.get(`${path}?_offset=1&start_timestamp=${future}&_limit=5`))
      return readWithOtherUuids(sequence, pipeline, logs.whole)
    }
    logs = await readLogs(sequence, path)
  }
}

/** A timestamp in the future in seconds, milliseconds and microseconds: the unit is not specified. */
const futures = [4_102_444_800, 4_102_444_800_000, 4_102_444_800_000_000] as const

/** Reads the logs after a timestamp in the future, in the unit of the target. */
async function readFutureLogs(sequence: SequenceRun, path: string): Promise<number> {
  for (const future of futures) {
    const reply = await sequence.get(`${path}?start_timestamp=${future}`)
    const isOfUnit = filesOf(reply)?.ofBlocks.length === 0
    if (!isOfUnit && future !== futures.at(-1)) continue
    noteFuture(sequence, reply)
    return future
  }
  return futures[0]
}

/** Checks that a reply contains no logs of the future. A target may refuse such a time, or an empty page. */
function noteFuture(sequence: SequenceRun, reply: Exchange): void {
  const count = filesOf(reply)?.ofBlocks.length
  const isEmpty = count === 0 || count === undefined
  const flaw = unless(isEmpty, { files: count ?? errorOf(reply) }, { files: 0 })
  sequence.note('list-logs/filter', reply, flaw)
}

/** All logs of a pipeline, and whether a reply without `_limit` contains them: "Default and maximum `_limit`: not shown". */
interface ReadLogs {
  readonly whole: LogPaths
  readonly isDefaultWhole: boolean
}

/** A limit beyond the logs that a run of the verifier leaves. */
const largeLimit = 1_000

/** Reads all logs; undefined if a maximum limit excludes some. */
async function readLogs(sequence: SequenceRun, path: string): Promise<ReadLogs | undefined> {
  const limited = await sequence.get(`${path}?_limit=${largeLimit}`)
  const shifted = filesOf(await sequence.get(`${path}?_limit=${largeLimit}&_offset=1`))
  const byDefault = filesOf(await sequence.get(path))
  const whole = filesOf(limited)
  if (whole === undefined || byDefault === undefined) return undefined
  const all = [...whole.ofBlocks, ...whole.ofRuns]
  // A limit does not turn a log of a block into one of a run.
  const moved = all.find((file) => isOfOtherKind(file, byDefault, whole))
  sequence.note(
    'list-logs/paging',
    limited,
    unless(moved === undefined, moved, 'the same kind without a limit'),
  )
  const isCapped = [...(shifted?.ofBlocks ?? []), ...(shifted?.ofRuns ?? [])].some(
    (file) => !all.includes(file),
  )
  return isCapped ? undefined : { whole, isDefaultWhole: isSame(whole, byDefault) }
}

function isOfOtherKind(file: string, one: LogPaths, other: LogPaths): boolean {
  const kindsIn = ({ ofBlocks, ofRuns }: LogPaths) => [ofBlocks.includes(file), ofRuns.includes(file)]
  return equal(kindsIn(one), kindsIn(other).toReversed()) && !equal(kindsIn(one), kindsIn(other))
}

/** Maximum number of attempts to page through logs that grow. */
const mostReads = 4

/** Reads the pages; returns whether the logs were the same from the first page to the last. */
async function pageOnce(
  sequence: SequenceRun,
  path: string,
  { whole, isDefaultWhole }: ReadLogs,
): Promise<boolean> {
  const most = Math.max(whole.ofBlocks.length, whole.ofRuns.length)
  const pages: readonly LogPage[] = [
    { limit: 1 }, { limit: 1, since: 1 }, { offset: 1, since: 1 }, { limit: most, offset: 0 }, { limit: most + 5, since: 0 },
    { limit: 2, offset: 1 }, { offset: most + 5, since: 0 }, { limit: 1, offset: 2 }, { limit: 0 },
  ] // biome-ignore format: a list of pages
  const empty = sequence.context.logged?.empty ?? `${sequence.prefix}_none`
  let possible = readings
  for (const page of pages) {
    if (page.limit === undefined && !isDefaultWhole) continue
    const query = [
      ...(page.limit === undefined ? [] : [`_limit=${page.limit}`]),
      ...(page.offset === undefined ? [] : [`_offset=${page.offset}`]),
    ].join('&')
    const since = page.since === undefined ? '' : `&start_timestamp=${page.since}`
    // Concurrently reads the logs of another pipeline, which must not affect the reply.
    const [exchange, own] = await Promise.all([
      sequence.get(`${path}?${query}${since}`),
      sequence.get(`/api/pipelines/${encodeURIComponent(empty)}/logs?${query}`),
    ])
    const shown = filesOf(exchange)
    // The meaning of a limit of 0 is not specified (`default-limit`), nor the reply past the end.
    const isPastEnd = (page.offset ?? 0) >= Math.min(most, whole.items?.length ?? most)
    if ((page.limit === 0 || isPastEnd) && exchange.error !== undefined) continue
    const still = possible.filter((explains) => shown !== undefined && explains(shown, whole, page))
    const rules = ['list-logs/paging', page.since === undefined ? undefined : 'list-logs/filter'] as const
    if (still.length === 0) {
      const again = await readLogs(sequence, path)
      if (again === undefined || !isSame(again.whole, whole)) return false
      const { items: _, ...files } = whole
      const received = shown ? { ofBlocks: shown.ofBlocks, ofRuns: shown.ofRuns } : errorOf(exchange)
      // The page may be wrong whatever the timestamp.
      const plain = page.since === undefined ? undefined : filesOf(await sequence.get(`${path}?${query}`))
      const isOfTime = plain !== undefined && possible.some((explains) => explains(plain, whole, page))
      const flaw = { received, expected: { ...page, of: files } }
      sequence.note(isOfTime ? rules : 'list-logs/paging', exchange, flaw)
      return true
    }
    possible = still
    // Empty pages show nothing.
    if (most > 0) sequence.note(rules, exchange)
    const unexpected = filesOf(own)
    const isEmpty = unexpected === undefined || [...unexpected.ofBlocks, ...unexpected.ofRuns].length === 0
    sequence.note('list-logs/filter', own, unless(isEmpty, unexpected, 'no logs'))
  }
  return true
}

/** Reads the logs of pipelines with similar uuids, which may not exist: the files of the pipeline must not be among them. */
async function readWithOtherUuids(sequence: SequenceRun, pipeline: string, whole: LogPaths): Promise<void> {
  for (const near of [...nearUuids.slice(1, 4), ...alikeUuids]) {
    const uuid = near(pipeline)
    if (uuid === pipeline) continue
    const exchange = await sequence.get(`/api/pipelines/${encodeURIComponent(uuid)}/logs`)
    const { ofBlocks, ofRuns } = filesOf(exchange) ?? { ofBlocks: [], ofRuns: [] }
    const unexpected = [...ofBlocks, ...ofRuns].find((file) =>
      [...whole.ofBlocks, ...whole.ofRuns].includes(file),
    )
    const flaw = unless(unexpected === undefined, unexpected, 'no log of another pipeline')
    sequence.note('list-logs/filter', exchange, flaw)
  }
}

/** Returns the files of all items; undefined if the reply is no list of logs. A target may omit an item without files. */
function filesOf(exchange: Exchange): LogPaths | undefined {
  const items = listIn(exchange, 'logs')?.map((item): LogPaths => {
    const pathsIn = (files: unknown) =>
      Array.isArray(files) ? files.filter(isObject).map(({ path }) => String(path)) : []
    return { ofBlocks: pathsIn(item.block_run_logs), ofRuns: pathsIn(item.pipeline_run_logs) }
  })
  return (
    items && {
      ofBlocks: items.flatMap(({ ofBlocks }) => ofBlocks),
      ofRuns: items.flatMap(({ ofRuns }) => ofRuns),
      items,
    }
  )
}

function isSame(one: LogPaths, other: LogPaths): boolean {
  return equal(one.ofBlocks, other.ofBlocks) && equal(one.ofRuns, other.ofRuns)
}
