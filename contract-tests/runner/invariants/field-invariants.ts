import { fieldsOf, recordFields } from '../../rules/fields.ts'
import type { OperationId, RuleId } from '../../rules/index.ts'
import { microsecondsPattern } from '../../rules/shapes.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { queryOf } from '../plain-address.ts'
import { equal, type ReceivedRecord } from '../replies.ts'
import type { InvariantCheck } from './invariant-check.ts'

/**
 * Checks each field of the records in a reply against its row of the specification. A value that was sent on purpose
 * although it is not listed is another rule's matter.
 */
export function checkFields(
  records: readonly ReceivedRecord[],
  operation: OperationId,
  exchange: Exchange,
  check: InvariantCheck,
  isSentWrong: (attribute: string, value: unknown) => boolean,
): void {
  for (const { record: name } of recordFields.filter((table) => table.operation === operation)) {
    const shown = name === 'log-file' ? records.flatMap(filesOf) : records
    for (const { id, field, shape } of shown.length > 0 ? fieldsOf(name) : []) {
      const misfit = shown.find(
        (record) =>
          !(Object.hasOwn(record, field) && shape.fits(record[field])) && !isSentWrong(field, record[field]),
      )
      check(id, misfit === undefined, exchange, misfit?.[field])
    }
  }
}

/** The log files of an entry. */
function filesOf({ block_run_logs: ofBlocks, pipeline_run_logs: ofRuns }: ReceivedRecord): ReceivedRecord[] {
  return [ofBlocks, ofRuns].flat().filter(isObject)
}

const createdBlock = [
  'config', 'configuration', 'content', 'language', 'name', 'priority', 'type', 'upstream_blocks',
] // biome-ignore format: one list

/** Checks what the specification says of the record in one operation's reply. */
export function checkOperation(
  record: ReceivedRecord,
  { facts, parameters }: ReachedOperation,
  exchange: Exchange,
  checkExchange: InvariantCheck,
): void {
  const check = (id: RuleId, holds: boolean, received: unknown) =>
    checkExchange(id, holds, exchange, received)
  const lacks = (attribute: string) => !Object.hasOwn(record, attribute)
  const isSameId = String(record.id) === parameters.backfill_id
  switch (facts.operation) {
    case 'readPipeline':
      // A target may ignore the case of a uuid.
      check('pipeline-read/one', isSameText(record.uuid, parameters.uuid), record.uuid)
      check('pipeline-extensions/present', !lacks('extensions'), Object.keys(record))
      break
    case 'createBlock': {
      const keys = Object.keys(record).sort()
      check('block-create/eight-fields', equal(keys, createdBlock), keys)
      break
    }
    case 'readBlock':
      check('block-read/outputs', Array.isArray(record.outputs), record.outputs)
      break
    case 'deleteBlock':
      check('block-delete/returns-block', record.uuid === parameters.block_uuid, record.uuid)
      check('block-delete/no-content', lacks('content'), record.content)
      check('block-delete/no-outputs', lacks('outputs'), record.outputs)
      break
    case 'updateBackfill':
      check('backfill-update/returns-backfill', isSameId, record.id)
      break
    case 'deleteBackfill':
      check('backfill-delete/returns-backfill', isSameId, record.id)
      check('backfill-states/removed-returned', isSameId, record.id)
      break
    default:
  }
}

/** Checks what the specification says of the records in one operation's list. */
export function checkList(
  records: readonly ReceivedRecord[],
  { facts, parameters }: ReachedOperation,
  exchange: Exchange,
  checkExchange: InvariantCheck,
): void {
  const check = (id: RuleId, misfits: readonly unknown[]) =>
    checkExchange(id, misfits.length === 0, exchange, misfits[0])
  if (facts.operation === 'listPipelines') {
    const timestamps = records.map((record) => record.updated_at).filter((value) => typeof value === 'string')
    const misfits = timestamps.filter((value) => !microsecondsPattern.test(value))
    if (timestamps.length > 0) check('timestamps/pipelines', misfits)
  }
  if (facts.operation === 'listPipelineSchedules' && records.length > 0) {
    const foreign = records.filter((record) => record.pipeline_uuid !== parameters.pipeline_uuid)
    check(
      'schedule-list/belongs',
      foreign.map((record) => record.pipeline_uuid),
    )
    // Recordings hide their tokens.
    const tokens = records.map(({ token }) => token).filter((token) => token !== undefined && token !== '***')
    const repeated = tokens.filter((token, index) => tokens.indexOf(token) !== index)
    check('schedule-list/token-unique', repeated.length > 0 ? ['two schedules share a token'] : [])
  }
  const limit = queryOf(exchange).get('_limit')
  if (facts.operation === 'listLogs' && limit === '1') {
    const beyond = logsBeyond(records, 1)
    check('limits/limit-logs', beyond === undefined ? [] : [beyond])
  }
  for (const record of facts.operation === 'listLogs' ? records : []) {
    const { block_run_logs: files, total_block_run_log_count: total } = record
    const isLess = Array.isArray(files) && typeof total === 'number' && total < files.length
    if (Array.isArray(files) && files.length > 0) check('logs/totals', isLess ? [total] : [])
  }
}

/**
 * The numbers of items and files, where a list of logs has more than a limit in every reading: "Maximum number of items in
 * a list response" may count items of the list, files, or files of each kind.
 */
export function logsBeyond(items: readonly ReceivedRecord[], limit: number): unknown {
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

function isSameText(received: unknown, asked: string | undefined): boolean {
  return String(received).toLowerCase() === asked?.toLowerCase()
}
