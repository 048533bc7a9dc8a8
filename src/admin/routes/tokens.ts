import * as z from 'zod'
import { defineRoute } from '../define-route.ts'

/** Tokens as cookies carry them. */
export const tokenRoutes = [
  defineRoute({
    id: 'makeRawToken',
    method: 'POST',
    path: '/worlds/:world/tokens/raw',
    summary: 'Give the raw token of a decoded one, for a cookie',
    body: z.strictObject({ token: z.string() }),
    reply: { status: 200, description: 'The raw token.', schema: z.object({ token: z.string() }) },
    problems: [404],
    handle: async (_, world, { body: { token } }) => ({ token: await world.rawToken(token) }),
  }),
]
