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

let ways: readonly Way[] | undefined

/** Every route of the table; routes without parameters stand first. */
function allWays(): readonly Way[] {
  ways ??= operationIds
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
  return ways
}

/** Finds what a request reaches; undefined where the table has nothing there. Parameters stand as the path has them. */
function routeOf(method: string, path: string): Reached | undefined {
  const [plain = ''] = path.split('?')
  const given = plain.split('/')
  for (const { facts, isDocumented, method: needed, segments } of allWays()) {
    if (needed !== method || segments.length !== given.length) continue
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
