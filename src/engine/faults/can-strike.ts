import type { Resource } from '../../resources/resource.ts'
import { quote } from '../../wire/errors.ts'
import { canFitRoute } from '../../wire/glob.ts'
import { oneOf } from '../../wire/suggest.ts'
import type { Endpoint } from '../router.ts'
import { endingOf, type Fault, FaultError } from './fault.ts'

/**
 * Refuses a fault that can strike no request: one of an unknown operation or resource, or one whose conditions no
 * endpoint fulfils together.
 *
 * @throws FaultError
 */
export function checkCanStrike(fault: Fault, at: string, endpoints: readonly Endpoint[]): void {
  const { operation, method, path, record } = fault
  const plural = Object.keys(record ?? {})[0]
  checkName(`${at}.operation`, 'an operation', operation, new Set(endpoints.map(idOf)))
  checkName(`${at}.record`, 'the plural of a resource', plural, new Set(endpoints.flatMap(pluralsOf)))
  // A request that reaches nothing can be struck, too, unless the fault is about what it reaches.
  const isAboutEndpoints = operation !== undefined || plural !== undefined
  const aim = operation ?? `one of the ${plural}`
  let reached = endpoints.filter((endpoint) => operation === undefined || idOf(endpoint) === operation)

  function narrow(name: string, what: string, found: unknown, fits: (endpoint: Endpoint) => boolean): void {
    const rest = reached.filter(fits)
    if (rest.length === 0)
      throw new FaultError({ path: `${at}.${name}`, expected: what, found: quote(found) })
    reached = rest
  }

  if (operation !== undefined && plural !== undefined) {
    const named = [...new Set(reached.flatMap(pluralsOf))].join(', ') || 'no record'
    narrow('record', `a record that a path of ${operation} names: ${named}`, record, (endpoint) =>
      pluralsOf(endpoint).includes(plural),
    )
  } else if (plural !== undefined) {
    reached = reached.filter((endpoint) => pluralsOf(endpoint).includes(plural))
  }
  if (isAboutEndpoints && method !== undefined) {
    const methods = [...new Set(reached.map(({ route }) => route.method))].join(', ')
    narrow(
      'method',
      `a method that reaches ${aim}: ${methods}`,
      method,
      ({ route }) => route.method === method,
    )
  }
  if (isAboutEndpoints && path !== undefined) {
    const paths = [...new Set(reached.map(({ route }) => route.path))].join(', ')
    narrow('path', `a path that reaches ${aim}: ${paths}`, path, ({ route }) => canFitRoute(path, route.path))
  }
  checkMethods(fault, at, isAboutEndpoints ? reached : undefined)
}

/** Refuses a kind that strikes some methods only where no request can have one of them. */
function checkMethods(fault: Fault, at: string, reached: readonly Endpoint[] | undefined): void {
  const ending = endingOf(fault)
  const only = ending?.kind.methods
  if (ending === undefined || only === undefined) return
  const possible = reached?.map(({ route }) => route.method) ?? [fault.method ?? only[0]]
  if (only.some((method) => possible.includes(method))) return
  throw new FaultError({
    path: `${at}.${ending.effect}`,
    expected: `${only.join(' or ')} requests, the only ones it strikes`,
    found: [...new Set(possible)].join(', '),
  })
}

function idOf({ operation }: Endpoint): string {
  return operation.id
}

/** The resources whose records the path of an endpoint names, by plural. */
function pluralsOf({ resource, names }: Endpoint): string[] {
  return names.map((name) => pluralOf(resource, name))
}

/** The plural of the resource whose record a path parameter names. */
export function pluralOf(resource: Resource, parameter: string): string {
  return resource.references?.[parameter]?.plural ?? resource.plural
}

function checkName(path: string, what: string, name: string | undefined, known: ReadonlySet<string>): void {
  if (name === undefined || known.has(name)) return
  const expected = `${what}: ${oneOf(name, [...known])}`
  throw new FaultError({ path, expected, found: JSON.stringify(name) })
}
