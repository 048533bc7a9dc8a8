import * as z from 'zod'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { defineRoute, done } from '../define-route.ts'

const wrongServer = z.object({ name: z.string(), breaks: z.string(), isOn: z.boolean() })

/** What the server as a whole can be instead of the good one. */
export const wrongServerRoutes = [
  defineRoute({
    id: 'listWrongServers',
    method: 'GET',
    path: '/wrong-servers',
    summary: 'List the ways in which this server can be wrong as a whole',
    reply: {
      status: 200,
      description: 'The wrong servers, each with the rule that it breaks; none but in `understudy serve`.',
      schema: z.object({
        wrongServers: z.array(wrongServer),
      }),
    },
    handle: async ({ wrongServers }) => ({ wrongServers: (await wrongServers?.list()) ?? [] }),
  }),
  defineRoute({
    id: 'readWrongServer',
    method: 'GET',
    path: '/wrong-server',
    summary: 'Say which wrong server this is now',
    reply: {
      status: 200,
      description: 'The wrong server; `null` where it is the good one.',
      schema: z.object({ wrongServer: wrongServer.nullable() }),
    },
    handle: async ({ wrongServers }) => ({ wrongServer: (await wrongServers?.current()) ?? null }),
  }),
  defineRoute({
    id: 'takeWrongServer',
    method: 'PUT',
    path: '/wrong-server',
    summary: 'Be a wrong server from now on, or the good one again',
    body: z.strictObject({ name: z.string().nullable().describe('`null` for the good one.') }),
    reply: done,
    problems: [404, 409],
    handle({ wrongServers }, _, { body: { name } }) {
      if (wrongServers !== undefined) return wrongServers.take(name)
      throw new UnderstudyError('CONFLICT', 'Only `understudy serve` has wrong servers.')
    },
  }),
]
