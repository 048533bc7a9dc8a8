import { type RecordFields, recordFields } from '../../rules/fields.ts'
import { onBody, onRecords } from '../changes.ts'
import type { BrokenServer } from '../define-broken.ts'

type Json = Record<string, unknown>

/** The operation whose replies the fields of a record are judged in. */
const operations: Readonly<Record<string, string>> = {
  pipeline: 'readPipeline',
  block: 'readBlock',
  backfill: 'listBackfills',
  schedule: 'listSchedules',
  run: 'trigger',
  logs: 'listLogs',
  'oauth-token': 'listTokens',
}

/** One wrong server for each field of each table: the field's value is of a kind the table does not allow. */
export const everyField: readonly BrokenServer[] = recordFields.flatMap(({ record, fields }) =>
  Object.entries(fields).map(([field, shape]) => {
    const wrong = { [field]: wrongFor(shape) }
    return {
      name: `wrong-${record}-${field}`,
      breaks: `${record}-fields/${field}`,
      reply: change(record, wrong),
    }
  }),
)

function wrongFor({ fits }: RecordFields['fields'][string]): unknown {
  const isWrong = (value: unknown) => !fits(value)
  return [{ wrong: true }, 'wrong', -1].find(isWrong)
}

function change(record: string, wrong: Json): NonNullable<BrokenServer['reply']> {
  if (record !== 'log-file') return onRecords(operations[record]!, (all) => ({ ...all, ...wrong }))
  return onBody('listLogs', (body) => ({
    ...body,
    logs: (body.logs as { block_run_logs: Json[] }[]).map((entry) => ({
      ...entry,
      block_run_logs: entry.block_run_logs.map((file) => ({ ...file, ...wrong })),
    })),
  }))
}
