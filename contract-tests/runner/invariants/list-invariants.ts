import { hidden } from '../../../src/shared/hidden.ts'
import type { Exchange } from '../client.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { queryOf } from '../plain-address.ts'
import type { ReceivedRecord } from '../replies.ts'
import type { AspectNote, InvariantCheck } from './invariant-check.ts'

/** Checks that a list has what its path and its parameters select, each record once. */
export function checkSelection(
  records: readonly ReceivedRecord[],
  exchange: Exchange,
  reached: ReachedOperation,
  note: AspectNote,
): void {
  const { facts, parameters } = reached
  const query = queryOf(exchange)
  const limit = wholeNumber(query.get('_limit'))
  // "Maximum number of items in a list response (backfills, logs, OAuth tokens)"; items of logs contain files.
  if (limit !== undefined && facts.plural !== 'logs')
    note('paging', records.length > limit ? { items: records.length } : undefined)
  if (limit !== undefined && facts.plural === 'logs') note('paging', logsBeyond(records, limit))
  const twice = repeated(records.map((record) => record[identityOf[facts.plural] ?? '']))
  if (records.length > 0 && facts.plural in identityOf)
    note('complete', twice === undefined ? undefined : { twice })
  const home = parameters.pipeline_uuid ?? query.get('pipeline_uuid')
  if (home && facts.plural !== 'logs') {
    const foreign = records.filter((record) => 'pipeline_uuid' in record && record.pipeline_uuid !== home)
    if (records.length > 0)
      note('filter', foreign.length > 0 ? { pipeline_uuid: foreign[0]?.pipeline_uuid } : undefined)
  }
  const tags = query.getAll('tag[]')
  if (facts.plural === 'pipeline_schedules' && tags.length > 0) {
    const untagged = records.find(
      (record) => Array.isArray(record.tags) && !record.tags.some((tag) => tags.includes(String(tag))),
    )
    note('filter', untagged && { tags: untagged.tags })
  }
  if (/^(true|True|1)$/.test(query.get('include_run_count') ?? '') && records.length > 0)
    note(
      'run-count',
      records.every((record) => 'total_run_count' in record) ? undefined : { absent: 'total_run_count' },
    )
}

/** The attribute that identifies the items of a list. */
const identityOf: Readonly<Record<string, string>> = {
  pipelines: 'uuid',
  backfills: 'id',
  pipeline_schedules: 'id',
  oauth_access_tokens: 'token',
}

function repeated(values: readonly unknown[]): unknown {
  const seen = new Set<unknown>()
  // Recorders hide tokens, and targets mask them: they are then all the same.
  const isMasked = (value: unknown) => value === hidden || String(value).includes('**')
  return values.find((value) => value !== undefined && !isMasked(value) && seen.size === seen.add(value).size)
}

/** Checks what the specification states of the records in one operation's list. */
export function checkList(
  records: readonly ReceivedRecord[],
  { facts: { operation } }: ReachedOperation,
  exchange: Exchange,
  check: InvariantCheck,
): void {
  if (operation === 'listPipelineSchedules' && records.length > 0) {
    const twice = repeated(records.map(({ token }) => token))
    const found = 'two schedules share a token'
    check('schedule-list/token-unique', twice === undefined, exchange, twice && found)
  }
  const requestsCount = (queryOf(exchange).get('include_run_count') ?? 'false') !== 'false'
  if (operation === 'listBackfills' && records.length > 0 && !requestsCount) {
    const isUnexpected = records.some((record) => 'total_run_count' in record)
    const found = isUnexpected && { notRequested: 'total_run_count' }
    check('backfill-list/run-count-only-when-asked', !isUnexpected, exchange, found)
  }
  for (const record of operation === 'listLogs' ? records : []) {
    const { block_run_logs: files, total_block_run_log_count: total } = record
    const isLess = Array.isArray(files) && typeof total === 'number' && total < files.length
    if (Array.isArray(files) && files.length > 0) check('logs/totals', !isLess, exchange, total)
  }
}

/**
 * The numbers of items and files, if a list of logs exceeds a limit in every interpretation: "Maximum number of items in
 * a list response" may count items of the list, files, or files of each kind.
 */
function logsBeyond(items: readonly ReceivedRecord[], limit: number): unknown {
  const countIn = (kind: string) =>
    items.reduce((sum, item) => sum + (Array.isArray(item[kind]) ? item[kind].length : 0), 0)
  const counts = {
    logs: items.length,
    block_run_logs: countIn('block_run_logs'),
    pipeline_run_logs: countIn('pipeline_run_logs'),
  }
  const { logs, block_run_logs: ofBlocks, pipeline_run_logs: ofRuns } = counts
  return logs > limit && Math.max(ofBlocks, ofRuns) > limit ? counts : undefined
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
