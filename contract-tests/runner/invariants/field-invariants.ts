import { fieldsOf, type RecordName, recordFields } from '../../rules/fields.ts'
import type { OperationId, RuleId } from '../../rules/index.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { equal, hasFields, type ReceivedRecord } from '../replies.ts'
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
  isSentWrong: (value: unknown) => boolean,
): void {
  for (const { record: name } of recordFields.filter((table) => table.operation === operation)) {
    const shown = name === 'log-file' ? records.flatMap(filesOf) : records
    for (const { id, field, shape } of shown.length > 0 ? fieldsOf(name) : []) {
      const misfit = shown.find(
        (record) =>
          !(Object.hasOwn(record, field) && shape.fits(record[field])) && !isSentWrong(record[field]),
      )
      check(id, misfit === undefined, exchange, misfit?.[field])
    }
  }
  const [rule, name] = allFields[operation] ?? []
  if (rule === undefined || name === undefined) return
  const lacking = records.find((record) => !hasFields(record, name))
  check(rule, lacking === undefined, exchange, lacking && Object.keys(lacking))
}

/** The rules that a reply of an operation shows all fields of its records. */
const allFields: Partial<Record<OperationId, readonly [rule: RuleId, record: RecordName]>> = {
  readBlock: ['block-read/fields', 'block'],
  deleteBlock: ['block-delete/fields', 'block'],
  createBackfill: ['backfill-create/fields', 'backfill'],
  listBackfills: ['backfill-list/fields', 'backfill'],
  deleteBackfill: ['backfill-delete/fields', 'backfill'],
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

function isSameText(received: unknown, asked: string | undefined): boolean {
  return String(received).toLowerCase() === asked?.toLowerCase()
}
