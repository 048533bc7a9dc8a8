import { defineRules } from './define-rules.ts'
import { kebab } from './kebab.ts'

const nulls = ['start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'status'] as const
const unset = ['started_at', 'completed_at', 'failed_at'] as const
const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

const response = 'Response: `{ backfill: <Backfill> }`'
const newValues =
  'a newly created backfill has null `start_datetime`, `end_datetime`, `interval_type`, `interval_units`, `status`.'
const deletion = 'delete backfill | id exists | record removed | the removed record is returned'
const newState = '`started_at`, `completed_at`, `failed_at` are null; record created'
const suppliedStatus =
  'update backfill with `status` | `status` is one of `initial`, `running`, `completed`, `failed`, `cancelled` | the supplied value | other supplied attributes are updated too'
const triggered =
  'trigger pipeline | schedule id and token in the path match | `running` | `event_variables` is set from the request body'
const seconds = '`YYYY-MM-DD HH:MM:SS` (backfill create, update and delete responses).'
const listed = 'Response: `{ backfills: [<Backfill>], metadata: { count, next } }`.'
const ofPipeline = '`pipeline_uuid` | query | string | Pipeline whose backfills are read.'
const updated = 'Response: `{ backfill: <Backfill> }` with the updated values.'
const updatable = 'Every default attribute of a backfill may be updated, including:'
const removed = 'Response: `{ backfill: <Backfill> }` for the deleted record.'

export const backfillRules = [
  ...defineRules(
    { section: 'Create backfill', prefix: 'backfill-create', operation: 'createBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the new backfill.', response],
      ['name', 'The backfill has the `name` that was sent.', 'Body: `{ backfill: { name: string, ... } }`.'],
      [
        'pipeline',
        'The backfill belongs to the pipeline in the path.',
        'Path parameter `pipeline_uuid` (string, required) is the pipeline the backfill is created for.',
      ],
      ['fields', 'All seventeen attributes of a backfill are present.', response],
      ...nulls.map(
        (field) => [`null-${kebab(field)}`, `\`${field}\` of a new backfill is null.`, newValues] as const,
      ),
      [
        'unknown-pipeline',
        'A backfill for an unknown pipeline is an error.',
        'Path parameter `pipeline_uuid` (string, required) is the pipeline the backfill is created for.',
        { source: 'inferred' },
      ],
      [
        'put-sample',
        'PUT on the same path creates a backfill too.',
        'One sample request for this operation uses the PUT method on the same path; the documented method is POST.',
        { source: 'example' },
      ],
      [
        'listed',
        'The new backfill is in the list of its pipeline.',
        ofPipeline,
        { section: 'Read backfills' },
      ],
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
            `\`${field}\` of a new backfill is null.`,
            newState,
            { operation: 'createBackfill' },
          ] as const,
      ),
      ...statuses.map(
        (status) =>
          [
            status,
            `An update with the \`status\` \`${status}\` leads to that status.`,
            suppliedStatus,
          ] as const,
      ),
      [
        'unknown-status',
        'No backfill has a `status` outside the five.',
        suppliedStatus,
        { effects: 'destructive' },
      ],
      ['others-updated', 'Other attributes sent with a `status` are updated too.', suppliedStatus],
      ['removed', 'A deleted backfill is removed.', deletion, { operation: 'deleteBackfill' }],
      ['removed-returned', 'The removed backfill is returned.', deletion, { operation: 'deleteBackfill' }],
      [
        'run-running',
        'A run is `running` directly after its trigger.',
        triggered,
        { operation: 'triggerPipeline', needs: ['trigger'] },
      ],
      [
        'run-variables',
        '`event_variables` of a run are set from the body of the trigger.',
        triggered,
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
      ['backfill-create', 'The timestamps have seconds when a backfill is created.', seconds],
      [
        'backfill-update',
        'The timestamps have seconds when a backfill is updated.',
        seconds,
        { operation: 'updateBackfill' },
      ],
      [
        'backfill-delete',
        'The timestamps have seconds when a backfill is deleted.',
        seconds,
        { operation: 'deleteBackfill' },
      ],
      [
        'backfill-request',
        'A datetime `YYYY-MM-DD HH:MM:SS` in a request is accepted.',
        'Request datetimes for a backfill use `YYYY-MM-DD HH:MM:SS`.',
        { operation: 'updateBackfill' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Read backfills', prefix: 'backfill-list', operation: 'listBackfills', effects: 'writes' },
    [
      ['limit', '`_limit` bounds the number of items.'],
      [
        'limit-one',
        '`_limit=1` returns one item where there are more.',
        '`_limit` | query | integer | Maximum number of items returned.',
        { source: 'inferred' },
      ],
      ['offset', '`_offset` skips the first items.'],
      ['pages-disjoint', 'Pages by `_offset` do not overlap.'],
      ['pipeline-filter', '`pipeline_uuid` narrows the list to that pipeline.'],
      [
        'pipeline-filter-complete',
        'The list narrowed by `pipeline_uuid` contains every backfill of the pipeline.',
      ],
      [
        'run-count',
        'With `include_run_count=true` items carry `total_run_count`, an integer.',
        { section: 'Backfill' },
      ],
      [
        'run-count-only-when-asked',
        'Without `include_run_count` items carry no `total_run_count`.',
        // Lists of other requests are not mentioned.
        { section: 'Backfill', source: 'inferred' },
      ],
      ['fields', 'All seventeen attributes of a backfill are present in items.', listed],
    ],
  ),
  ...defineRules(
    { section: 'Update backfill', prefix: 'backfill-update', operation: 'updateBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the updated backfill.', updated],
      ['name', '`name` can be updated.'],
      ['start-datetime', '`start_datetime` can be updated.'],
      ['end-datetime', '`end_datetime` can be updated.'],
      ['interval-type', '`interval_type` can be updated.'],
      ['interval-units', '`interval_units` can be updated.'],
      ['variables', '`variables` can be updated.'],
      ['partial', 'Attributes that were not sent are unchanged.', updatable, { source: 'inferred' }],
      ['stored', 'The list shows the updated values.', updated],
      ['unknown', 'Updating an unknown backfill is an error.', updatable, { source: 'inferred' }],
      [
        'unknown-interval',
        'No backfill has an `interval_type` outside the list.',
        { effects: 'destructive' },
      ],
      ['all-intervals', 'Every listed `interval_type` is accepted.'],
    ],
  ),
  ...defineRules(
    { section: 'Backfill', prefix: 'backfill-times', operation: 'updateBackfill', effects: 'writes' },
    [
      [
        'updated-at',
        '`updated_at` of an updated backfill is not before the creation of older records.',
        // The row does not state the time.
        { source: 'inferred' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Delete backfill', prefix: 'backfill-delete', operation: 'deleteBackfill', effects: 'writes' },
    [
      ['returns-backfill', 'The reply is the deleted backfill.', removed],
      ['fields', 'All seventeen attributes of a backfill are present in the reply.', removed],
      [
        'leaves-list',
        'A deleted backfill is no longer listed.',
        deletion,
        { section: 'States and transitions' },
      ],
      [
        'again',
        'A deletion needs an id that exists: deleting a backfill again is an error.',
        deletion,
        { section: 'States and transitions' },
      ],
    ],
  ),
]
