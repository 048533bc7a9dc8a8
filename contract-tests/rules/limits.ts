import { defineRules } from './define-rules.ts'

/** Pages and filters of lists. */
export const limitRules = [
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
]
