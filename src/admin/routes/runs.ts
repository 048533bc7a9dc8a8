import { z } from 'zod'
import { defineRoute, done } from '../define-route.ts'
import { Problem } from '../problem.ts'
import { duration, nothing, outcome } from '../schemas.ts'
import type { World } from '../world-types.ts'

/** The runs: how and when they end. */
export const runRoutes = [
  defineRoute({
    id: 'scriptRuns',
    method: 'POST',
    path: '/worlds/:world/runs/script',
    summary: 'Say how a run, or all later runs of a pipeline, will end',
    body: z.strictObject({
      target: z.union([z.strictObject({ pipeline_uuid: z.string() }), z.strictObject({ id: z.int() })]),
      script: z.looseObject({ after: duration.optional() }),
    }),
    reply: done,
    problems: [404],
    handle(_, world, { body: { target, script } }) {
      if ('id' in target) checkRun(world, target.id)
      else if (!world.model.pipelines.get(target.pipeline_uuid)) {
        throw new Problem(404, `No pipeline has the uuid ${JSON.stringify(target.pipeline_uuid)}.`)
      }
      world.runs.script(target, script as never)
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
      world.runs.finish(checkRun(world, parameters.id!), status),
  }),
  defineRoute({
    id: 'advanceRun',
    method: 'POST',
    path: '/worlds/:world/runs/:id/advance',
    summary: 'Take a run to its next state',
    body: nothing,
    reply: done,
    problems: [404],
    handle: (_, world, { parameters }) => world.runs.advance(checkRun(world, parameters.id!)),
  }),
]

function checkRun({ model }: World, id: string | number): number {
  if (model.pipeline_runs.get(String(id))) return Number(id)
  throw new Problem(404, `No pipeline_run has the id ${id}.`)
}
