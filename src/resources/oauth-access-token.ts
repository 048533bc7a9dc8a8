import * as z from 'zod'
import { timestamp } from './attributes.ts'
import { type ActionContext, type ActionResult, defineResource } from './define-resource.ts'

const attributes = z.object({
  /** The decoded token, as `OAUTH-TOKEN` carries it. */
  token: z.string().min(1),
  expires: timestamp,
  user_id: z.int(),
})

export const oauthAccessToken = defineResource({
  singular: 'oauth_access_token',
  plural: 'oauth_access_tokens',
  key: 'token',
  attributes,
  references: { user_id: { plural: 'users', whenDeleted: 'delete' } },
  order: { by: 'expires', newestFirst: true },
  presents: ['token', 'expires', 'user_id'],
  secrets: ['token'],
  authenticates: (token, model) => {
    const record = model.table('oauth_access_tokens').get(token)
    return (
      record && {
        user: model.table('users').get(String(record.user_id)),
        expires: String(record.expires),
      }
    )
  },
  operations: [
    {
      id: 'listOauthAccessTokens',
      title: 'Read OAuth tokens',
      action: 'list',
      section: 'Read OAuth tokens',
      routes: [{ method: 'GET', path: '/api/oauth_access_tokens', basis: 'documented' }],
      parameters: [
        { name: '_limit', type: 'integer', description: 'Maximum number of items returned.', example: 20 },
        { name: '_offset', type: 'integer', description: 'Skip the first N items.', example: 0 },
        {
          name: 'show_all',
          type: 'integer',
          description: 'When absent, only active tokens are returned; when 1, expired ones too.',
          example: 1,
        },
      ],
      assumptions: ['tokens-in-open-mode', 'list-order', 'list-count'],
      run: listTokens,
    },
  ],
})

function listTokens({ model, user, query, now }: ActionContext): ActionResult {
  const tokens = user === undefined ? [] : model.table('oauth_access_tokens').where('user_id', user.id)
  const shown = tokens.filter(({ expires }) => query.show_all === '1' || String(expires) > now).reverse()
  const offset = Number(query._offset ?? 0)
  const limit = query._limit === undefined ? shown.length : Number(query._limit)
  return { page: shown.slice(offset, offset + limit), count: shown.length }
}
