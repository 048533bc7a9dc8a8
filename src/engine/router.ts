import type { Method, Operation, Resource, Route } from '../resources/define-resource.ts'

/** A route with the resource and operation it belongs to, and the names of its path parameters in order. */
export interface Endpoint {
  readonly resource: Resource
  readonly operation: Operation
  readonly route: Route
  readonly names: readonly string[]
}

/** What a path leads to: an endpoint, other methods of the same path, or nothing. */
export type Match =
  | { readonly kind: 'endpoint'; readonly endpoint: Endpoint; readonly parameters: Record<string, string> }
  | { readonly kind: 'other-methods'; readonly methods: readonly string[] }
  | { readonly kind: 'bad-encoding' }
  | { readonly kind: 'nothing' }

/** A match that has led to an endpoint. */
export type EndpointMatch = Extract<Match, { readonly kind: 'endpoint' }>

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  readonly endpoints: Map<string, Endpoint>
}

const nothing: Match = { kind: 'nothing' }
const badEncoding: Match = { kind: 'bad-encoding' }

/** Finds the endpoint of a method and path, segment by segment: exact in case, slashes and trailing slash. */
export class Router {
  readonly endpoints: readonly Endpoint[]
  readonly #root = createNode()

  constructor(resources: readonly Resource[]) {
    this.endpoints = resources.flatMap((resource) =>
      resource.operations.flatMap((operation) =>
        operation.routes.map((route) => ({ resource, operation, route, names: parameterNames(route.path) })),
      ),
    )
    for (const endpoint of this.endpoints) this.#add(endpoint)
  }

  /** Looks a path up; it starts with `/` and has no query. */
  match(method: string, path: string): Match {
    let node: Node | undefined = this.#root
    const values: string[] = []
    let start = 1
    while (node !== undefined && start <= path.length) {
      let end = path.indexOf('/', start)
      if (end === -1) end = path.length
      const segment = path.slice(start, end)
      const literal: Node | undefined = node.literals.get(segment)
      if (literal === undefined && segment !== '') values.push(segment)
      node = literal ?? (segment === '' ? undefined : node.parameter)
      start = end + 1
    }
    if (node === undefined || node.endpoints.size === 0 || path.endsWith('/')) return nothing
    const endpoint = node.endpoints.get(method)
    if (endpoint === undefined) return { kind: 'other-methods', methods: [...node.endpoints.keys()] }
    const parameters: Record<string, string> = {}
    for (const [index, name] of endpoint.names.entries()) {
      const decoded = decode(values[index]!)
      if (decoded === undefined) return badEncoding
      parameters[name] = decoded
    }
    return { kind: 'endpoint', endpoint, parameters }
  }

  #add(endpoint: Endpoint): void {
    let node = this.#root
    for (const segment of endpoint.route.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        node.parameter ??= createNode()
        node = node.parameter
      } else {
        const next: Node = node.literals.get(segment) ?? createNode()
        node.literals.set(segment, next)
        node = next
      }
    }
    node.endpoints.set(endpoint.route.method satisfies Method, endpoint)
  }
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, endpoints: new Map() }
}

function parameterNames(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
