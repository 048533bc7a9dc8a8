import { defineResource } from '../define-resource.ts'
import { moveBackfillOn, predictBackfill } from './life.ts'
import { createBackfill, deleteBackfill, listBackfills, readBackfill, updateBackfill } from './operations.ts'
import { derived, presents } from './presenter.ts'
import { attributes, references } from './schema.ts'

/** The resource of backfills: one row of the table. */
export const backfill = defineResource(
  'backfills',
  {
    singular: 'backfill',
    key: 'id',
    displayName: 'name',
    attributes,
    references,
    presents,
    derived,
    operations: [listBackfills, createBackfill, readBackfill, updateBackfill, deleteBackfill],
  },
  {
    complete: (record, { id, now }) => ({
      name: `backfill ${id}`,
      created_at: now,
      updated_at: record.created_at ?? now,
      ...record,
    }),
    due: { at: 'due_at', run: moveBackfillOn, predicts: predictBackfill },
  },
)
