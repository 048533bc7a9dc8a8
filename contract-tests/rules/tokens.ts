import { defineRules } from './define-rules.ts'

const active = 'When absent, only active tokens of the current user are returned.'
const all = 'When `1`, active and expired tokens of the current user are returned.'

/** Rules about the list of tokens. */
export const tokenRules = [
  ...defineRules(
    {
      section: 'Read OAuth tokens',
      prefix: 'tokens',
      operation: 'listOauthAccessTokens',
      needs: ['sign-in'],
    },
    [
      [
        'own-only',
        'All returned tokens are of one user.',
        "The token list endpoint returns only the current user's tokens.",
        { section: 'Authentication' },
      ],
      [
        'not-others',
        'The token of another user is not returned.',
        "The token list endpoint returns only the current user's tokens.",
        { section: 'Authentication', needs: ['sign-in', 'other-user'] },
      ],
      [
        'active-only',
        'Without `show_all` the list has no expired token.',
        `\`show_all\` | query | integer | ${active}`,
      ],
      [
        'show-all',
        'With `show_all=1` the list has expired tokens, too.',
        `\`show_all\` | query | integer | ${active} ${all}`,
        { needs: ['sign-in', 'expired-token'] },
      ],
      [
        'show-all-keeps-active',
        'With `show_all=1` active tokens are still returned.',
        `\`show_all\` | query | integer | ${active} ${all}`,
      ],
      ['current', 'The token of the session is in the list.', active],
    ],
  ),
]
