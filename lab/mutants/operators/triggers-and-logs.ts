import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { asked, facts, named, type Operator, onRecords, onSuccess, sentence } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import { files, logStrikes } from './filter-strikes.ts'
import { parameter, withQuery } from './list-strikes.ts'

/** What goes wrong with the triggers of pipelines and the contents of logs. */
export const triggerAndLogOperators: readonly Operator[] = [
  schedulesShown('schedules-of-none', 'gives a pipeline no triggers where it is asked for them', 0),
  schedulesShown('schedules-first-only', 'gives a pipeline only the first of its triggers', 1),
  {
    name: 'schedules-of-all',
    does: 'gives every pipeline of a list the triggers of all',
    strikes: [
      {
        operation: 'listPipelines',
        aspect: 'schedules',
        sentence: sentence('Read pipelines', 'its associated triggers'),
        guards: named('always', 'fromTheSecond', 'limited', 'keyInQuery'),
        wrong: (holds) =>
          onSuccess('listPipelines', ({ body }, heard) => {
            const pipelines = Array.isArray(body.pipelines) ? body.pipelines.filter(isObject) : []
            if (!heard.query.has('include_schedules') || !holds(asked(heard))) return {}
            const schedules = pipelines.flatMap((pipeline) =>
              Array.isArray(pipeline.schedules) ? pipeline.schedules : [],
            )
            return { body: { ...body, pipelines: pipelines.map((pipeline) => ({ ...pipeline, schedules })) } }
          }),
      },
    ],
  },
  {
    name: 'log-kinds-swapped',
    does: 'gives the logs of blocks for those of runs',
    strikes: logStrikes('block_run_logs', '`block_run_logs`', (entry) => ({
      ...entry,
      block_run_logs: entry.pipeline_run_logs,
      pipeline_run_logs: entry.block_run_logs,
    })),
  },
  {
    name: 'log-totals-null',
    does: 'gives no totals of logs',
    strikes: [
      ...logStrikes('total_block_run_log_count', '`total_block_run_log_count`', (entry) => ({
        ...entry,
        total_block_run_log_count: null,
      })),
      ...logStrikes('total_pipeline_run_log_count', '`total_pipeline_run_log_count`', (entry) => ({
        ...entry,
        total_pipeline_run_log_count: null,
      })),
    ],
  },
  {
    name: 'log-content-null',
    does: 'gives null for the content of a log file',
    strikes: logStrikes('content', 'may be long', (entry) =>
      files(entry, (file) => ({ ...file, content: null })),
    ),
  },
  {
    name: 'log-content-lines',
    does: 'gives the content of a log file as an array of lines',
    strikes: logStrikes('content', 'may be long', (entry) =>
      files(entry, (file) => ({ ...file, content: String(file.content).split('\n') })),
    ),
  },
  {
    name: 'log-name-absent',
    does: 'leaves the name of a log file out',
    strikes: logStrikes('name', 'may be long', (entry) =>
      files(entry, ({ path, content }) => ({ path, content })),
    ),
  },
  {
    name: 'logs-limit-only-blocks',
    does: 'limits the logs of blocks and not those of runs',
    strikes: [
      {
        operation: 'listLogs',
        aspect: '_limit',
        sentence: parameter('listLogs', '_limit'),
        guards: named('always', 'fromTheSecond', 'laterPage'),
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          if (
            heard.operation !== 'listLogs' ||
            !heard.query.has('_limit') ||
            !holds(asked(heard)) ||
            isErrorReply(reply)
          )
            return reply
          const whole = await ask({ path: withQuery(heard, { _limit: undefined }) })
          const runs = (entries: unknown) =>
            Array.isArray(entries) && isObject(entries[0]) ? entries[0].pipeline_run_logs : []
          if (!isObject(reply.body) || !isObject(whole.body) || !Array.isArray(reply.body.logs)) return reply
          const logs = reply.body.logs.map((entry) => ({
            ...entry,
            pipeline_run_logs: runs(isObject(whole.body) ? whole.body.logs : []),
          }))
          return { ...reply, body: { ...reply.body, logs } }
        },
      },
    ],
  },
]

/** A server that shows only the first so many triggers with a pipeline. */
function schedulesShown(name: string, does: string, shown: number): Operator {
  return {
    name,
    does,
    strikes: (['listPipelines', 'readPipeline'] as const).map((operation) => ({
      operation,
      aspect: 'schedules',
      sentence: sentence('Read pipelines', 'its associated triggers'),
      guards: fittingGuards(facts(operation)),
      wrong: (holds) =>
        onRecords(operation, (record, situation) =>
          Array.isArray(record.schedules) && holds(situation)
            ? { ...record, schedules: record.schedules.slice(0, shown) }
            : record,
        ),
    })),
  }
}
