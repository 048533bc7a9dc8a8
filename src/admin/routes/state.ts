import * as z from 'zod'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { defineRoute, done } from '../define-route.ts'
import { fixture, nothing } from '../schemas.ts'

/** The state of a world as a whole, and its snapshots. */
export const stateRoutes = [
  defineRoute({
    id: 'exportState',
    method: 'GET',
    path: '/worlds/:world/state',
    summary: 'Export the state as a fixture',
    reply: { status: 200, description: 'A fixture.', schema: fixture },
    handle: (_, world) => instanceOf(world).viewAsFixture(),
  }),
  defineRoute({
    id: 'importState',
    method: 'PUT',
    path: '/worlds/:world/state',
    summary: 'Replace the state by a fixture',
    description:
      'A broken fixture changes nothing. It may be of any length. A reset goes back to where it went before, unless asStart is true: then to this fixture, and where the world is main, others start from it.',
    body: fixture,
    query: z.strictObject({ asStart: z.enum(['true', 'false']).optional() }),
    isLarge: true,
    reply: done,
    handle: (_, world, { body, query }) =>
      world.import(giveFixture(body), { asStart: query.asStart === 'true' }),
  }),
  defineRoute({
    id: 'listSnapshots',
    method: 'GET',
    path: '/worlds/:world/snapshots',
    summary: 'List the snapshots',
    reply: {
      status: 200,
      description: 'The names of the snapshots.',
      schema: z.object({ snapshots: z.array(z.string()) }),
    },
    handle: (_, world) => ({ snapshots: world.snapshots() }),
  }),
  defineRoute({
    id: 'keepSnapshot',
    method: 'PUT',
    path: '/worlds/:world/snapshots/:name',
    summary: 'Keep the present state under a name',
    body: nothing,
    reply: done,
    problems: [409],
    handle: (_, world, { parameters }) => world.snapshot(parameters.name),
  }),
  defineRoute({
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/worlds/:world/snapshots/:name/restore',
    summary: 'Go back to a kept state',
    body: nothing,
    reply: done,
    problems: [404],
    handle: (_, world, { parameters }) => world.restore(parameters.name),
  }),
]
