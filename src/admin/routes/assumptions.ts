import * as z from 'zod'
import { defineRoute } from '../define-route.ts'

/** Admin API routes for assumptions and their switches. */
export const assumptionRoutes = [
  defineRoute({
    id: 'listAssumptions',
    route: 'GET /worlds/:world/assumptions',
    summary: 'List the assumptions about unspecified behavior',
    reply: {
      status: 200,
      description: 'The assumptions. Those with a value have a switch.',
      schema: z.object({
        assumptions: z.array(z.looseObject({ id: z.string(), section: z.string(), choice: z.string() })),
      }),
    },
    handle: async (_, world) => ({ assumptions: await world.assumptions.list() }),
  }),
  defineRoute({
    id: 'switchAssumptions',
    route: 'PATCH /worlds/:world/assumptions',
    summary: 'Change assumptions',
    body: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe('Values by the id of an assumption: `{ "list-count": "items" }`.'),
    handle: (_, world, { body }) => world.assumptions.switch(body),
  }),
]
