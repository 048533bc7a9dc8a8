import { defineRules } from './define-rules.ts'

const response = 'Response: `{ pipeline: <Pipeline> }`.'
const includes =
  '`include_schedules` | query | integer | When `1`, the pipeline object includes its associated triggers.'

export const pipelineRules = [
  ...defineRules(
    { section: 'Create pipeline', prefix: 'pipeline-create', operation: 'createPipeline', effects: 'writes' },
    [
      ['returns-pipeline', 'The reply is the new pipeline.', response],
      ['name', 'The pipeline has the `name` that was sent.'],
      ['type', 'The pipeline has the `type` that was sent.'],
      ['type-integration', 'The `type` `integration` is accepted.'],
      ['type-pyspark', 'The `type` `pyspark` is accepted.'],
      ['type-streaming', 'The `type` `streaming` is accepted.'],
      ['name-required', 'A pipeline without a `name` is an error.'],
      ['type-required', 'A pipeline without a `type` is an error.'],
      ['type-listed', 'No pipeline has a `type` outside the four.'],
      ['refused-not-stored', 'A pipeline refused for its `type` is not in the list.'],
      ['stored', 'The new pipeline can be read.', response],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-new', operation: 'createPipeline', effects: 'writes' },
    [
      ['uuid-from-name', '`uuid` contains the letters and digits of `name`.'],
      ['uuid-hyphens', 'A hyphen of the name is an underscore in the `uuid`.'],
      ['description', '`description` is null.'],
      ['data-integration', '`data_integration` is null.'],
      ['executor-config', '`executor_config` is an empty object.'],
      ['executor-count', '`executor_count` is 1.'],
      ['executor-type', '`executor_type` is null.'],
      ['notification-config', '`notification_config` is an empty object.'],
      ['spark-config', '`spark_config` is an empty object.'],
      ['updated-at', '`updated_at` is null.'],
      ['blocks', '`blocks` is empty.'],
      ['callbacks', '`callbacks` is empty.'],
      ['conditionals', '`conditionals` is empty.'],
      ['widgets', '`widgets` is empty.'],
    ],
  ),
  ...defineRules(
    { section: 'Read pipelines', prefix: 'pipeline-read', operation: 'readPipeline', effects: 'writes' },
    [
      [
        'lists-all',
        'The list contains the pipeline that was created.',
        '`GET /api/pipelines` retrieves all pipelines.',
        { operation: 'listPipelines' },
      ],
      ['one', 'A pipeline is read by its `uuid`.', '`GET /api/pipelines/:uuid` fetches one.'],
      [
        'unknown',
        'An unknown uuid is an error.',
        '`GET /api/pipelines/:uuid` fetches one.',
        { effects: 'reads', source: 'inferred' },
      ],
      ['schedules-when-asked', 'With `include_schedules=1` the pipeline carries its triggers.', includes],
      [
        'schedules-only-when-asked',
        'Without `include_schedules` the pipeline carries no triggers.',
        { source: 'inferred' },
      ],
      [
        'schedules-in-list',
        'With `include_schedules=1` the pipelines of the list carry their triggers.',
        includes,
        // "The list response shape: not shown."
        { operation: 'listPipelines', source: 'inferred' },
      ],
      [
        'schedules-are-its-own',
        'With `include_schedules` a pipeline carries exactly the triggers of its schedule list.',
        { needs: ['schedule'], effects: 'reads' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-extensions', operation: 'readPipeline', effects: 'writes' },
    [
      [
        'present',
        '`extensions` is present when one pipeline is read.',
        '`extensions` | object | Present in the read response',
      ],
      [
        'empty',
        '`extensions` of a new pipeline is an empty object.',
        'Present in the read response; empty object in the sample.',
        { source: 'example' },
      ],
    ],
  ),
]
