import * as z from 'zod'
import type { Fault } from '../../engine/faults/fault.ts'
import { quote } from '../../shared/errors.ts'
import { defineRoute } from '../define-route.ts'
import { Problem } from '../problem.ts'
import { typed } from '../schemas.ts'

const activeFault = z.looseObject({ id: z.string(), used: z.int() })

/** Admin API routes for faults. */
export const faultRoutes = [
  defineRoute({
    id: 'listFaults',
    route: 'GET /worlds/:world/faults',
    summary: 'List the faults',
    reply: { status: 200, description: 'The faults.', schema: z.object({ faults: z.array(activeFault) }) },
    handle: (_, world) => ({ faults: world.faults.list() }),
  }),
  defineRoute({
    id: 'addFault',
    route: 'POST /worlds/:world/faults',
    summary: 'Add a fault',
    body: typed<Fault>(
      z.looseObject({}).describe('The matching requests, how often it applies, and its effect.'),
    ),
    reply: { status: 201, description: 'The fault.', schema: activeFault },
    handle: (_, world, { body }) => world.faults.add(body),
  }),
  defineRoute({
    id: 'clearFaults',
    route: 'DELETE /worlds/:world/faults',
    summary: 'Remove all faults',
    handle: (_, world) => world.faults.clear(),
  }),
  defineRoute({
    id: 'removeFault',
    route: 'DELETE /worlds/:world/faults/:id',
    summary: 'Remove a fault',
    handle(_, world, { parameters: { id } }) {
      if (!world.faults.remove(id)) throw new Problem(404, `There is no fault ${quote(id)}.`)
    },
  }),
]
