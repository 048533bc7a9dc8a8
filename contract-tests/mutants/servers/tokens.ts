import { ignores, onBody, onList, sets } from '../changes.ts'
import type { Json } from '../define-mutant.ts'
import { defineMutants } from './define-mutants.ts'

const long = '2026-01-31 12:00:00.000000+00:00'

/** Lists one token more. */
const listsAlso = (token: Json) => onList('listOauthAccessTokens', (list) => [...list, token])

/** Mutants of the list of tokens. */
export const tokens = defineMutants({
  'everybodys-tokens': ['tokens/own-only', listsAlso({ token: 'x', expires: long, user_id: 999 })],
  'tokens-of-others': [
    'tokens/not-others',
    listsAlso({ token: 'other-active-token', expires: '2099-01-31 12:00:00.000000+00:00', user_id: 1 }),
  ],
  'expired-always': [
    'tokens/active-only',
    listsAlso({ token: 'old', expires: '2001-01-31 12:00:00.000000+00:00', user_id: 1 }),
  ],
  'show-all-only-expired': [
    'tokens/show-all-keeps-active',
    onList('listOauthAccessTokens', (list, { query }) => (query.has('show_all') ? [] : list)),
  ],
  'tokens-limit-ignored': [
    'list-oauth-access-tokens/paging',
    { request: ignores('listOauthAccessTokens', '_limit') },
  ],
  'short-token-timestamps': [
    'list-oauth-access-tokens/timestamps',
    sets('listOauthAccessTokens', { expires: '2099-01-31 12:00:00' }),
  ],
  'tokens-under-tokens': [
    'list-oauth-access-tokens/envelope',
    onBody('listOauthAccessTokens', ({ oauth_access_tokens, ...body }) => ({
      ...body,
      tokens: oauth_access_tokens,
    })),
  ],
  'tokens-offset-ignored': [
    'list-oauth-access-tokens/paging',
    { request: ignores('listOauthAccessTokens', '_offset') },
  ],
  'show-all-ignored': ['tokens/show-all', { request: ignores('listOauthAccessTokens', 'show_all') }],
  'current-token-hidden': [
    'tokens/current',
    onList('listOauthAccessTokens', (list, { headers }) =>
      list.filter(({ token }) => token !== headers.get('oauth-token')),
    ),
  ],
})
