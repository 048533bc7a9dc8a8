import * as z from 'zod'
import { defineRoute } from '../define-route.ts'

/** Admin API routes for tokens and sign-outs. */
export const tokenRoutes = [
  defineRoute({
    id: 'makeRawToken',
    route: 'POST /worlds/:world/tokens/raw',
    summary: 'Return the raw token of a decoded one, for a cookie',
    body: z.strictObject({ token: z.string() }),
    reply: { status: 200, description: 'The raw token.', schema: z.object({ token: z.string() }) },
    handle: async (_, world, { body: { token } }) => ({ token: await world.rawToken(token) }),
  }),
  defineRoute({
    id: 'signOut',
    route: 'POST /worlds/:world/sign-out',
    summary: 'Sign out all users: every token expires now',
    reply: {
      status: 200,
      description: 'The number of tokens that were valid before.',
      schema: z.object({ signedOut: z.int() }),
    },
    handle: async (_, world) => ({ signedOut: await world.signOut() }),
  }),
]
