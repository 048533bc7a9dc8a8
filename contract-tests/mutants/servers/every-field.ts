import { type FieldRule, fieldsOf, type RecordFields, recordFields } from '../../rules/fields.ts'
import { onRecords } from '../changes.ts'
import type { FaultyServer, Json } from '../define-mutant.ts'

/** A mutant for each field of each table: it gives the field a value that the table does not allow. */
export const everyField: readonly FaultyServer[] = recordFields.flatMap((table) =>
  fieldsOf(table.record).map(({ id, field, shape }) => ({
    name: `wrong-${table.record}-${field}`,
    breaks: id,
    // Without a session, no run can verify a target that checks tokens.
    ...(table.record === 'session' && { auth: 'open' as const }),
    reply: change(table, { [field]: wrongFor(shape) }),
  })),
)

function wrongFor({ fits }: FieldRule['shape']): unknown {
  const isWrong = (value: unknown) => !fits(value)
  return [{ wrong: true }, 'wrong', -1].find(isWrong)
}

function change({ record, operation }: RecordFields, wrong: Json): NonNullable<FaultyServer['reply']> {
  if (record !== 'log-file') return onRecords(operation, (all) => ({ ...all, ...wrong }))
  return onRecords('listLogs', (entry) => {
    const files = Array.isArray(entry.block_run_logs) ? entry.block_run_logs : []
    return { ...entry, block_run_logs: files.map((file) => ({ ...file, ...wrong })) }
  })
}
