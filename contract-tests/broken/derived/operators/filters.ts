import type { OperationId } from '../../../rules/operation-id.ts'
import type { Reply } from '../../define-broken.ts'
import { fittingGuards } from '../guards.ts'
import { asked, facts, named, type Operator, onRecords, onSuccess, type Strike, sentence } from '../mutant.ts'
import { type Ask, type Heard, isErrorReply, isJson, type Json } from '../wrong-server.ts'
import { parameter, withQuery } from './lists.ts'

type Keeps = (record: Json, wanted: readonly string[]) => boolean

/** Reads a list without its filter, and filters it in a way of its own. */
async function refiltered(heard: Heard, ask: Ask, name: string, keeps: Keeps): Promise<Reply> {
  const wanted = heard.query.getAll(name)
  const paging = { _limit: undefined, _offset: undefined }
  const reply = await ask({ path: withQuery(heard, { ...paging, [name]: undefined }) })
  if (heard.operation === undefined || !isJson(reply.body) || isErrorReply(reply)) return reply
  const { plural } = facts(heard.operation)
  const records = reply.body[plural]
  if (!Array.isArray(records)) return reply
  const kept = records.filter((record) => isJson(record) && keeps(record, wanted))
  const offset = Number(heard.query.get('_offset') ?? 0)
  const limit = heard.query.get('_limit')
  const page = kept.slice(offset, limit === null ? undefined : offset + Number(limit))
  const metadata = { count: kept.length, next: offset + page.length < kept.length }
  return { ...reply, body: { ...reply.body, [plural]: page, metadata } }
}

function filterStrike(operation: OperationId, name: string, keeps: Keeps): Strike {
  return {
    operation,
    aspect: name,
    sentence: parameter(operation, name),
    guards: fittingGuards(facts(operation), undefined, ['request']).filter(
      (guard) => guard.name !== 'only-without-the-filter',
    ),
    wrong: (holds) => () => (heard, ask) =>
      heard.operation === operation && heard.query.has(name) && holds(asked(heard))
        ? refiltered(heard, ask, name, keeps)
        : ask(),
  }
}

const ofPipeline = (keeps: (uuid: string, wanted: string) => boolean) =>
  filterStrike('listBackfills', 'pipeline_uuid', (record, [wanted = '']) =>
    keeps(String(record.pipeline_uuid), wanted),
  )

const tagsOf = ({ tags }: Json): string[] => (Array.isArray(tags) ? tags.map(String) : [])
const byTags = (keeps: (tags: readonly string[], wanted: readonly string[]) => boolean) =>
  filterStrike('listPipelineSchedules', 'tag[]', (record, wanted) => keeps(tagsOf(record), wanted))
const or = sentence('Limits', 'Repeated values match with OR')

/** Reads the same list of another parent. */
const elsewhere = (operation: 'listPipelineSchedules' | 'listLogs'): Strike => ({
  operation,
  aspect: 'pipeline_uuid',
  sentence: facts(operation).stated,
  guards: fittingGuards(facts(operation), undefined, ['request']),
  wrong: (holds) => () => {
    let other: string | undefined
    return async (heard, ask) => {
      const { pipeline_uuid: uuid } = heard.parameters
      const before = other
      if (heard.operation === operation) other = uuid
      if (heard.operation !== operation || before === undefined || before === uuid || !holds(asked(heard)))
        return ask()
      return ask({ path: `${heard.path.replace(`/${uuid}/`, `/${before}/`)}${heard.search}` })
    }
  },
})

interface LogEntry extends Json {
  readonly block_run_logs: readonly Json[]
  readonly pipeline_run_logs: readonly Json[]
}

function logStrikes(aspect: string, part: string, change: (entry: LogEntry, heard: Heard) => Json): Strike[] {
  return [
    {
      operation: 'listLogs',
      aspect,
      sentence: sentence('Pipeline logs entry', part),
      guards: fittingGuards(facts('listLogs'), undefined, ['request']),
      // The entry is as the good server gives it.
      wrong: (holds) =>
        onRecords('listLogs', (entry, { heard }) =>
          holds(asked(heard)) ? change(entry as LogEntry, heard) : entry,
        ),
    },
  ]
}

const files = (entry: LogEntry, change: (file: Json) => Json) => ({
  ...entry,
  block_run_logs: entry.block_run_logs.map(change),
  pipeline_run_logs: entry.pipeline_run_logs.map(change),
})

