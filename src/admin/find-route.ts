import { decodeSegment, PathTree } from '../engine/router.ts'
import { adminPath } from '../shared/addresses.ts'
import { quote } from '../shared/errors.ts'
import { answeredMethods, routedMethod } from '../shared/http.ts'
import { parameterNames } from '../shared/path-templates.ts'
import { suggest } from '../shared/suggest.ts'
import { required } from '../shared/values.ts'
import type { AdminRoute } from './define-route.ts'
import { Problem } from './problem.ts'

interface FoundRoute {
  readonly route: AdminRoute
  readonly parameters: Readonly<Record<string, string>>
}

/** Creates a function that finds the route of a method and a path below the base. It throws Problem 404, 405 or 400. */
export function createRouteFinder(
  routes: readonly AdminRoute[],
): (method: string, path: string) => FoundRoute {
  const tree = new PathTree<AdminRoute>()
  for (const route of routes) tree.add(route.method, route.path, route)
  return (method, path) => {
    const found = tree.find(path)
    if (found === undefined) {
      throw new Problem(404, `Nothing is at ${quote(adminPath + path)}.${hint(routes, path)}`)
    }
    const route = found.values.get(routedMethod(method))
    if (route) return { route, parameters: parametersOf(route, found.segments) }
    const allowed = [...found.values.keys()]
    throw new Problem(
      405,
      `${method} is not allowed on ${quote(adminPath + path)}; use ${allowed.join(' or ')}.`,
      {
        headers: { allow: allowed.flatMap(answeredMethods).join(', ') },
      },
    )
  }
}

function parametersOf({ path }: AdminRoute, segments: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameterNames(path).map((name, index): [string, string] => {
      const segment = required(segments[index], `the segment :${name}`)
      const decoded = decodeSegment(segment)
      if (decoded === undefined) throw new Problem(400, `${quote(segment)} has a bad percent-encoding.`)
      return [name, decoded]
    }),
  )
}

/** Suggests the nearest path, with the given parameters. */
function hint(routes: readonly AdminRoute[], given: string): string {
  const segments = given.split('/')
  const paths = routes.map(({ path }) =>
    path
      .split('/')
      .map((segment, index) => (segment.startsWith(':') ? (segments[index] ?? segment) : segment))
      .join('/'),
  )
  return suggest(given, paths) || ` All paths are in ${adminPath}/openapi.json.`
}
