import type { Operation, Resource, Route } from '../resources/resource.ts'
import { parameterNames } from '../shared/path-templates.ts'

/** A route with the resource and operation it belongs to, and the names of its path parameters in order. */
export interface Endpoint {
  readonly resource: Resource
  readonly operation: Operation
  readonly route: Route
  readonly names: readonly string[]
}

/** Match of a path: an endpoint, other methods of the same path, or nothing. */
export type Match =
  | {
      readonly kind: 'endpoint'
      readonly endpoint: Endpoint
      readonly parameters: Readonly<Record<string, string>>
    }
  | { readonly kind: 'other-methods'; readonly methods: readonly string[] }
  | { readonly kind: 'bad-encoding' }
  | { readonly kind: 'nothing' }

export type EndpointMatch = Extract<Match, { readonly kind: 'endpoint' }>

const nothing: Match = { kind: 'nothing' }
const badEncoding: Match = { kind: 'bad-encoding' }
const noParameters: Readonly<Record<string, string>> = {}

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

  /** Finds the endpoint of a path, which starts with `/` and has no query. */
  match(method: string, path: string): Match {
    const found = this.#tree.find(path)
    if (found === undefined) return nothing
    const endpoint = found.values.get(method)
    if (endpoint === undefined) return { kind: 'other-methods', methods: [...found.values.keys()] }
    const parameters = decodeParameters(endpoint, found.segments)
    return parameters === undefined ? badEncoding : { kind: 'endpoint', endpoint, parameters }
  }
}

/** Returns the parameters of a path that matches an endpoint. */
export function parametersOf(endpoint: Endpoint, path: string): Readonly<Record<string, string>> {
  const pattern = endpoint.route.path.split('/')
  const segments = path.split('/').filter((_, place) => pattern[place]?.startsWith(':'))
  return decodeParameters(endpoint, segments) ?? noParameters
}

/** Returns the parameters by name; `undefined` if the percent-encoding of one is invalid. */
function decodeParameters(
  { names }: Endpoint,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (names.length === 0) return noParameters
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? ''
    const decoded = segment.includes('%') ? decodeSegment(segment) : segment
    if (decoded === undefined) return undefined
    parameters[name] = decoded
  }
  return parameters
}

/** Match of a path in the tree: its values by method, and the segments of its parameters. */
export interface PathMatch<Value> {
  readonly values: ReadonlyMap<string, Value>
  /** Segments as sent, not decoded. */
  readonly segments: readonly string[]
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>
  parameter: Node<Value> | undefined
  readonly values: Map<string, Value>
}

/**
 * Values by method and path, matched segment by segment: exact in case, slashes and trailing slash. A segment
 * `:name` matches any segment that is not empty. A literal segment precedes it.
 *
 * @example
 * tree.add('GET', '/api/backfills/:id', operation)
 * tree.find('/api/backfills/7') // { values: Map { 'GET' => operation }, segments: ['7'] }
 */
export class PathTree<Value> {
  readonly #root = createNode<Value>()

  add(method: string, path: string, value: Value): void {
    let node = this.#root
    for (const segment of path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        node.parameter ??= createNode()
        node = node.parameter
      } else {
        const next: Node<Value> = node.literals.get(segment) ?? createNode()
        node.literals.set(segment, next)
        node = next
      }
    }
    node.values.set(method, value)
  }

  /** Finds the values of a path, which starts with `/` and has no query. */
  find(path: string): PathMatch<Value> | undefined {
    let node: Node<Value> | undefined = this.#root
    const segments: string[] = []
    let start = 1
    while (node !== undefined && start <= path.length) {
      let end = path.indexOf('/', start)
      if (end === -1) end = path.length
      const segment = path.slice(start, end)
      const literal: Node<Value> | undefined = node.literals.get(segment)
      if (literal === undefined && segment !== '') segments.push(segment)
      node = literal ?? (segment === '' ? undefined : node.parameter)
      start = end + 1
    }
    return node === undefined || node.values.size === 0 ? undefined : { values: node.values, segments }
  }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map(), parameter: undefined, values: new Map() }
}

/** Decodes a segment; `undefined` if its percent-encoding is invalid. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
