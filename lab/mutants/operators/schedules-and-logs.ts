import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atRow,
  defineOperators,
  facts,
  recordIn,
  records,
  recordsIn,
  remembers,
  replies,
  requestTriggers,
  sentence,
  type Target,
  withQuery,
} from '../mutant.ts'
import { isErrorReply } from '../serve-mutant.ts'
import { always, fittingTriggers, named } from '../triggers.ts'

const associated = sentence('Read pipelines', 'its associated triggers')
const scheduleToken = sentence('Trigger pipeline', 'Unique token of the schedule to trigger')
const variables = sentence('Pipeline schedule', '`variables`')

/** Shows only some of the triggers with a pipeline. */
const schedulesShown = (count: number): Target[] =>
  (['listPipelines', 'readPipeline'] as const).map((operation) =>
    records(at(operation, 'schedules', associated, fittingTriggers(facts(operation))), (pipeline) =>
      Array.isArray(pipeline.schedules)
        ? { ...pipeline, schedules: pipeline.schedules.slice(0, count) }
        : pipeline,
    ),
  )

/** Triggers a schedule with a token that is not its own. */
const tokens = (
  kind: string,
  fits: (given: string, own: string, all: readonly string[]) => boolean,
): Target =>
  remembers(
    at(
      'triggerPipeline',
      `token-${kind}`,
      scheduleToken,
      named('always', 'from-the-second-request', 'from-the-fourth-request'),
    ),
    (applies) => () => {
      const known = new Map<string, string>()
      return async (request, ask) => {
        const reply = await ask()
        const single = recordIn(reply, 'pipeline_schedule')
        for (const schedule of [...recordsIn(reply, 'pipeline_schedules'), single])
          if (isObject(schedule)) known.set(String(schedule.id), String(schedule.token))
        const { pipeline_schedule_id: id = '', token = '' } = request.parameters
        const own = known.get(id)
        return applies(request) &&
          isErrorReply(reply) &&
          own !== undefined &&
          fits(token, own, [...known.values()])
          ? ask({ path: `/api/pipeline_schedules/${id}/pipeline_runs/${own}` })
          : reply
      }
    },
  )

/** An entry of the logs. */
export interface LogEntry extends Json {
  readonly block_run_logs: readonly Json[]
  readonly pipeline_run_logs: readonly Json[]
}

/** Changes the entries of the logs. */
const logs = (aspect: string, part: string, change: (entry: LogEntry) => Json): Target =>
  records(
    at('listLogs', aspect, sentence('Pipeline logs entry', part), requestTriggers('listLogs')),
    (entry) => {
      const { block_run_logs, pipeline_run_logs } = entry
      if (!Array.isArray(block_run_logs) || !Array.isArray(pipeline_run_logs)) return entry
      return change({ ...entry, block_run_logs, pipeline_run_logs })
    },
  )

/** Changes the files of the logs. */
const logFiles = (aspect: string, change: (file: Json) => Json): Target =>
  logs(aspect, 'may be long', (entry) => ({
    ...entry,
    block_run_logs: entry.block_run_logs.map(change),
    pipeline_run_logs: entry.pipeline_run_logs.map(change),
  }))

/** Changes of the triggers of pipelines, and of logs. */
export const triggerAndLogOperators = defineOperators({
  'schedules-of-none': ['gives a pipeline no triggers when it is asked for them', schedulesShown(0)],
  'schedules-first-only': ['gives a pipeline only the first of its triggers', schedulesShown(1)],
  'schedules-of-all': [
    'gives every pipeline of a list the triggers of all',
    replies(
      at(
        'listPipelines',
        'schedules',
        associated,
        named('always', 'from-the-second-request', 'only-with-the-key-in-the-query'),
      ),
      (reply, { query }) => {
        if (!query.has('include_schedules')) return undefined
        const all = recordsIn(reply, 'pipelines')
        const schedules = all.flatMap((pipeline) =>
          Array.isArray(pipeline.schedules) ? pipeline.schedules : [],
        )
        return { body: { ...reply.body, pipelines: all.map((pipeline) => ({ ...pipeline, schedules })) } }
      },
    ),
  ],
  'token-read-otherwise': [
    'triggers a schedule with a token that is not its own',
    tokens('prefix', (given, own) => given.length > 3 && own !== given && own.startsWith(given)),
    tokens('longer', (given, own) => given.length > own.length && given.startsWith(own)),
    tokens('any', () => true),
    tokens('of-another-schedule', (given, _, all) => all.includes(given)),
    tokens('with-blanks', (given, own) => given.trim() === own),
  ],
  'trigger-changes-schedule': [
    'stores the variables of a run in its schedule',
    remembers(at('listPipelineSchedules', 'variables', variables, always), (applies) => () => {
      const stored = new Map<unknown, unknown>()
      return async (request, ask) => {
        const reply = await ask()
        const run = recordIn(reply, 'pipeline_run')
        if (run) stored.set(run.pipeline_schedule_id, run.event_variables)
        if (!applies(request) || isErrorReply(reply) || !isObject(reply.body)) return reply
        const pipeline_schedules = recordsIn(reply, 'pipeline_schedules').map((schedule) =>
          stored.has(schedule.id) ? { ...schedule, variables: stored.get(schedule.id) } : schedule,
        )
        return { ...reply, body: { ...reply.body, pipeline_schedules } }
      }
    }),
  ],
  'log-kinds-swapped': [
    'gives the logs of blocks for those of runs',
    logs('block_run_logs', '`block_run_logs`', (entry) => ({
      ...entry,
      block_run_logs: entry.pipeline_run_logs,
      pipeline_run_logs: entry.block_run_logs,
    })),
  ],
  'log-totals-null': [
    'gives null for a total of logs',
    ['total_block_run_log_count', 'total_pipeline_run_log_count'].map((name) =>
      logs(name, `\`${name}\``, (entry) => ({ ...entry, [name]: null })),
    ),
  ],
  'log-content-null': [
    'gives null for the content of a log file',
    logFiles('content', (file) => ({ ...file, content: null })),
  ],
  'log-content-lines': [
    'gives the content of a log file as an array of lines',
    logFiles('content', (file) => ({ ...file, content: String(file.content).split('\n') })),
  ],
  'log-name-absent': ['omits the name of a log file', logFiles('name', ({ name, ...file }) => file)],
  'logs-limit-only-blocks': [
    'limits the logs of blocks and not those of runs',
    replies(
      atRow('listLogs', '_limit', named('always', 'from-the-second-request', 'only-with-an-offset')),
      async (reply, request, ask) => {
        if (!request.query.has('_limit')) return undefined
        const [whole] = recordsIn(await ask({ path: withQuery(request, { _limit: undefined }) }), 'logs')
        const all = recordsIn(reply, 'logs').map((entry) => ({
          ...entry,
          pipeline_run_logs: whole?.pipeline_run_logs ?? [],
        }))
        return { body: { ...reply.body, logs: all } }
      },
    ),
  ],
})
