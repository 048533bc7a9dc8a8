import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { asked, facts, onRecords, pathOf, type Strike, sentence } from '../mutant.ts'
import { type Ask, type HeardRequest, isErrorReply } from '../wrong-server.ts'
import { parameter, withQuery } from './list-strikes.ts'

export type Keeps = (record: Json, wanted: readonly string[]) => boolean

/** Reads a list without its filter, and filters it in a way of its own. */
async function refiltered(heard: HeardRequest, ask: Ask, name: string, keeps: Keeps): Promise<ParsedReply> {
  const wanted = heard.query.getAll(name)
  const paging = { _limit: undefined, _offset: undefined }
  const reply = await ask({ path: withQuery(heard, { ...paging, [name]: undefined }) })
  if (heard.operation === undefined || !isObject(reply.body) || isErrorReply(reply)) return reply
  const { plural } = facts(heard.operation)
  const records = reply.body[plural]
  if (!Array.isArray(records)) return reply
  const kept = records.filter((record) => isObject(record) && keeps(record, wanted))
  const offset = Number(heard.query.get('_offset') ?? 0)
  const limit = heard.query.get('_limit')
  const page = kept.slice(offset, limit === null ? undefined : offset + Number(limit))
  const metadata = { count: kept.length, next: offset + page.length < kept.length }
  return { ...reply, body: { ...reply.body, [plural]: page, metadata } }
}

export function filterStrike(operation: OperationId, name: string, keeps: Keeps): Strike {
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

export const ofPipeline = (keeps: (uuid: string, wanted: string) => boolean) =>
  filterStrike('listBackfills', 'pipeline_uuid', (record, [wanted = '']) =>
    keeps(String(record.pipeline_uuid), wanted),
  )

const tagsOf = ({ tags }: Json): string[] => (Array.isArray(tags) ? tags.map(String) : [])
export const byTags = (keeps: (tags: readonly string[], wanted: readonly string[]) => boolean) =>
  filterStrike('listPipelineSchedules', 'tag[]', (record, wanted) => keeps(tagsOf(record), wanted))
export const or = sentence('Limits', 'Repeated values match with OR')

/** Reads the same list of another parent. */
export const elsewhere = (operation: 'listPipelineSchedules' | 'listLogs'): Strike => ({
  operation,
  aspect: 'pipeline_uuid',
  sentence: pathOf(operation),
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

/** An entry of the logs, as a reply carries it. */
export interface LogEntry extends Json {
  readonly block_run_logs: readonly Json[]
  readonly pipeline_run_logs: readonly Json[]
}

export function logStrikes(
  aspect: string,
  part: string,
  change: (entry: LogEntry, heard: HeardRequest) => Json,
): Strike[] {
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

export const files = (entry: LogEntry, change: (file: Json) => Json) => ({
  ...entry,
  block_run_logs: entry.block_run_logs.map(change),
  pipeline_run_logs: entry.pipeline_run_logs.map(change),
})

/** A pattern as databases know it, with % and _ as jokers. */
export function like(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'u')
}
