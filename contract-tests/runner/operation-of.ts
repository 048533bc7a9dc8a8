import { decodeSegment, PathTree } from '../../src/engine/router.ts'
import { parameterNames } from '../../src/shared/path-templates.ts'
import { factsOf, type OperationFacts, operationIds } from './operation-facts.ts'

/** The operation that a request reaches, with the parameters of its path. */
export interface ReachedOperation {
  readonly facts: OperationFacts
  /** True if the specification shows the path, rather than the conventions. */
  readonly isDocumented: boolean
  readonly parameters: Readonly<Record<string, string>>
}

/** A route of the table, and the names of its parameters. */
interface TableRoute {
  readonly facts: OperationFacts
  readonly isDocumented: boolean
  readonly names: readonly string[]
}

let routes: PathTree<TableRoute> | undefined

/** The routes of the table. */
function createRoutes(): PathTree<TableRoute> {
  const tree = new PathTree<TableRoute>()
  for (const facts of operationIds.flatMap((id) => factsOf(id) ?? [])) {
    for (const [index, { method, path, basis }] of facts.routes.entries()) {
      // A second route comes from a sample (PUT that creates a backfill). The specification describes the payload
      // of a session, but not its path.
      const isDocumented = (basis === 'documented' && index === 0) || facts.operation === 'createSession'
      tree.add(method, path, { facts, isDocumented, names: parameterNames(path) })
    }
  }
  return tree
}

/** Finds the operation of a request, with decoded parameters; undefined if the table has no such route. */
export function operationOf(method: string, path: string): ReachedOperation | undefined {
  routes ??= createRoutes()
  const query = path.indexOf('?')
  const found = routes.find(query === -1 ? path : path.slice(0, query))
  const route = found?.values.get(method)
  if (found === undefined || route === undefined) return undefined
  const parameters = Object.fromEntries(
    route.names.map((name, index) => {
      const segment = found.segments[index] ?? ''
      return [name, decodeSegment(segment) ?? segment]
    }),
  )
  return { facts: route.facts, isDocumented: route.isDocumented, parameters }
}
