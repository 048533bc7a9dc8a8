import { defineRules } from './define-rules.ts'

/** Schedules, the trigger, logs and tokens. */
export const otherRules = [
  ...defineRules(
    {
      section: 'Read pipeline schedules',
      prefix: 'schedule-list',
      operation: 'listPipelineSchedules',
      needs: ['schedule'],
    },
    [
      [
        'envelope',
        'The list stands under pipeline_schedules with metadata.',
        { needs: [], effects: 'writes' },
      ],
      ['belongs', 'All returned schedules belong to the pipeline in the path.'],
      ['one-tag', 'tag[] returns only schedules with that tag.'],
      ['two-tags', 'Two tag[] return schedules with at least one of them.'],
      ['no-such-tag', 'A tag that no schedule has returns none.'],
      ['encoded-tag', 'tag%5B%5D is read as tag[].', { basis: 'convention' }],
      ['token-unique', 'No two schedules share a token.', { section: 'Pipeline schedule' }],
    ],
  ),
  ...defineRules(
    { section: 'Limits', prefix: 'limits', operation: 'listPipelineSchedules', needs: ['schedule'] },
    [
      ['tags-or', 'Repeated tag[] match with OR: every schedule found by one tag is found by both.'],
      [
        'limit-tokens',
        '_limit bounds the token list.',
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      [
        'offset-tokens',
        '_offset skips the first tokens.',
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      ['limit-logs', '_limit bounds the log files of each kind.', { operation: 'listLogs', needs: ['logs'] }],
      ['offset-logs', '_offset skips the first log files.', { operation: 'listLogs', needs: ['logs'] }],
      [
        'next-last-page',
        'next is false on the last page of backfills.',
        { operation: 'listBackfills', effects: 'writes', needs: [] },
      ],
    ],
  ),
  ...defineRules(
    {
      section: 'Resources and their fields',
      prefix: 'timestamps',
      // "Most other responses" does not say which; the samples do.
      basis: 'sample',
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
  ...defineRules(
    {
      section: 'Trigger pipeline',
      prefix: 'trigger',
      operation: 'triggerPipeline',
      effects: 'writes',
      needs: ['trigger'],
    },
    [
      ['returns-run', 'The reply is the new run under pipeline_run.'],
      ['running', 'The run is running.'],
      ['event-variables', 'event_variables equal the body.'],
      ['nested-variables', 'Nested values of the body come back as they were sent.'],
      ['empty-body', 'An empty object gives empty event_variables.'],
      ['schedule', 'The run belongs to the schedule in the path.'],
      ['pipeline', 'The run belongs to the pipeline of the schedule.'],
      ['variables', 'variables is an empty object.', { basis: 'sample' }],
      ['not-completed', 'completed_at of a new run is null.', { basis: 'convention' }],
      ['wrong-token', 'A wrong token is an error.'],
      ['wrong-schedule', 'A wrong schedule id is an error.'],
      ['new-run-each-time', 'Each trigger makes a run of its own.'],
    ],
  ),
  ...defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [
    ['envelope', 'The list stands under logs.'],
    ['metadata', 'metadata is an empty object.'],
    ['start-timestamp', 'start_timestamp leaves out what is older.', { needs: ['logs'] }],
    ['start-timestamp-past', 'A start_timestamp before everything leaves nothing out.', { needs: ['logs'] }],
    [
      'totals',
      'The totals are at least the number of files shown.',
      { needs: ['logs'], basis: 'convention' },
    ],
  ]),
  ...defineRules(
    {
      section: 'Read OAuth tokens',
      prefix: 'tokens',
      operation: 'listOauthAccessTokens',
      needs: ['sign-in'],
    },
    [
      ['envelope', 'The list stands under oauth_access_tokens with metadata.'],
      ['own-only', 'All returned tokens are of one user.'],
      ['not-others', 'The token of another user is not returned.', { needs: ['sign-in', 'other-user'] }],
      ['active-only', 'Without show_all no expired token is returned.'],
      [
        'show-all',
        'With show_all=1 expired tokens are returned too.',
        { needs: ['sign-in', 'expired-token'] },
      ],
      ['show-all-keeps-active', 'With show_all=1 active tokens are still returned.'],
      ['current', 'The token of the session is in the list.'],
    ],
  ),
]
