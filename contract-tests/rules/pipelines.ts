import { defineRules } from './define-rules.ts'

/** Rules about pipelines that are not about an aspect of every operation. */
export const pipelineRules = [
  ...defineRules(
    { section: 'Create pipeline', prefix: 'pipeline-create', operation: 'createPipeline', effects: 'writes' },
    [
      ['name-required', 'A pipeline without a `name` is an error.'],
      ['type-required', 'A pipeline without a `type` is an error.'],
      ['type-listed', 'No pipeline has a `type` outside the four.'],
    ],
  ),
  ...defineRules(
    { section: 'Read pipelines', prefix: 'pipeline-read', operation: 'readPipeline', effects: 'writes' },
    [
      [
        'schedules-only-when-asked',
        'Without `include_schedules` the pipeline carries no triggers.',
        { source: 'inferred' },
      ],
    ],
  ),
  ...defineRules(
    { section: 'Pipeline', prefix: 'pipeline-extensions', operation: 'readPipeline', effects: 'writes' },
    [
      [
        'empty',
        '`extensions` of a new pipeline is an empty object.',
        'Present in the read response; empty object in the sample.',
        { source: 'example' },
      ],
    ],
  ),
]
