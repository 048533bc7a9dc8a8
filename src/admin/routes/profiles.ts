import * as z from 'zod'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { defineRoute, done } from '../define-route.ts'

/** The real servers whose ways the understudy can take. */
export const profileRoutes = [
  defineRoute({
    id: 'listProfiles',
    method: 'GET',
    path: '/profiles',
    summary: 'List the real servers whose ways this understudy can take',
    reply: {
      status: 200,
      description: 'The profiles; none but in `understudy serve`.',
      schema: z.object({ profiles: z.array(z.object({ name: z.string(), isOn: z.boolean() })) }),
    },
    handle: async ({ profiles }) => ({ profiles: (await profiles?.list()) ?? [] }),
  }),
  defineRoute({
    id: 'takeProfile',
    method: 'PUT',
    path: '/profile',
    summary: 'Take the ways of a real server from now on, or those of the document again',
    body: z.strictObject({ name: z.string().nullable() }).describe('`null` for those of the document.'),
    reply: done,
    problems: [404, 409],
    handle({ profiles }, _, { body: { name } }) {
      if (profiles !== undefined) return profiles.take(name)
      throw new UnderstudyError('CONFLICT', 'Only `understudy serve` takes profiles while it runs.')
    },
  }),
]
