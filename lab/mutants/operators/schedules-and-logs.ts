import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atRow,
  defineOperators,
  early,
  facts,
  handles,
  lists,
  recordIn,
  records,
  recordsIn,
  requestTriggers,
  returned,
  sentence,
  shows,
  type Target,
  withQuery,
} from '../mutant.ts'
import { isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { fittingTriggers } from '../triggers.ts'

const associated = sentence('Read pipelines', 'its associated triggers')
const scheduleToken = sentence('Trigger pipeline', 'Unique token of the schedule to trigger')
const variables = sentence('Pipeline schedule', '`variables`')

/** Shows only some of the triggers with a pipeline. */
const schedulesShown = (count: number): Target[] =>
  (['listPipelines', 'readPipeline'] as const).map((operation) =>
    records(at(operation, 'schedules', associated, ...fittingTriggers(facts(operation))), (pipeline) =>
      Array.isArray(pipeline.schedules)
        ? { ...pipeline, schedules: pipeline.schedules.slice(0, count) }
        : pipeline,
    ),
  )

/** The tokens of the schedules that replies have shown, by id. */
const knownTokens = ({ earlier: all }: MutantRequest): ReadonlyMap<string, string> =>
  new Map(
    all
      .flatMap(({ reply }) => [
        ...recordsIn(reply, 'pipeline_schedules'),
        recordIn(reply, 'pipeline_schedule'),
      ])
      .filter(isObject)
      .map(({ id, token }) => [String(id), String(token)]),
  )

/** Triggers a schedule with a token that is not its own. */
const tokens = (
  kind: string,
  fits: (given: string, own: string, all: readonly string[]) => boolean,
): Target =>
  handles(
    at('triggerPipeline', `token-${kind}`, scheduleToken, ...early, 'from-the-fourth-request'),
    async (request, forward) => {
      const reply = await forward()
      const { pipeline_schedule_id: id = '', token = '' } = request.parameters
      const known = knownTokens(request)
      const own = known.get(id)
      return isErrorReply(reply) && own !== undefined && fits(token, own, [...known.values()])
        ? forward({ path: `/api/pipeline_schedules/${id}/pipeline_runs/${own}` })
        : reply
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
    at('listLogs', aspect, sentence('Pipeline logs entry', part), ...requestTriggers('listLogs')),
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
  'schedules-of-none': schedulesShown(0),
  'schedules-first-only': schedulesShown(1),
  'schedules-of-all': lists(
    at('listPipelines', 'schedules', associated, ...early, 'only-with-the-key-in-the-query'),
    (pipelines, { query }) => {
      const schedules = pipelines.flatMap(({ schedules: own }) => (Array.isArray(own) ? own : []))
      return query.has('include_schedules')
        ? pipelines.map((pipeline) => ({ ...pipeline, schedules }))
        : pipelines
    },
  ),
  'token-read-otherwise': [
    tokens('prefix', (given, own) => given.length > 3 && own !== given && own.startsWith(given)),
    tokens('longer', (given, own) => given.length > own.length && given.startsWith(own)),
    tokens('any', () => true),
    tokens('of-another-schedule', (given, _, all) => all.includes(given)),
    tokens('with-blanks', (given, own) => given.trim() === own),
  ],
  'trigger-changes-schedule': shows(
    at('listPipelineSchedules', 'variables', variables, 'always'),
    (schedule, request) => {
      const run = returned(request, 'triggerPipeline').findLast(
        (own) => own.pipeline_schedule_id === schedule.id,
      )
      return run ? { ...schedule, variables: run.event_variables } : schedule
    },
  ),
  'log-kinds-swapped': logs('block_run_logs', '`block_run_logs`', (entry) => ({
    ...entry,
    block_run_logs: entry.pipeline_run_logs,
    pipeline_run_logs: entry.block_run_logs,
  })),
  'log-totals-null': ['total_block_run_log_count', 'total_pipeline_run_log_count'].map((name) =>
    logs(name, `\`${name}\``, (entry) => ({ ...entry, [name]: null })),
  ),
  'log-content-null': logFiles('content', (file) => ({ ...file, content: null })),
  'log-content-lines': logFiles('content', (file) => ({
    ...file,
    content: String(file.content).split('\n'),
  })),
  'log-name-absent': logFiles('name', ({ name, ...file }) => file),
  'logs-limit-only-blocks': lists(
    atRow('listLogs', '_limit', ...early, 'only-with-an-offset'),
    async (entries, request, forward) => {
      if (!request.query.has('_limit')) return entries
      const [whole] = recordsIn(await forward({ path: withQuery(request, { _limit: undefined }) }), 'logs')
      return entries.map((entry) => ({ ...entry, pipeline_run_logs: whole?.pipeline_run_logs ?? [] }))
    },
  ),
})
