import { toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import { defineOperation } from '../define-operation.ts'
import { defineResource } from '../define-resource.ts'
import { pageOf, paging } from '../resource.ts'
import { attributes, references } from './schema.ts'

const listOauthAccessTokens = defineOperation(
  'oauth_access_tokens',
  {
    id: 'listOauthAccessTokens',
    action: 'list',
    section: 'Read OAuth tokens',
    routes: [{ method: 'GET', path: '/api/oauth_access_tokens', basis: 'documented' }],
    parameters: [...paging, { name: 'show_all', type: 'integer' }],
  },
  ({ model, user, query, now }) => {
    if (user === undefined) return { page: [], count: 0 }
    const isShown = ({ expires }: { readonly expires: string }) => query.show_all === '1' || expires > now
    return model.table('oauth_access_tokens').list('user_id', user.id, pageOf(query), isShown)
  },
)

/** Lifetime of a token that a factory creates, in milliseconds: one day. */
const defaultLifetime = 86_400_000

export const oauthAccessToken = defineResource(
  'oauth_access_tokens',
  {
    singular: 'oauth_access_token',
    key: 'token',
    attributes,
    references,
    order: { by: 'expires', newestFirst: true },
    expiresAt: 'expires',
    presents: ['token', 'expires', 'user_id'],
    secrets: ['token'],
    operations: [listOauthAccessTokens],
  },
  {
    authenticates(token, model) {
      const record = model.table('oauth_access_tokens').get(token)
      return record && { user: model.table('users').get(String(record.user_id)), expires: record.expires }
    },
    factoryDefaults: (_, model, number) => ({
      token: `token-${number}`,
      expires: toTimestamp(toMilliseconds(model.now()) + defaultLifetime),
    }),
  },
)
