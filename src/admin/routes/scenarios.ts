import * as z from 'zod'
import { startScenario } from '../../engine/scenarios/start-scenario.ts'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { defineRoute } from '../define-route.ts'
import { fixture } from '../schemas.ts'

/** Admin API routes for scenarios. */
export const scenarioRoutes = [
  defineRoute({
    id: 'listScenarios',
    route: 'GET /worlds/:world/scenarios',
    summary: 'List the scenarios',
    reply: {
      status: 200,
      description: 'The scenarios that you can start, with their parts.',
      schema: z.object({
        scenarios: z.array(
          z.object({ name: z.string(), description: z.string(), parts: z.array(z.string()) }),
        ),
      }),
    },
    handle: async (_, world) => ({ scenarios: await world.scenarios.list() }),
  }),
  defineRoute({
    id: 'startScenario',
    route: 'POST /worlds/:world/scenarios/:name/start',
    summary: 'Start a scenario by its name',
    description: '`undo` reverts the start.',
    handle: (_, world, { parameters }) => startScenario(parameters.name, instanceOf(world)),
  }),
  defineRoute({
    id: 'startGivenScenario',
    route: 'POST /worlds/:world/scenarios/start',
    summary: 'Start the given scenario',
    description: 'An invalid scenario changes nothing. `undo` reverts the start.',
    body: z
      .looseObject({ description: z.string(), fixture: fixture.optional() })
      .describe('`description` and the parts: `fixture`, `assumptions`, `faults`, `scripts`, `clock`.'),
    isLarge: true,
    handle(_, world, { body }) {
      if (body.fixture !== undefined) giveFixture(body.fixture)
      startScenario(body, instanceOf(world))
    },
  }),
]
