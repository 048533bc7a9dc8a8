import { fieldsOf, recordFields } from '../../rules/fields.ts'
import type { OperationId } from '../../rules/index.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { ReceivedRecord } from '../replies.ts'
import type { InvariantCheck } from './invariants.ts'

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
}

/** The log files of an entry. */
function filesOf({ block_run_logs: ofBlocks, pipeline_run_logs: ofRuns }: ReceivedRecord): ReceivedRecord[] {
  return [ofBlocks, ofRuns].flat().filter(isObject)
}

/** Checks a pipeline that is read alone. */
export function checkPipeline(
  records: readonly ReceivedRecord[],
  { uuid }: Readonly<Record<string, string>>,
  exchange: Exchange,
  check: InvariantCheck,
): void {
  for (const record of records) {
    check('pipeline-read/one', record.uuid === uuid, exchange, record.uuid)
    check('pipeline-extensions/present', Object.hasOwn(record, 'extensions'), exchange)
  }
}
