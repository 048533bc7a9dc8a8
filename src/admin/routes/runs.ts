import * as z from 'zod'
import type { World } from '../../engine/worlds/world.ts'
import { tableOf } from '../../factories/collection.ts'
import type { RunTarget } from '../../resources/pipeline-run/controls.ts'
import type { RunScript } from '../../resources/pipeline-run/script.ts'
import { defineRoute, done } from '../define-route.ts'
import { Problem } from '../problem.ts'
import { nothing, outcome } from '../schemas.ts'

/** Where the key of each kind of target leads. */
const plurals = {
  id: 'pipeline_runs',
  backfill_id: 'backfills',
  pipeline_schedule_id: 'pipeline_schedules',
  pipeline_uuid: 'pipelines',
} as const

/** The runs: how and when they end. */
export const runRoutes = [
  defineRoute({
    id: 'scriptRuns',
    method: 'POST',
    path: '/worlds/:world/runs/script',
    summary: 'Say how a run, or all later runs of a backfill, a schedule or a pipeline, go and end',
    body: z.strictObject({
      target: z
        .strictObject({
          id: z.int().optional(),
          backfill_id: z.int().optional(),
          pipeline_schedule_id: z.int().optional(),
          pipeline_uuid: z.string().optional(),
        })
        .refine((target) => Object.keys(target).length === 1, `one of ${Object.keys(plurals).join(', ')}`),
      script: z.unknown().describe('As in `understudy.runs.script`.'),
    }),
    reply: done,
    problems: [404],
    handle(_, world, { body: { target, script } }) {
      const [name, key] = Object.entries(target)[0] as [keyof typeof plurals, string | number]
      find(world, plurals[name], key)
      world.runs.script(target as RunTarget, script as RunScript)
    },
  }),
  defineRoute({
    id: 'finishRun',
    method: 'POST',
    path: '/worlds/:world/runs/:id/finish',
    summary: 'End a run now',
    body: z.strictObject({ status: outcome.optional() }).default({}),
    reply: done,
    problems: [404],
    handle: (_, world, { parameters, body: { status } }) =>
      world.runs.finish(find(world, 'pipeline_runs', parameters.id!), status),
  }),
  defineRoute({
    id: 'advanceRun',
    method: 'POST',
    path: '/worlds/:world/runs/:id/advance',
    summary: 'Take a run to its next state',
    body: nothing,
    reply: done,
    problems: [404],
    handle: (_, world, { parameters }) => world.runs.advance(find(world, 'pipeline_runs', parameters.id!)),
  }),
]

/** Says that a record is missing before anything is done with it; gives its key. */
function find(
  { model }: World,
  plural: (typeof plurals)[keyof typeof plurals],
  key: string | number,
): number {
  // Every collection of a world has a table behind it.
  const table = tableOf(model[plural])!
  const { resource } = table
  if (table.get(String(key))) return Number(key)
  throw new Problem(
    404,
    `No ${resource.singular} has the ${resource.key} ${resource.key === 'uuid' ? JSON.stringify(key) : key}.`,
  )
}
