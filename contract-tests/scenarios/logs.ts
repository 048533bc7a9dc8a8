import type { Exchange } from '../judge/client.ts'
import { isObject } from '../judge/is-object.ts'
import { findLogs } from '../judge/others-pipelines.ts'
import { equal, listIn, type ReceivedRecord } from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import { whileSteady } from '../judge/while-steady.ts'
import { fieldsOf } from '../rules/fields.ts'
import type { RuleId } from '../rules/index.ts'
import type { JudgeScenario } from './define-scenario.ts'

const needLogs: readonly RuleId[] = [
  'logs/start-timestamp', 'logs/start-timestamp-past', 'logs/totals', 'limits/limit-logs', 'limits/offset-logs',
  'log-file-fields/name', 'log-file-fields/path', 'log-file-fields/content',
] // biome-ignore format: a list of ids

/** Reads logs; pages and times need a pipeline that has some. */
export const logs: JudgeScenario = {
  name: 'logs',
  makes: 'nothing',
  effects: 'reads',
  covers: ['logs', 'logs-fields', 'log-file-fields', 'limits'],
  async run(stage) {
    const withLogs = await findLogs(stage)
    stage.logs = { pipeline: withLogs }
    const any = withLogs ?? listIn(await stage.get('/api/pipelines'), 'pipelines')?.[0]?.uuid
    if (any === undefined) {
      const missing = 'The target has no pipeline; create one.'
      stage.verdicts.notReached(
        ['logs/envelope', 'logs/metadata', ...entryRules, ...needLogs],
        missing,
        'need',
      )
      return
    }
    await judgeEnvelope(stage, String(any))
    if (withLogs === undefined) {
      stage.verdicts.notReached(needLogs, 'No pipeline has two log files of blocks; run one first.', 'need')
      return
    }
    await judgePages(stage, withLogs)
  },
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
const filesOf = (exchange: Exchange): ReceivedRecord[] => {
  const files = entryOf(exchange)?.block_run_logs
  return Array.isArray(files) ? files : []
}

async function judgeEnvelope(stage: Stage, pipeline: string): Promise<void> {
  const reply = await stage.get(`/api/pipelines/${encodeURIComponent(pipeline)}/logs`)
  stage.check('logs/envelope', listIn(reply, 'logs') !== undefined, reply)
  stage.check(
    'logs/metadata',
    isObject(reply.body) && equal(reply.body.metadata, {}),
    reply,
    isObject(reply.body) && reply.body.metadata,
  )
  if (listIn(reply, 'logs')?.length === 0) {
    stage.verdicts.notReached(entryRules, 'The list of logs has no entry; run a pipeline first.', 'need')
    return
  }
  stage.observe('logs', entryOf(reply), reply)
}

/** Reads the files in pages and by time. Runs of others write some meanwhile: the list is read before and after. */
async function judgePages(stage: Stage, pipeline: string): Promise<void> {
  const path = `/api/pipelines/${encodeURIComponent(pipeline)}/logs`
  const all = await stage.get(path)
  stage.observe('log-file', filesOf(all)[0], all)
  const total = Number(entryOf(all)?.total_block_run_log_count)
  stage.check('logs/totals', total >= filesOf(all).length, all, total)
  const seconds = await stage.get(`${path}?start_timestamp=4102444800`)
  // The unit is not said: a server may count milliseconds.
  const future =
    filesOf(seconds).length === 0 ? seconds : await stage.get(`${path}?start_timestamp=4102444800000`)
  stage.check(
    'logs/start-timestamp',
    filesOf(future).length === 0 && listIn(future, 'logs') !== undefined,
    future,
    filesOf(future).length,
  )
  const steady = await whileSteady(
    () => stage.get(path),
    async () => ({
      one: await stage.get(`${path}?_limit=1`),
      second: await stage.get(`${path}?_limit=1&_offset=1`),
      past: await stage.get(`${path}?start_timestamp=946684800`),
    }),
    (seen) => [pathsOf(seen), entryOf(seen)?.total_block_run_log_count],
  )
  if (steady === undefined) {
    const missing = `The logs of ${pipeline} grow at every look; judge them when fewer pipelines run.`
    stage.verdicts.notReached(
      ['limits/limit-logs', 'limits/offset-logs', 'logs/start-timestamp-past'],
      missing,
      'need',
    )
    return
  }
  const { one, second, past } = steady.asked
  const isBounded = (listIn(one, 'logs') ?? []).every(
    ({ block_run_logs: ofBlocks, pipeline_run_logs: ofRuns }) =>
      [ofBlocks, ofRuns].every((kind) => Array.isArray(kind) && kind.length <= 1),
  )
  stage.check('limits/limit-logs', isBounded && allIn(one).length > 0, one, pathsOf(one))
  stage.compare('logs/start-timestamp-past', filesOf(steady.seen).length, filesOf(past).length, past)
  // Two runs may write files of one path: what tells a file is all that it shows.
  const everything = allIn(steady.seen).map((file) => JSON.stringify(file))
  if (new Set(everything).size < everything.length) {
    stage.verdicts.notReached(
      ['limits/offset-logs'],
      `Two log files of ${pipeline} are alike; judge another.`,
      'need',
    )
    return
  }
  const isNext =
    allIn(second).length > 0 && !allIn(second).some((file) => allIn(one).some((each) => equal(each, file)))
  stage.check('limits/offset-logs', isNext, second, pathsOf(second))
}
