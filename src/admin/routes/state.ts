import * as z from 'zod'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { defineRoute } from '../define-route.ts'
import { fixture, flag, record } from '../schemas.ts'

const difference = z.object({
  created: z.array(record),
  updated: z.array(
    z.object({
      record,
      changes: z
        .record(z.string(), z.looseObject({}))
        .describe('By attribute: `from`, the previous value, and `to`, the present one.'),
    }),
  ),
  deleted: z.array(record),
})

/** Admin API routes for the state of a world. */
export const stateRoutes = [
  defineRoute({
    id: 'exportState',
    route: 'GET /worlds/:world/state',
    summary: 'Export the state as a fixture',
    reply: { status: 200, description: 'A fixture.', schema: fixture },
    handle: (_, world) => instanceOf(world).viewAsFixture(),
  }),
  defineRoute({
    id: 'importState',
    route: 'PUT /worlds/:world/state',
    summary: 'Replace the state by a fixture',
    description:
      'An invalid fixture changes nothing. It may have any length. With asStart, later resets restore this fixture, and new worlds start with it if the world is main.',
    body: fixture,
    query: z.strictObject({ asStart: flag.exactOptional() }),
    isLarge: true,
    handle: (_, world, { body, query }) => world.import(giveFixture(body), query),
  }),
  defineRoute({
    id: 'listSnapshots',
    route: 'GET /worlds/:world/snapshots',
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
    route: 'PUT /worlds/:world/snapshots/:name',
    summary: 'Store the current state under a name',
    handle: (_, world, { parameters }) => world.snapshot(parameters.name),
  }),
  defineRoute({
    id: 'restoreSnapshot',
    route: 'POST /worlds/:world/snapshots/:name/restore',
    summary: 'Restore a stored state',
    handle: (_, world, { parameters }) => world.restore(parameters.name),
  }),
  defineRoute({
    id: 'readDifference',
    route: 'GET /worlds/:world/difference',
    summary: 'Compare the records with an earlier state or another world',
    description:
      'Without a parameter, it compares the records with the initial state, which a reset restores.',
    query: z
      .strictObject({
        snapshot: z.string().optional().describe('The snapshot to compare with.'),
        from: z.string().optional().describe('The world to compare with.'),
      })
      .refine(({ snapshot, from }) => snapshot === undefined || from === undefined, {
        message: 'expected snapshot or from, not both',
      }),
    reply: {
      status: 200,
      description: 'The differences of each resource, by plural.',
      schema: z.object({ difference: z.record(z.string(), difference) }),
    },
    handle: (_, world, { query: { snapshot, from } }) => ({
      difference: world.diff(from === undefined ? snapshot : { world: from }),
    }),
  }),
]
