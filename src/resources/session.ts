import * as z from 'zod'
import { ApiError } from '../wire/errors.ts'
import { seededHex } from '../wire/seeded.ts'
import { type Timestamp, toMilliseconds, toTimestamp } from '../wire/timestamps.ts'
import { timestamp } from './attributes.ts'
import { type ActionContext, defineResource, type WireRecord } from './define-resource.ts'

/** How long a token lives (`token-lifetime`): 30 days. */
export const tokenLifetime = 30 * 86_400_000

export const session = defineResource({
  singular: 'session',
  plural: 'sessions',
  key: 'token',
  stored: false,
  attributes: z.object({
    token: z.string(),
    expires: timestamp,
    user: z.object({ id: z.int(), username: z.string(), email: z.string() }),
  }),
  presents: ['token', 'expires', 'user'],
  secrets: ['token', 'password'],
  operations: [
    {
      id: 'createSession',
      title: 'Create session',
      action: 'create',
      section: 'Session',
      routes: [{ method: 'POST', path: '/api/sessions', basis: 'convention' }],
      credentials: 'api-key',
      writes: z.object({
        email: z.string().optional(),
        username: z.string().optional(),
        password: z.string().optional(),
      }),
      assumptions: ['session-path', 'session-fields', 'token-decoding', 'token-lifetime'],
      run: createSession,
    },
  ],
})

async function createSession({ model, attributes, now }: ActionContext): Promise<WireRecord> {
  const { email, username, password } = attributes
  const users = model.table('users')
  const name = String(email ?? username ?? '')
  const user = users.last('email', name) ?? users.last('username', name)
  if (name === '' || user === undefined || user.password !== password) {
    throw new ApiError('record_not_found', 'The email or username, or the password, is invalid.')
  }
  const expires = toTimestamp(toMilliseconds(now as Timestamp) + tokenLifetime)
  const tokens = model.table('oauth_access_tokens')
  const token = seededHex(model.seed, `oauth_access_token ${tokens.nextId}`)
  tokens.insert({ token, expires, user_id: user.id })
  return {
    token: await model.signToken({ token, expires: toMilliseconds(expires) / 1_000 }),
    expires,
    user: { id: user.id, username: user.username, email: user.email },
  }
}
