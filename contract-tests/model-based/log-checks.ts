import { fieldsOf } from '../rules/fields.ts'
import type { RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { logsBeyond } from '../runner/invariants/invariants.ts'
import { isObject } from '../runner/is-object.ts'
import { findLogs } from '../runner/others-pipelines.ts'
import { equal, listIn, type ReceivedRecord } from '../runner/replies.ts'
import { retryUnstable } from '../runner/retry-unstable.ts'
import type { RunContext } from '../runner/run-context.ts'

const needLogs: readonly RuleId[] = [
  'logs/start-timestamp', 'logs/start-timestamp-past', 'logs/totals', 'limits/limit-logs', 'limits/offset-logs',
  'log-file-fields/name', 'log-file-fields/path', 'log-file-fields/content',
] // biome-ignore format: a list of ids

/** Reads logs; pages and times need a pipeline that has some. */
export async function checkLogs(context: RunContext): Promise<void> {
  const withLogs = await findLogs(context)
  context.logs = { pipeline: withLogs }
  const any = withLogs ?? listIn(await context.get('/api/pipelines'), 'pipelines')?.[0]?.uuid
  if (any === undefined) {
    const missing = 'The target has no pipeline; create one.'
    context.verdicts.notReached(
      ['logs/envelope', 'logs/metadata', ...entryRules, ...needLogs],
      missing,
      'need',
    )
    return
  }
  await judgeEnvelope(context, String(any))
  if (withLogs === undefined) {
    context.verdicts.notReached(needLogs, 'No pipeline has two log files of blocks; run one first.', 'need')
    return
  }
  await judgePages(context, withLogs)
}

const entryRules = fieldsOf('logs').map(({ id }) => id)

/** Every log file of a reply: the document does not say how `_limit` counts files of two kinds. */
const allIn = (exchange: Exchange): ReceivedRecord[] =>
  (listIn(exchange, 'logs') ?? []).flatMap(({ block_run_logs, pipeline_run_logs }) =>
    [block_run_logs, pipeline_run_logs].flatMap((files) =>
      Array.isArray(files) ? files.filter(isObject) : [],
    ),
  )
const pathsOf = (exchange: Exchange): unknown[] => allIn(exchange).map(({ path }) => path)
const entryOf = (exchange: Exchange): ReceivedRecord | undefined => listIn(exchange, 'logs')?.[0]
const filesOf = (exchange: Exchange): ReceivedRecord[] =>
  (listIn(exchange, 'logs') ?? []).flatMap(({ block_run_logs: files }) =>
    Array.isArray(files) ? files.filter(isObject) : [],
  )
const totalOf = (exchange: Exchange): number =>
  (listIn(exchange, 'logs') ?? []).reduce((sum, item) => sum + Number(item.total_block_run_log_count), 0)

async function judgeEnvelope(context: RunContext, pipeline: string): Promise<void> {
  const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/logs`)
  context.check('logs/envelope', listIn(reply, 'logs') !== undefined, reply)
  context.check(
    'logs/metadata',
    isObject(reply.body) && equal(reply.body.metadata, {}),
    reply,
    isObject(reply.body) && reply.body.metadata,
  )
  if (listIn(reply, 'logs')?.length === 0) {
    context.verdicts.notReached(entryRules, 'The list of logs has no entry; run a pipeline first.', 'need')
    return
  }
  context.observe('logs', entryOf(reply), reply)
}

/** Reads the files in pages and by time. Runs of others write some meanwhile: the list is read before and after. */
async function judgePages(context: RunContext, pipeline: string): Promise<void> {
  const path = `/api/pipelines/${encodeURIComponent(pipeline)}/logs`
  const all = await context.get(path)
  context.observe('log-file', filesOf(all)[0], all)
  const total = totalOf(all)
  context.check('logs/totals', total >= filesOf(all).length, all, total)
  const seconds = await context.get(`${path}?start_timestamp=4102444800`)
  // The unit is not said: a server may count milliseconds.
  const future =
    filesOf(seconds).length === 0 ? seconds : await context.get(`${path}?start_timestamp=4102444800000`)
  context.check(
    'logs/start-timestamp',
    filesOf(future).length === 0 && listIn(future, 'logs') !== undefined,
    future,
    filesOf(future).length,
  )
  const steady = await retryUnstable(
    () => context.get(path),
    async () => ({
      one: await context.get(`${path}?_limit=1`),
      second: await context.get(`${path}?_limit=1&_offset=1`),
      past: await context.get(`${path}?start_timestamp=946684800`),
    }),
    (seen) => [pathsOf(seen), totalOf(seen)],
  )
  if (steady === undefined) {
    const missing = `The logs of ${pipeline} grow at every look; judge them when fewer pipelines run.`
    context.verdicts.notReached(
      ['limits/limit-logs', 'limits/offset-logs', 'logs/start-timestamp-past'],
      missing,
      'need',
    )
    return
  }
  const { one, second, past } = steady.asked
  const items = listIn(one, 'logs')
  const isBounded = items !== undefined && logsBeyond(items, 1) === undefined
  context.check('limits/limit-logs', isBounded, one, pathsOf(one))
  context.compare('logs/start-timestamp-past', filesOf(steady.seen).length, filesOf(past).length, past)
  // Two runs may write files of one path: what tells a file is all that it shows.
  const everything = allIn(steady.seen).map((file) => JSON.stringify(file))
  if (new Set(everything).size < everything.length) {
    context.verdicts.notReached(
      ['limits/offset-logs'],
      `Two log files of ${pipeline} are alike; judge another.`,
      'need',
    )
    return
  }
  // Past the end there may be an error; what an offset counts may be items of the list, or files.
  const isPastEnd = second.error !== undefined && (listIn(steady.seen, 'logs')?.length ?? 0) <= 1
  const isNext = isPastEnd || !allIn(second).some((file) => allIn(one).some((each) => equal(each, file)))
  context.check('limits/offset-logs', isNext, second, pathsOf(second))
}
