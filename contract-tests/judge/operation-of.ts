import { factsOf, type OperationFacts, operationIds } from './operation-facts.ts'

/** The operation that a request reaches, with the parameters of its path. */
export interface Reached {
  readonly facts: OperationFacts
  /** Whether the document shows the path, rather than the conventions. */
  readonly isDocumented: boolean
  readonly parameters: Readonly<Record<string, string>>
}

interface Way {
  readonly facts: OperationFacts
  readonly isDocumented: boolean
  readonly method: string
  readonly segments: readonly string[]
}

let ways: Map<string, Way[]> | undefined

/** The routes of the table by their method and how many parts they have; those without parameters stand first. */
function waysOf(method: string, parts: number): readonly Way[] {
  if (ways === undefined) {
    ways = new Map()
    for (const way of allWays()) {
      const key = `${way.method} ${way.segments.length}`
      ways.set(key, [...(ways.get(key) ?? []), way])
    }
  }
  return ways.get(`${method} ${parts}`) ?? []
}

function allWays(): readonly Way[] {
  return operationIds
    .flatMap((id) => factsOf(id) ?? [])
    .flatMap((facts) =>
      facts.routes.map(({ method, path, basis }, index) => ({
        facts,
        // A second route is a sample's (PUT that creates a backfill). What a session's payload holds is said, and only
        // not where it is created.
        isDocumented: (basis === 'documented' && index === 0) || facts.operation === 'createSession',
        method,
        segments: path.split('/'),
      })),
    )
}

/** Finds what a request reaches; undefined where the table has nothing there. Parameters stand as the path has them. */
function routeOf(method: string, path: string): Reached | undefined {
  const [plain = ''] = path.split('?')
  const given = plain.split('/')
  for (const { facts, isDocumented, segments } of waysOf(method, given.length)) {
    if (!segments.every((segment, index) => segment.startsWith(':') || segment === given[index])) continue
    const parameters = Object.fromEntries(
      segments.flatMap((segment, index) =>
        segment.startsWith(':') ? [[segment.slice(1), given[index] ?? '']] : [],
      ),
    )
    return { facts, isDocumented, parameters }
  }
  return undefined
}

/** Finds what a request reaches, with the parameters decoded. */
export function operationOf(method: string, path: string): Reached | undefined {
  const reached = routeOf(method, path)
  return (
    reached && {
      ...reached,
      parameters: Object.fromEntries(
        Object.entries(reached.parameters).map(([name, value]) => [name, decode(value)]),
      ),
    }
  )
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
