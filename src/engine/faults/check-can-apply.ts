import type { Resource } from '../../resources/resource.ts'
import { quote } from '../../shared/errors.ts'
import { canFitRoute } from '../../shared/glob.ts'
import { oneOf } from '../../shared/suggest.ts'
import { decodeSegment, type Endpoint } from '../router.ts'
import { type Fault, FaultError } from './fault.ts'

/**
 * Rejects a fault that can apply to no request: an unknown operation or resource, or conditions that no endpoint meets
 * together.
 *
 * @throws FaultError
 */
export function checkCanApply(fault: Fault, at: string, endpoints: readonly Endpoint[]): void {
  const { operation, method, path, record } = fault
  const [plural, key = ''] = Object.entries(record ?? {})[0] ?? []
  checkName(`${at}.operation`, 'an operation', operation, new Set(endpoints.map(idOf)))
  checkName(`${at}.record`, 'the plural of a resource', plural, new Set(endpoints.flatMap(pluralsOf)))
  // Without an operation or a record, the fault also applies to requests that match no endpoint.
  if (operation === undefined && plural === undefined) return
  const aim = operation ?? `one of the ${plural}`
  let reached = endpoints.filter((endpoint) => operation === undefined || idOf(endpoint) === operation)

  /** Returns the paths of an endpoint that name the record of the fault, decoded except for a slash in its key. */
  function pathsOf({ resource, names, route: { path } }: Endpoint): string[] {
    if (plural === undefined) return [path]
    return names
      .filter((name) => pluralOf(resource, name) === plural)
      .map((name) => path.replace(new RegExp(`:${name}(?=/|$)`), () => `${key}`.replaceAll('/', '%2F')))
  }

  function narrow(
    name: 'record' | 'method' | 'path',
    what: string,
    possible: (endpoint: Endpoint) => readonly string[],
    fits: (text: string) => boolean,
  ): void {
    const rest = reached.filter((endpoint) => possible(endpoint).some(fits))
    if (rest.length === 0) {
      const expected = `${what}: ${[...new Set(reached.flatMap(possible))].join(', ') || 'no record'}`
      throw new FaultError({ path: `${at}.${name}`, expected, found: quote(fault[name]) })
    }
    reached = rest
  }

  if (plural)
    narrow('record', `a record that a path of ${operation} names`, pluralsOf, (text) => text === plural)
  if (method !== undefined)
    narrow('method', `a method that reaches ${aim}`, methodsOf, (text) => text === method)
  if (path !== undefined) {
    // A key can be percent-encoded in many ways: compare it decoded.
    const read = plural && decodeSegment(path.replaceAll(/%2f/gi, '%252F'))
    narrow('path', `a path that reaches ${aim}`, pathsOf, (text) => canFitRoute(read ?? path, text))
  }
}

function idOf({ operation }: Endpoint): string {
  return operation.id
}

function methodsOf({ route }: Endpoint): string[] {
  return [route.method]
}

/** Returns the plurals of the records that the path of an endpoint names. */
function pluralsOf({ resource, names }: Endpoint): string[] {
  return names.map((name) => pluralOf(resource, name))
}

/** Returns the plural of the record that a path parameter names. */
export function pluralOf(resource: Resource, parameter: string): string {
  return resource.references?.[parameter]?.plural ?? resource.plural
}

function checkName(path: string, what: string, name: string | undefined, known: ReadonlySet<string>): void {
  if (name === undefined || known.has(name)) return
  const expected = `${what}: ${oneOf(name, [...known])}`
  throw new FaultError({ path, expected, found: quote(name) })
}
