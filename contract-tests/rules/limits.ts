import { defineRules } from './define-rules.ts'

const offset = '`_offset` | Number of items skipped before the first returned item.'

/** Rules about pages and filters of lists. */
export const limitRules = [
  ...defineRules(
    { section: 'Limits', prefix: 'limits', operation: 'listPipelineSchedules', needs: ['schedule'] },
    [
      ['tags-or', 'Repeated `tag[]` return every schedule that one of them returns.'],
      [
        'limit-tokens',
        '`_limit` bounds the token list.',
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      [
        'offset-tokens',
        '`_offset` skips the first tokens.',
        { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
      ],
      ['limit-logs', '`_limit` bounds the items of `logs`.', { operation: 'listLogs', needs: ['logs'] }],
      [
        'offset-logs',
        '`_offset=1` does not return the page that `_offset=0` returns.',
        offset,
        { operation: 'listLogs', needs: ['logs'] },
      ],
      [
        'next-last-page',
        '`next` is `false` on the last page of backfills.',
        '`next` in `metadata` | `false` when no further page exists.',
        { operation: 'listBackfills', effects: 'writes', needs: [] },
      ],
    ],
  ),
]
