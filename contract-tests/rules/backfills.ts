import { defineRules } from './define-rules.ts'
import { kebab } from './kebab.ts'

const nulls = ['start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'status'] as const
const unset = ['started_at', 'completed_at', 'failed_at'] as const
const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

export const backfillRules = [
  ...defineRules(
    { section: 'Create backfill', prefix: 'backfill-create', operation: 'createBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the new backfill.'],
      ['name', 'The backfill has the name that was sent.'],
      ['pipeline', 'The backfill belongs to the pipeline in the path.'],
      ['fields', 'All seventeen fields of a backfill are present.'],
      ...nulls.map((field) => [`null-${kebab(field)}`, `${field} of a new backfill is null.`] as const),
      ['unknown-pipeline', 'A backfill for an unknown pipeline is an error.', { source: 'inferred' }],
      ['put-sample', 'PUT on the same path creates a backfill too.', { source: 'example' }],
      ['listed', 'The new backfill is in the list of its pipeline.'],
    ],
  ),
  ...defineRules(
    {
      section: 'States and transitions',
      prefix: 'backfill-states',
      operation: 'updateBackfill',
      effects: 'writes',
    },
    [
      ...unset.map(
        (field) =>
          [
            `new-${kebab(field)}`,
            `${field} of a new backfill is null.`,
            { operation: 'createBackfill' },
          ] as const,
      ),
      ...statuses.map((status) => [status, `An update with status ${status} leads to that status.`] as const),
      ['unknown-status', 'No backfill has a status outside the five.', { effects: 'destructive' }],
      ['others-updated', 'Other attributes sent with a status are updated too.'],
      ['removed', 'A deleted backfill is removed.', { operation: 'deleteBackfill' }],
      ['removed-returned', 'The removed backfill is returned.', { operation: 'deleteBackfill' }],
      [
        'run-running',
        'A run is running directly after its trigger.',
        { operation: 'triggerPipeline', needs: ['trigger'] },
      ],
      [
        'run-variables',
        'event_variables of a run are set from the body of the trigger.',
        { operation: 'triggerPipeline', needs: ['trigger'] },
      ],
    ],
  ),
  ...defineRules(
    {
      section: 'Resources and their fields',
      prefix: 'timestamps',
      operation: 'createBackfill',
      effects: 'writes',
    },
    [
      ['backfill-create', 'created_at and updated_at have seconds when a backfill is created.'],
      [
        'backfill-update',
        'The timestamps have seconds when a backfill is updated.',
        { operation: 'updateBackfill' },
      ],
      [
        'backfill-delete',
        'The timestamps have seconds when a backfill is deleted.',
        { operation: 'deleteBackfill' },
      ],
      [
        'backfill-request',
        'A request datetime YYYY-MM-DD HH:MM:SS is understood.',
        { operation: 'updateBackfill' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Read backfills', prefix: 'backfill-list', operation: 'listBackfills', effects: 'writes' },
    [
      ['limit', '_limit bounds the number of items.'],
      ['limit-one', '_limit=1 returns one item where there are more.', { source: 'inferred' }],
      ['offset', '_offset skips the first items.'],
      ['pages-disjoint', 'Pages by _limit and _offset do not overlap.'],
      ['pipeline-filter', 'pipeline_uuid narrows the list to that pipeline.'],
      ['pipeline-filter-complete', 'The narrowed list holds every backfill of the pipeline.'],
      ['run-count', 'With include_run_count=true items carry total_run_count, an integer.'],
      // "Present in list items when `include_run_count` is true": of other lists nothing is said.
      [
        'run-count-only-when-asked',
        'Without include_run_count items carry no total_run_count.',
        { source: 'inferred' },
      ],
      ['fields', 'All seventeen fields of a backfill are present in items.'],
    ],
  ),
  ...defineRules(
    { section: 'Update backfill', prefix: 'backfill-update', operation: 'updateBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the updated backfill.'],
      ['name', 'name can be updated.'],
      ['start-datetime', 'start_datetime can be updated.'],
      ['end-datetime', 'end_datetime can be updated.'],
      ['interval-type', 'interval_type can be updated.'],
      ['interval-units', 'interval_units can be updated.'],
      ['variables', 'variables can be updated.'],
      ['partial', 'Attributes that were not sent keep their values.', { source: 'inferred' }],
      ['stored', 'The list shows the updated values.'],
      ['unknown', 'Updating an unknown backfill is an error.', { source: 'inferred' }],
      ['unknown-interval', 'No backfill has an interval type outside the list.', { effects: 'destructive' }],
      ['all-intervals', 'Every interval type of the list is accepted.'],
    ],
  ),
  ...defineRules(
    { section: 'Backfill', prefix: 'backfill-times', operation: 'updateBackfill', effects: 'writes' },
    [
      // Its row says no more than its name: "updated".
      [
        'updated-at',
        'updated_at of a backfill that was updated is not before what was created earlier than that.',
        { source: 'inferred' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Delete backfill', prefix: 'backfill-delete', operation: 'deleteBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the deleted backfill.'],
      ['fields', 'All seventeen fields of a backfill are present in the reply.'],
      ['leaves-list', 'A deleted backfill is no longer listed.'],
      ['again', 'Deleting it again is an error.', { source: 'inferred' }],
    ],
  ),
]
