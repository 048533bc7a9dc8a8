import type { Operation, Resource, Route } from '../resources/resource.ts'
import { decodeSegment, PathTree, parameterNames } from '../shared/path-tree.ts'

/** A route with the resource and operation it belongs to, and the names of its path parameters in order. */
export interface Endpoint {
  readonly resource: Resource
  readonly operation: Operation
  readonly route: Route
  readonly names: readonly string[]
}

/** What a path leads to: an endpoint, other methods of the same path, or nothing. */
export type Match =
  | {
      readonly kind: 'endpoint'
      readonly endpoint: Endpoint
      readonly parameters: Readonly<Record<string, string>>
    }
  | { readonly kind: 'other-methods'; readonly methods: readonly string[] }
  | { readonly kind: 'bad-encoding' }
  | { readonly kind: 'nothing' }

/** A match that has led to an endpoint. */
export type EndpointMatch = Extract<Match, { readonly kind: 'endpoint' }>

const nothing: Match = { kind: 'nothing' }
const badEncoding: Match = { kind: 'bad-encoding' }
const noParameters: Readonly<Record<string, string>> = {}

/** Finds the endpoint of a method and path. */
export class Router {
  readonly endpoints: readonly Endpoint[]
  readonly #tree = new PathTree<Endpoint>()

  constructor(resources: readonly Resource[]) {
    this.endpoints = resources.flatMap((resource) =>
      resource.operations.flatMap((operation) =>
        operation.routes.map((route) => ({ resource, operation, route, names: parameterNames(route.path) })),
      ),
    )
    for (const endpoint of this.endpoints)
      this.#tree.add(endpoint.route.method, endpoint.route.path, endpoint)
  }

  /** Looks a path up; it starts with `/` and has no query. */
  match(method: string, path: string): Match {
    const found = this.#tree.find(path)
    if (found === undefined) return nothing
    const endpoint = found.values.get(method)
    if (endpoint === undefined) return { kind: 'other-methods', methods: [...found.values.keys()] }
    const parameters = decodeParameters(endpoint, found.segments)
    return parameters === undefined ? badEncoding : { kind: 'endpoint', endpoint, parameters }
  }
}

/** What a path that has led to an endpoint says in the places of its parameters. */
export function parametersOf(endpoint: Endpoint, path: string): Readonly<Record<string, string>> {
  const pattern = endpoint.route.path.split('/')
  const segments = path.split('/').filter((_, place) => pattern[place]?.startsWith(':'))
  return decodeParameters(endpoint, segments) ?? noParameters
}

/** The parameters by name; `undefined` where the percent-encoding of one is bad. */
function decodeParameters(
  { names }: Endpoint,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (names.length === 0) return noParameters
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const decoded = decodeSegment(segments[index] ?? '')
    if (decoded === undefined) return undefined
    parameters[name] = decoded
  }
  return parameters
}
