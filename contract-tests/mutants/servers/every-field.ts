import { type FieldRule, fieldTable, type RecordName } from '../../rules/fields.ts'
import { type BreakableOperation, onBody, onRecords } from '../changes.ts'
import type { BrokenServer, Json } from '../define-mutant.ts'

/** The operation whose replies the fields of a record are judged in. */
const operations: Readonly<Record<Exclude<RecordName, 'log-file'>, BreakableOperation>> = {
  pipeline: 'readPipeline',
  block: 'readBlock',
  backfill: 'listBackfills',
  schedule: 'listPipelineSchedules',
  run: 'triggerPipeline',
  logs: 'listLogs',
  'oauth-token': 'listOauthAccessTokens',
}

/** One wrong server for each field of each table: the field's value is of a kind the table does not allow. */
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
  return onBody('listLogs', (body) => ({
    ...body,
    logs: (body.logs as { block_run_logs: Json[] }[]).map((entry) => ({
      ...entry,
      block_run_logs: entry.block_run_logs.map((file) => ({ ...file, ...wrong })),
    })),
  }))
}
