import * as z from 'zod'
import { quote } from '../../wire/errors.ts'
import { defineRoute, done } from '../define-route.ts'
import { Problem } from '../problem.ts'

const activeFault = z.looseObject({ id: z.string(), used: z.int() })

/** Faults, assumptions and tokens. */
export const otherRoutes = [
  defineRoute({
    id: 'listFaults',
    method: 'GET',
    path: '/worlds/:world/faults',
    summary: 'List the faults',
    reply: { status: 200, description: 'The faults.', schema: z.object({ faults: z.array(activeFault) }) },
    handle: (_, world) => ({ faults: world.faults.list() }),
  }),
  defineRoute({
    id: 'addFault',
    method: 'POST',
    path: '/worlds/:world/faults',
    summary: 'Add a fault',
    body: z.looseObject({}).describe('Which requests, how often, and what happens to them.'),
    reply: { status: 201, description: 'The fault.', schema: activeFault },
    handle: (_, world, { body }) => world.faults.add(body as never),
  }),
  defineRoute({
    id: 'clearFaults',
    method: 'DELETE',
    path: '/worlds/:world/faults',
    summary: 'Remove all faults',
    reply: done,
    handle: (_, world) => world.faults.clear(),
  }),
  defineRoute({
    id: 'removeFault',
    method: 'DELETE',
    path: '/worlds/:world/faults/:id',
    summary: 'Remove a fault',
    reply: done,
    problems: [404],
    handle(_, world, { parameters: { id } }) {
      if (!world.faults.remove(id!)) throw new Problem(404, `There is no fault ${quote(id)}.`)
    },
  }),
  defineRoute({
    id: 'listAssumptions',
    method: 'GET',
    path: '/worlds/:world/assumptions',
    summary: 'List what is chosen where the document is silent',
    reply: {
      status: 200,
      description: 'The assumptions; those with values can be switched.',
      schema: z.object({
        assumptions: z.array(z.looseObject({ id: z.string(), section: z.string(), choice: z.string() })),
      }),
    },
    handle: (_, world) => ({ assumptions: world.assumptions.list() }),
  }),
  defineRoute({
    id: 'switchAssumptions',
    method: 'PATCH',
    path: '/worlds/:world/assumptions',
    summary: 'Choose otherwise',
    body: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe('Values by the id of an assumption.'),
    reply: done,
    handle: (_, world, { body }) => world.assumptions.switch(body),
  }),
  defineRoute({
    id: 'makeRawToken',
    method: 'POST',
    path: '/worlds/:world/tokens/raw',
    summary: 'Give the raw token of a decoded one, for a cookie',
    body: z.strictObject({ token: z.string() }),
    reply: { status: 200, description: 'The raw token.', schema: z.object({ token: z.string() }) },
    problems: [404],
    async handle(_, world, { body: { token } }) {
      if (!world.model.oauth_access_tokens.findFirst((q) => q.where({ token })))
        throw new Problem(404, 'There is no such token.')
      return { token: await world.rawToken(token) }
    },
  }),
]
