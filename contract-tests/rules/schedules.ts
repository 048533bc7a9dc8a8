import { defineRules } from './define-rules.ts'

/** Rules about schedules and the trigger that are not about an aspect of every operation. */
export const scheduleRules = [
  ...defineRules(
    {
      section: 'Read pipeline schedules',
      prefix: 'schedule-list',
      operation: 'listPipelineSchedules',
      needs: ['schedule'],
    },
    [
      [
        'encoded-tag',
        'The target reads `tag%5B%5D` as `tag[]`.',
        '`tag[]` | query | string | Only schedules with the tag are returned.',
        { source: 'inferred' },
      ],
      ['token-unique', 'No two schedules have the same `token`.', { section: 'Pipeline schedule' }],
    ],
  ),
  ...defineRules(
    {
      section: 'Trigger pipeline',
      prefix: 'trigger',
      operation: 'triggerPipeline',
      effects: 'writes',
      needs: ['trigger'],
    },
    [
      ['variables', '`variables` is an empty object.', { section: 'Pipeline run', source: 'example' }],
      [
        'not-completed',
        '`completed_at` of a new run is null.',
        'Response: `{ pipeline_run: <Pipeline run> }`, with `event_variables` equal to the body and `status` `running`.',
        { source: 'inferred' },
      ],
    ],
  ),
]
