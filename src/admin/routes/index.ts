import * as z from 'zod'
import { adminDocument } from '../admin-document.ts'
import { type AdminRoute, defineRoute } from '../define-route.ts'
import { schemasAreMade } from '../without-code-of-text.ts'
import { assumptionRoutes } from './assumptions.ts'
import { changeRoutes } from './changes.ts'
import { clockRoutes } from './clock.ts'
import { factoryRoutes } from './factories.ts'
import { faultRoutes } from './faults.ts'
import { journalRoutes } from './journal.ts'
import { lastErrorRoutes } from './last-errors.ts'
import { pageRoutes } from './pages.ts'
import { recordRoutes } from './records.ts'
import { runRoutes } from './runs.ts'
import { scenarioRoutes } from './scenarios.ts'
import { serviceRoutes } from './service.ts'
import { stateRoutes } from './state.ts'
import { tokenRoutes } from './tokens.ts'
import { worldRoutes } from './worlds.ts'

export const adminRoutes: readonly AdminRoute[] = [
  ...serviceRoutes,
  defineRoute({
    id: 'readDocument',
    route: 'GET /openapi.json',
    summary: 'Describe the admin API',
    reply: {
      status: 200,
      description: 'An OpenAPI 3.1 document.',
      schema: z.looseObject({ openapi: z.string() }),
    },
    handle: () => adminDocument(adminRoutes),
  }),
  ...worldRoutes,
  ...stateRoutes,
  ...recordRoutes,
  ...pageRoutes,
  ...factoryRoutes,
  ...clockRoutes,
  ...runRoutes,
  ...lastErrorRoutes,
  ...faultRoutes,
  ...scenarioRoutes,
  ...assumptionRoutes,
  ...tokenRoutes,
  ...journalRoutes,
  ...changeRoutes,
]
schemasAreMade()
