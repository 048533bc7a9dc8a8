import * as z from 'zod'
import { runTarget } from '../../resources/pipeline-run/controls/run-target.ts'
import { endStatuses, type RunScript, type RunTarget } from '../../resources/pipeline-run/controls/runs.ts'
import { defineRoute } from '../define-route.ts'
import { typed } from '../schemas.ts'

/** Admin API routes for controlling runs. */
export const runRoutes = [
  defineRoute({
    id: 'scriptRuns',
    route: 'POST /worlds/:world/runs/script',
    summary: 'Set the script of a run, or of all later runs of a record',
    body: z.strictObject({
      target: runTarget,
      script: typed<RunScript>(
        z
          .unknown()
          .describe(
            'The script: `"running for 3 reads, then failed"`, or `{ "ends_as": "failed", "after": "20s" }`.',
          ),
      ),
    }),
    // The schema accepts exactly one of the four targets; the runs validate the script.
    handle: (_, world, { body: { target, script } }) => world.runs.script(target as RunTarget, script),
  }),
  defineRoute({
    id: 'finishRun',
    route: 'POST /worlds/:world/runs/:id/finish',
    summary: 'End a run now',
    body: z.strictObject({ status: z.enum(endStatuses).optional() }).default({}),
    handle: (_, world, { parameters, body: { status } }) => world.runs.finish(toId(parameters.id), status),
  }),
  defineRoute({
    id: 'advanceRun',
    route: 'POST /worlds/:world/runs/:id/advance',
    summary: 'Move a run to its next state',
    handle: (_, world, { parameters }) => world.runs.advance(toId(parameters.id)),
  }),
]

/** Parses the id in a path. Returns other text unchanged: it matches nothing, and the error shows it. */
function toId(text = ''): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}
