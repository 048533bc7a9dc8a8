import { toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import { operationsOf } from '../define-operation.ts'
import { defineResource } from '../define-resource.ts'
import { pageOf, paging } from '../resource.ts'
import { attributes, references } from './schema.ts'

const operation = operationsOf<'oauth_access_tokens'>()

const listOauthAccessTokens = operation({
  id: 'listOauthAccessTokens',
  action: 'list',
  section: 'Read OAuth tokens',
  routes: [{ method: 'GET', path: '/api/oauth_access_tokens', basis: 'documented' }],
  parameters: [...paging, { name: 'show_all', type: 'integer' }],
  run({ model, user, query, now }) {
    if (user === undefined) return { page: [], count: 0 }
    const isShown = ({ expires }: { readonly expires: string }) => query.show_all === '1' || expires > now
    return model.table('oauth_access_tokens').list('user_id', user.id, pageOf(query), isShown)
  },
})

/** How long a token lives that a factory makes up, in milliseconds: a day. */
const inventedLifetime = 86_400_000

export const oauthAccessToken = defineResource({
  singular: 'oauth_access_token',
  plural: 'oauth_access_tokens',
  key: 'token',
  attributes,
  references,
  order: { by: 'expires', newestFirst: true },
  expires: true,
  presents: ['token', 'expires', 'user_id'],
  secrets: ['token'],
  authenticates(token, model) {
    const record = model.table('oauth_access_tokens').get(token)
    return record && { user: model.table('users').get(String(record.user_id)), expires: record.expires }
  },
  invents: (_, model, number) => ({
    token: `token-${number}`,
    expires: toTimestamp(toMilliseconds(model.now()) + inventedLifetime),
  }),
  traits: { expired: { values: { expires: '2020-01-01 00:00:00.000000+00:00' } } },
  operations: [listOauthAccessTokens],
})
