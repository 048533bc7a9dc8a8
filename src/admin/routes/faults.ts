import * as z from 'zod'
import type { Fault } from '../../engine/faults/fault.ts'
import { quote } from '../../shared/errors.ts'
import { defineRoute, done } from '../define-route.ts'
import { Problem } from '../problem.ts'
import { typed } from '../schemas.ts'

const activeFault = z.looseObject({ id: z.string(), used: z.int() })

/** Routes of the faults. */
export const faultRoutes = [
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
    body: typed<Fault>(
      z.looseObject({}).describe('The matching requests, how often it applies, and its effect.'),
    ),
    reply: { status: 201, description: 'The fault.', schema: activeFault },
    handle: (_, world, { body }) => world.faults.add(body),
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
      if (!world.faults.remove(id)) throw new Problem(404, `There is no fault ${quote(id)}.`)
    },
  }),
]
