import { defineRules } from './define-rules.ts'

const microseconds = '`YYYY-MM-DD HH:MM:SS.ffffff+00:00` (most other responses).'

/** Rules about the form of timestamps that only examples show: "most other responses" does not name them. */
export const timestampRules = [
  ...defineRules(
    {
      section: 'Resources and their fields',
      prefix: 'timestamps',
      source: 'example',
      operation: 'listPipelineSchedules',
      needs: ['schedule'],
    },
    [
      ['schedules', 'The timestamps of schedules have microseconds and +00:00.', microseconds],
      [
        'tokens',
        '`expires` of a token has microseconds and +00:00.',
        microseconds,
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      [
        'runs',
        'The timestamps of a run have microseconds and +00:00.',
        microseconds,
        { operation: 'triggerPipeline', needs: ['trigger'], effects: 'writes' },
      ],
      [
        'pipelines',
        '`updated_at` of a pipeline, where it is not null, has microseconds and +00:00.',
        microseconds,
        { operation: 'listPipelines', needs: [] },
      ],
    ],
  ),
]
