import * as z from 'zod'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { findLastErrors } from '../../resources/log/controls/last-errors.ts'
import { defineRoute } from '../define-route.ts'

/** Admin API routes for the last errors in logs. */
export const lastErrorRoutes = [
  defineRoute({
    id: 'listLastErrors',
    route: 'GET /worlds/:world/last-errors',
    summary: 'List the last error line in the logs of each pipeline',
    description: 'Filters select pipelines, such as ?pipeline_uuid=daily_sales.',
    query: z.looseObject({}),
    reply: {
      status: 200,
      description: 'The lines, newest first, each with its log file.',
      schema: z.object({ errors: z.array(z.looseObject({ line: z.string(), path: z.string() })) }),
    },
    // The logs validate the filter.
    handle(_, world, { query }) {
      return { errors: findLastErrors(instanceOf(world).currentModel, query) }
    },
  }),
]
