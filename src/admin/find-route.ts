import { quote } from '../wire/errors.ts'
import { type AdminRoute, basePath } from './define-route.ts'
import { Problem } from './problem.ts'

/**
 * Finds the route of a method and a path below the base, with what stands in its parameters.
 *
 * @throws Problem 404, 405 or 400.
 */
export function findRoute(
  routes: readonly AdminRoute[],
  method: string,
  path: string,
): { readonly route: AdminRoute; readonly parameters: Readonly<Record<string, string>> } {
  const given = path.split('/').slice(1)
  const here = routes.filter((route) => fits(route, given))
  // A literal segment goes before a parameter: `/faults` is no world's name.
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = here.find((route) => route.method === wanted)
  if (found) return { route: found, parameters: parametersOf(found, given) }
  if (here.length === 0) {
    throw new Problem(404, `Nothing is at ${quote(basePath + path)}.${hint(routes, given)}`)
  }
  const allowed = [...new Set(here.map((route) => route.method))]
  throw new Problem(
    405,
    `${method} is not allowed on ${quote(basePath + path)}; use ${allowed.join(' or ')}.`,
    {
      headers: { allow: allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', ') },
    },
  )
}

function segmentsOf({ path }: AdminRoute): string[] {
  return path.split('/').slice(1)
}

function fits(route: AdminRoute, given: readonly string[]): boolean {
  const segments = segmentsOf(route)
  return (
    segments.length === given.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? given[index] !== '' : segment === given[index],
    )
  )
}

function parametersOf(route: AdminRoute, given: readonly string[]): Readonly<Record<string, string>> {
  const pairs = segmentsOf(route).flatMap((segment, index): [string, string][] =>
    segment.startsWith(':') ? [[segment.slice(1), decode(given[index]!)]] : [],
  )
  return Object.fromEntries(pairs)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem(400, `${quote(segment)} has a bad percent-encoding.`)
  }
}

/** The paths that were probably meant. */
function hint(routes: readonly AdminRoute[], given: readonly string[]): string {
  const near = [...new Set(routes.map(({ path }) => path))]
    .map((path) => ({ path, far: distance(path.split('/').slice(1), given) }))
    .filter(({ far }) => far <= 4)
    .toSorted((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ path }) => basePath + path)
  return near.length === 0 ? ` All paths are in ${basePath}/openapi.json.` : ` Near it: ${near.join(', ')}.`
}

/** How many characters two paths differ by; a parameter fits everything, a segment too many or too few counts three. */
function distance(segments: readonly string[], given: readonly string[]): number {
  const shared = Math.min(segments.length, given.length)
  let far = Math.abs(segments.length - given.length) * 3
  for (let index = 0; index < shared && far <= 4; index++) {
    if (!segments[index]!.startsWith(':')) far += edits(segments[index]!, given[index]!.slice(0, 40))
  }
  return far
}

function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let left = 1; left <= one.length; left++) {
    const next = [left]
    for (let right = 1; right <= other.length; right++) {
      const change = row[right - 1]! + (one[left - 1] === other[right - 1] ? 0 : 1)
      next.push(Math.min(change, row[right]! + 1, next[right - 1]! + 1))
    }
    row = next
  }
  return row.at(-1)!
}
