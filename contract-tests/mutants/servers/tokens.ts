import { ignores, onBody, sets } from '../changes.ts'
import type { BrokenServer, Json } from '../define-mutant.ts'

const long = '2026-01-31 12:00:00.000000+00:00'

/** Servers that are wrong about the list of tokens. */
export const tokens: readonly BrokenServer[] = [
  {
    name: 'everybodys-tokens',
    breaks: 'tokens/own-only',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'x', expires: long, user_id: 999 },
      ],
    })),
  },
  {
    name: 'tokens-of-others',
    breaks: 'tokens/not-others',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'other-active-token', expires: '2099-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'expired-always',
    breaks: 'tokens/active-only',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'old', expires: '2001-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'show-all-only-expired',
    breaks: 'tokens/show-all-keeps-active',
    reply: onBody('listOauthAccessTokens', (body, { query }) => ({
      ...body,
      oauth_access_tokens: query.has('show_all') ? [] : body.oauth_access_tokens,
    })),
  },
  {
    name: 'tokens-limit-ignored',
    breaks: 'limits/limit-tokens',
    request: ignores('listOauthAccessTokens', '_limit'),
  },
  {
    name: 'short-token-timestamps',
    breaks: 'timestamps/tokens',
    reply: sets('listOauthAccessTokens', { expires: '2099-01-31 12:00:00' }),
  },
  {
    name: 'tokens-under-tokens',
    breaks: 'tokens/envelope',
    reply: onBody('listOauthAccessTokens', ({ oauth_access_tokens, ...body }) => ({
      ...body,
      tokens: oauth_access_tokens,
    })),
  },
  {
    name: 'tokens-offset-ignored',
    breaks: 'limits/offset-tokens',
    request: ignores('listOauthAccessTokens', '_offset'),
  },
  {
    name: 'show-all-ignored',
    breaks: 'tokens/show-all',
    request: ignores('listOauthAccessTokens', 'show_all'),
  },
  {
    name: 'current-token-hidden',
    breaks: 'tokens/current',
    reply: onBody('listOauthAccessTokens', (body, { headers }) => ({
      ...body,
      oauth_access_tokens: (body.oauth_access_tokens as Json[]).filter(
        ({ token }) => token !== headers.get('oauth-token'),
      ),
    })),
  },
]
