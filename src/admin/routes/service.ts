import * as z from 'zod'
import { authModeNames } from '../../engine/worlds/world-settings.ts'
import { version } from '../../shared/version.ts'
import { defineRoute } from '../define-route.ts'

/** Admin API routes for the server as a whole. */
export const serviceRoutes = [
  defineRoute({
    id: 'readHealth',
    route: 'GET /health',
    summary: 'Check that the server is running',
    reply: {
      status: 200,
      description: 'The server is running.',
      schema: z.object({ status: z.literal('ok') }),
    },
    handle: () => ({ status: 'ok' }),
  }),
  defineRoute({
    id: 'readVersion',
    route: 'GET /version',
    summary: 'Return the version and the credentials that the API checks',
    reply: {
      status: 200,
      description: 'The version.',
      schema: z.object({
        name: z.literal('pipeline-understudy'),
        version: z.string(),
        auth: z.enum(authModeNames),
      }),
    },
    handle: ({ auth }) => ({ name: 'pipeline-understudy', version: version, auth }),
  }),
]
