import { defineRules } from './define-rules.ts'

const response = 'Response: `{ pipeline: <Pipeline> }`.'
const types = '`type` | string | yes | One of `integration`, `pyspark`, `python`, `streaming`.'
const includes =
  '`include_schedules` | query | integer | When `1`, the pipeline object includes its associated triggers.'
const uuid = '`uuid` | string | Derived from `name`. Hyphens in the name become underscores in the uuid.'

export const pipelineRules = [
  ...defineRules(
    { section: 'Create pipeline', prefix: 'pipeline-create', operation: 'createPipeline', effects: 'writes' },
    [
      ['returns-pipeline', 'The reply is the new pipeline.', response],
      ['name', 'The pipeline has the `name` that was sent.', '`name` | string | yes | Human readable name.'],
      ['type', 'The pipeline has the `type` that was sent.', types],
      ['type-integration', 'The `type` `integration` is accepted.', types],
      ['type-pyspark', 'The `type` `pyspark` is accepted.', types],
      ['type-streaming', 'The `type` `streaming` is accepted.', types],
      [
        'name-required',
        'A pipeline without a `name` is an error.',
        '`name` | string | yes | Human readable name.',
      ],
      ['type-required', 'A pipeline without a `type` is an error.', types],
      ['type-listed', 'No pipeline has a `type` outside the four.', types],
      ['refused-not-stored', 'A pipeline refused for its `type` is not in the list.', types],
      ['stored', 'The new pipeline can be read.', response],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-new', operation: 'createPipeline', effects: 'writes' },
    [
      ['uuid-from-name', '`uuid` contains the letters and digits of `name`.', uuid],
      ['uuid-hyphens', 'A hyphen of the name is an underscore in the `uuid`.', uuid],
      ['description', '`description` is null.', '`description` | string or null | Null on a new pipeline.'],
      [
        'data-integration',
        '`data_integration` is null.',
        '`data_integration` | null or object | Null on a new pipeline.',
      ],
      [
        'executor-config',
        '`executor_config` is an empty object.',
        '`executor_config` | object | Empty object on a new pipeline.',
      ],
      ['executor-count', '`executor_count` is 1.', '`executor_count` | integer | 1 on a new pipeline.'],
      [
        'executor-type',
        '`executor_type` is null.',
        '`executor_type` | string or null | Null on a new pipeline.',
      ],
      [
        'notification-config',
        '`notification_config` is an empty object.',
        '`notification_config` | object | Empty object on a new pipeline.',
      ],
      [
        'spark-config',
        '`spark_config` is an empty object.',
        '`spark_config` | object | Empty object on a new pipeline.',
      ],
      ['updated-at', '`updated_at` is null.', '`updated_at` | timestamp or null | Null on a new pipeline.'],
      ['blocks', '`blocks` is empty.', '`blocks` | array | Empty on a new pipeline.'],
      ['callbacks', '`callbacks` is empty.', '`callbacks` | array | Empty on a new pipeline.'],
      ['conditionals', '`conditionals` is empty.', '`conditionals` | array | Empty on a new pipeline.'],
      ['widgets', '`widgets` is empty.', '`widgets` | array | Empty on a new pipeline.'],
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
        includes,
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
        includes,
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
