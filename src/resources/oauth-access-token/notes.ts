import type { NotesOf } from '../resource-notes.ts'

/** Descriptions and examples of the attributes and parameters of tokens, for the OpenAPI document. */
export const notes: NotesOf<'oauth_access_tokens'> = {
  title: 'OAuth access tokens',
  description: 'List the OAuth access tokens of the current user.',
  attributes: {
    token: ['The decoded token, as the header `OAUTH-TOKEN` carries it.', 'mira-laptop'],
    expires: ['When the token expires.', '2026-03-21 09:00:00.000000+00:00'],
    user_id: ['Whose token it is.', 1],
  },
  operations: {
    listOauthAccessTokens: 'Read OAuth tokens',
  },
  parameters: {
    _limit: ['Maximum number of items returned.', 20],
    _offset: ['Skip the first N items.', 0],
    show_all: ['When absent, only active tokens are returned; when 1, expired ones too.', 1],
  },
  assumptions: {
    listOauthAccessTokens: ['tokens-in-open-mode', 'list-order', 'list-count'],
  },
}
