import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import { onRefused, queryClient } from './api/query-client'
import { currentSession } from './api/session'
import { Frame } from './parts/frame'
import { NotFound } from './parts/nothing'
import { Backfills } from './screens/backfills'
import { Logs } from './screens/logs'
import { Pipeline } from './screens/pipeline'
import { Pipelines } from './screens/pipelines'
import { Run } from './screens/run'
import { SignIn } from './screens/sign-in'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn })

/** The routes for signed-in users. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad() {
    if (currentSession() === undefined) throw redirect({ to: '/sign-in' })
  },
})

const tree = root.addChildren([
  signIn,
  inside.addChildren([
    createRoute({ getParentRoute: () => inside, path: '/', component: Pipelines }),
    createRoute({ getParentRoute: () => inside, path: '/pipelines/$uuid', component: Pipeline }),
    createRoute({ getParentRoute: () => inside, path: '/pipelines/$uuid/runs/$id', component: Run }),
    createRoute({ getParentRoute: () => inside, path: '/pipelines/$uuid/logs', component: Logs }),
    createRoute({
      getParentRoute: () => inside,
      path: '/backfills',
      validateSearch: ({ page }: Record<string, unknown>): { page?: number } => {
        const number = Math.floor(Number(page))
        return number > 1 ? { page: number } : {}
      },
      component: Backfills,
    }),
  ]),
])

// Behind the #, so that the built app runs from any folder of any static host.
export const router = createRouter({ routeTree: tree, history: createHashHistory(), scrollRestoration: true })

onRefused.leave = () => {
  queryClient.clear()
  void router.navigate({ to: '/sign-in' })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
