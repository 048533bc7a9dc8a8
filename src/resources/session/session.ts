import { ApiError } from '../../shared/errors.ts'
import { seededHex } from '../../shared/seeded.ts'
import { toMilliseconds, toTimestamp } from '../../shared/timestamps.ts'
import { defineOperation } from '../define-operation.ts'
import { defineResource } from '../define-resource.ts'
import { attributes, newSession } from './schema.ts'

/** Lifetime of a token (`token-lifetime`): 30 days. */
const tokenLifetime = 30 * 86_400_000

const createSession = defineOperation(
  'sessions',
  {
    id: 'createSession',
    action: 'create',
    section: 'Session',
    routes: [{ method: 'POST', path: '/api/sessions', basis: 'convention' }],
    credentials: 'api-key',
    writes: newSession,
    signsTokens: true,
  },
  ({ model, attributes, now }) => {
    const { email, username, password } = attributes
    const users = model.table('users')
    const name = email ?? username ?? ''
    const user = users.last('email', name) ?? users.last('username', name)
    if (name === '' || user === undefined || user.password !== password) {
      throw new ApiError('record_not_found', 'The email or username, or the password, is invalid.')
    }
    const expires = toTimestamp(toMilliseconds(now) + tokenLifetime)
    const tokens = model.table('oauth_access_tokens')
    const token = seededHex(model.seed, `oauth_access_token ${tokens.nextId}`)
    tokens.insert({ token, expires, user_id: user.id })
    return {
      token: model.signToken({ token, expires: toMilliseconds(expires) / 1_000 }),
      expires,
      user: { id: user.id, username: user.username, email: user.email },
    }
  },
)

export const session = defineResource('sessions', {
  singular: 'session',
  key: 'token',
  stored: false,
  attributes,
  presents: ['token', 'expires', 'user'],
  secrets: ['token'],
  operations: [createSession],
})
