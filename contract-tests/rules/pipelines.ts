import { defineRules } from './define-rules.ts'

export const pipelineRules = [
  ...defineRules(
    { section: 'Create pipeline', prefix: 'pipeline-create', operation: 'createPipeline', effects: 'writes' },
    [
      ['returns-pipeline', 'The reply is the new pipeline.'],
      ['name', 'The pipeline has the name that was sent.'],
      ['type', 'The pipeline has the type that was sent.'],
      ['type-integration', 'The type integration is accepted.'],
      ['type-pyspark', 'The type pyspark is accepted.'],
      ['type-streaming', 'The type streaming is accepted.'],
      ['name-required', 'A pipeline without a name is an error.'],
      ['type-required', 'A pipeline without a type is an error.'],
      ['type-listed', 'No pipeline has a type outside the four.'],
      ['refused-not-stored', 'A refused pipeline does not appear in the list.', { source: 'inferred' }],
      ['stored', 'The new pipeline can be read.'],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-new', operation: 'createPipeline', effects: 'writes' },
    [
      ['uuid-from-name', 'uuid is derived from name: lower-case letters and digits stay.'],
      ['uuid-hyphens', 'A hyphen of the name is an underscore in the uuid.'],
      ['description', 'description is null.'],
      ['data-integration', 'data_integration is null.'],
      ['executor-config', 'executor_config is an empty object.'],
      ['executor-count', 'executor_count is 1.'],
      ['executor-type', 'executor_type is null.'],
      ['notification-config', 'notification_config is an empty object.'],
      ['spark-config', 'spark_config is an empty object.'],
      ['updated-at', 'updated_at is null.'],
      ['blocks', 'blocks is empty.'],
      ['callbacks', 'callbacks is empty.'],
      ['conditionals', 'conditionals is empty.'],
      ['widgets', 'widgets is empty.'],
    ],
  ),
  ...defineRules(
    { section: 'Read pipelines', prefix: 'pipeline-read', operation: 'readPipeline', effects: 'writes' },
    [
      ['lists-all', 'The list holds the pipeline that was created.', { operation: 'listPipelines' }],
      ['one', 'A pipeline is read by its uuid.'],
      ['unknown', 'An unknown uuid is an error.', { effects: 'reads', source: 'inferred' }],
      ['schedules-when-asked', 'With include_schedules=1 the pipeline carries its triggers.'],
      [
        'schedules-only-when-asked',
        'Without include_schedules the pipeline carries no triggers.',
        { source: 'inferred' },
      ],
      [
        'schedules-in-list',
        'With include_schedules=1 the pipelines of the list carry their triggers.',
        // The shape of this list is not shown.
        { operation: 'listPipelines', source: 'inferred' },
      ],
      [
        'schedules-are-its-own',
        'The triggers a pipeline carries are those of its schedule list.',
        { needs: ['schedule'], effects: 'reads' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-extensions', operation: 'readPipeline', effects: 'writes' },
    [
      ['present', 'extensions is present when one pipeline is read.'],
      ['empty', 'extensions of a new pipeline is an empty object.', { source: 'example' }],
    ],
  ),
]
