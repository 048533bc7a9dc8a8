import { defineRules } from './define-rules.ts'

const suppliedStatus =
  'update backfill with `status` | `status` is one of `initial`, `running`, `completed`, `failed`, `cancelled` | the supplied value | other supplied attributes are updated too'

/** Rules about backfills that are not about an aspect of every operation. */
export const backfillRules = [
  ...defineRules(
    { section: 'Create backfill', prefix: 'backfill-create', operation: 'createBackfill', effects: 'writes' },
    [
      [
        'put-sample',
        'PUT on the same path creates a backfill too.',
        'One sample request for this operation uses the PUT method on the same path; the documented method is POST.',
        { source: 'example' },
      ],
    ],
  ),
  ...defineRules(
    {
      section: 'States and transitions',
      prefix: 'backfill-states',
      operation: 'updateBackfill',
      effects: 'destructive',
    },
    [['unknown-status', 'No backfill has a `status` outside the five.', suppliedStatus]],
  ),
  ...defineRules(
    { section: 'Backfill', prefix: 'backfill-list', operation: 'listBackfills', effects: 'writes' },
    [
      [
        'run-count-only-when-asked',
        'Without `include_run_count` items carry no `total_run_count`.',
        // Lists of other requests are not mentioned.
        { source: 'inferred' },
      ],
    ],
  ),
  ...defineRules(
    {
      section: 'Update backfill',
      prefix: 'backfill-update',
      operation: 'updateBackfill',
      effects: 'destructive',
    },
    [['unknown-interval', 'No backfill has an `interval_type` outside the list.']],
  ),
  ...defineRules(
    { section: 'Backfill', prefix: 'backfill-times', operation: 'updateBackfill', effects: 'writes' },
    [
      [
        'updated-at',
        '`updated_at` of an updated backfill is not before the creation of older records.',
        // The row does not mention the time.
        { source: 'inferred' },
      ],
    ],
  ),
]
