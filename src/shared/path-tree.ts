/** What stands at a path of the tree: its values by method, and the segments in the places of its parameters. */
export interface PathMatch<Value> {
  readonly values: ReadonlyMap<string, Value>
  /** As they stand in the path, nothing decoded. */
  readonly segments: readonly string[]
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>
  parameter: Node<Value> | undefined
  readonly values: Map<string, Value>
}

/**
 * Values by method and path, found segment by segment: exact in case, slashes and trailing slash. A segment `:name`
 * of a path stands for any one that is not empty; a literal segment goes before it.
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

  /** Looks a path up; it starts with `/` and has no query. */
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

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}

/** Decodes a segment; `undefined` where its percent-encoding is bad. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** A path as OpenAPI writes it: `/api/pipelines/{uuid}`. */
export function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}
