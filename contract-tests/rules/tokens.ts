import { defineRules } from './define-rules.ts'

/** The list of tokens. */
export const tokenRules = [
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
