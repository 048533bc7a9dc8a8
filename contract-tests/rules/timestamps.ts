import { defineRules } from './define-rules.ts'

/** The form of timestamps, where samples alone show it. */
export const timestampRules = [
  ...defineRules(
    {
      section: 'Resources and their fields',
      prefix: 'timestamps',
      // "Most other responses" does not say which; the samples do.
      source: 'example',
      operation: 'listPipelineSchedules',
      needs: ['schedule'],
    },
    [
      ['schedules', 'The timestamps of schedules have microseconds and +00:00.'],
      [
        'tokens',
        'expires of a token has microseconds and +00:00.',
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      [
        'runs',
        'The timestamps of a run have microseconds and +00:00.',
        { operation: 'triggerPipeline', needs: ['trigger'], effects: 'writes' },
      ],
      [
        'pipelines',
        'updated_at of a pipeline, where it is not null, has microseconds and +00:00.',
        { operation: 'listPipelines', needs: [] },
      ],
    ],
  ),
]