/** What goes wrong with filters, scopes, graphs of triggers and the contents of logs. */
export const filterOperators: readonly Operator[] = [
  {
    name: 'filter-prefix',
    does: 'filters by what a value begins with',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.startsWith(wanted)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => own.startsWith(tag)))),
    ],
  },
  {
    name: 'filter-substring',
    does: 'filters by what a value contains',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.includes(wanted)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => own.includes(tag)))),
    ],
  },
  {
    name: 'filter-any-case',
    does: 'filters without regard to capital letters',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.toLowerCase() === wanted.toLowerCase()),
      byTags((tags, wanted) =>
        wanted.some((tag) => tags.some((own) => own.toLowerCase() === tag.toLowerCase())),
      ),
    ],
  },
  {
    name: 'filter-joker',
    does: 'takes % and _ in a filter for any text and any letter',
    strikes: [
      ofPipeline((uuid, wanted) => like(wanted).test(uuid)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => like(tag).test(own)))),
    ],
  },
  {
    name: 'filter-unknown-is-all',
    does: 'returns everything where a filter finds nothing',
    strikes: (
      [
        ['listBackfills', 'pipeline_uuid', 'backfills'],
        ['listPipelineSchedules', 'tag[]', 'pipeline_schedules'],
      ] as const
    ).map(([operation, name, plural]) => ({
      ...filterStrike(operation, name, () => true),
      wrong: (holds) => () => async (heard, ask) => {
        const reply = await ask()
        if (
          heard.operation !== operation ||
          !heard.query.has(name) ||
          !isJson(reply.body) ||
          !holds(asked(heard))
        )
          return reply
        const records = reply.body[plural]
        return Array.isArray(records) && records.length === 0
          ? ask({ path: withQuery(heard, { [name]: undefined }) })
          : reply
      },
    })),
  },
  {
    name: 'tags-and',
    does: 'returns only schedules that have all of the tags',
    strikes: [{ ...byTags((tags, wanted) => wanted.every((tag) => tags.includes(tag))), sentence: or }],
  },
  {
    name: 'tags-first-only',
    does: 'sees only the first of several tags',
    strikes: [{ ...byTags((tags, wanted) => tags.includes(wanted[0] ?? '')), sentence: or }],
  },
  {
    name: 'tags-last-only',
    does: 'sees only the last of several tags',
    strikes: [{ ...byTags((tags, wanted) => tags.includes(wanted.at(-1) ?? '')), sentence: or }],
  },
  {
    name: 'tags-only-first-of-schedule',
    does: 'compares only the first tag of a schedule',
    strikes: [byTags(([first], wanted) => first !== undefined && wanted.includes(first))],
  },
  {
    name: 'tags-only-single',
    does: 'finds only schedules whose one tag it is',
    strikes: [byTags((tags, wanted) => tags.length === 1 && wanted.includes(tags[0] ?? ''))],
  },
  {
    name: 'tags-with-untagged',
    does: 'returns untagged schedules with any tag',
    strikes: [byTags((tags, wanted) => tags.length === 0 || wanted.some((tag) => tags.includes(tag)))],
  },
  {
    name: 'tags-at-most-two',
    does: 'sees no more than two tags',
    strikes: [
      { ...byTags((tags, wanted) => wanted.slice(0, 2).some((tag) => tags.includes(tag))), sentence: or },
    ],
  },
  {
    name: 'other-parent',
    does: 'reads the list of the pipeline asked for before',
    strikes: [elsewhere('listPipelineSchedules'), elsewhere('listLogs')],
  },
  {
    name: 'schedules-of-none',
    does: 'gives a pipeline no triggers where it is asked for them',
    strikes: (['listPipelines', 'readPipeline'] as const).map((operation) => ({
      operation,
      aspect: 'schedules',
      sentence: sentence('Read pipelines', 'its associated triggers'),
      guards: fittingGuards(facts(operation)),
      wrong: (holds) =>
        onRecords(operation, (record, situation) =>
          'schedules' in record && holds(situation) ? { ...record, schedules: [] } : record,
        ),
    })),
  },
  {
    name: 'schedules-first-only',
    does: 'gives a pipeline only the first of its triggers',
    strikes: (['listPipelines', 'readPipeline'] as const).map((operation) => ({
      operation,
      aspect: 'schedules',
      sentence: sentence('Read pipelines', 'its associated triggers'),
      guards: fittingGuards(facts(operation)),
      wrong: (holds) =>
        onRecords(operation, (record, situation) =>
          Array.isArray(record.schedules) && holds(situation)
            ? { ...record, schedules: record.schedules.slice(0, 1) }
            : record,
        ),
    })),
  },
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
            const pipelines = Array.isArray(body.pipelines) ? body.pipelines.filter(isJson) : []
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
            Array.isArray(entries) && isJson(entries[0]) ? entries[0].pipeline_run_logs : []
          if (!isJson(reply.body) || !isJson(whole.body) || !Array.isArray(reply.body.logs)) return reply
          const logs = reply.body.logs.map((entry) => ({
            ...entry,
            pipeline_run_logs: runs(isJson(whole.body) ? whole.body.logs : []),
          }))
          return { ...reply, body: { ...reply.body, logs } }
        },
      },
    ],
  },
]

/** A pattern as databases know it, with % and _ as jokers. */
function like(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'u')
}
