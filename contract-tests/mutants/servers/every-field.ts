import { type FieldRule, fieldTable, type RecordName } from '../../rules/fields.ts'
import type { OperationId } from '../../rules/operation-id.ts'
import { onRecords } from '../changes.ts'
import type { BrokenServer, Json } from '../define-mutant.ts'

/** The operation whose replies show the fields of a record. */
const operations: Readonly<Record<Exclude<RecordName, 'log-file'>, OperationId>> = {
  pipeline: 'readPipeline',
  block: 'readBlock',
  backfill: 'listBackfills',
  schedule: 'listPipelineSchedules',
  run: 'triggerPipeline',
  logs: 'listLogs',
  'oauth-token': 'listOauthAccessTokens',
}

/** A mutant for each field of each table: it gives the field a value that the table does not allow. */
export const everyField: readonly BrokenServer[] = fieldTable.map(({ id, record, field, shape }) => ({
  name: `wrong-${record}-${field}`,
  breaks: id,
  reply: change(record, { [field]: wrongFor(shape) }),
}))

function wrongFor({ fits }: FieldRule['shape']): unknown {
  const isWrong = (value: unknown) => !fits(value)
  return [{ wrong: true }, 'wrong', -1].find(isWrong)
}

function change(record: RecordName, wrong: Json): NonNullable<BrokenServer['reply']> {
  if (record !== 'log-file') return onRecords(operations[record], (all) => ({ ...all, ...wrong }))
  return onRecords('listLogs', (entry) => {
    const files = Array.isArray(entry.block_run_logs) ? entry.block_run_logs : []
    return { ...entry, block_run_logs: files.map((file) => ({ ...file, ...wrong })) }
  })
}
