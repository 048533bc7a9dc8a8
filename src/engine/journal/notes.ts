import type { Change } from '../../factories/change.ts'
import type { Operation, Resource, WireRecord } from '../../resources/resource.ts'
import { type CredentialParameter, tokenLocations } from '../../shared/credentials.ts'
import { quote } from '../../shared/errors.ts'
import { isObject } from '../../shared/values.ts'

/** The names of credentials in a query. They are no parameters of an operation, but have an effect. */
const credentialParameters: Readonly<Record<CredentialParameter, true>> = { api_key: true }

/**
 * Returns notes on the parts of an accepted request that had no effect: attributes outside the policy,
 * unknown parameters (`unknown-attributes`), and dropped list elements (`unknown-upstream`).
 */
export function noteIgnored(
  resource: Resource,
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
  body: unknown,
  changes: readonly Change[],
): string[] {
  const parameters = new Set<string>([
    ...Object.keys(credentialParameters),
    ...(operation.parameters ?? []).map(({ name }) => name),
  ])
  const unknown = Object.keys(query)
    .filter((name) => !parameters.has(name))
    .map((name) => `${quote(name)} is no parameter of ${operation.id}; it was ignored.`)
  const sent = operation.writes && isObject(body) ? body[resource.singular] : undefined
  if (!isObject(sent)) return unknown
  const written = changes.find(({ table }) => table === resource.plural)?.next
  return [
    ...unknown,
    ...ignoredAttributes(resource, operation.writes, sent),
    ...(written ? droppedElements(resource, sent, written) : []),
  ]
}

function ignoredAttributes({ singular }: Resource, writes: Operation['writes'], sent: WireRecord): string[] {
  return Object.keys(sent)
    .filter((name) => !Object.hasOwn(writes?.shape ?? {}, name))
    .map((name) => `${singular}.${name} is not among what this request may write; it was ignored.`)
}

function droppedElements({ singular }: Resource, sent: WireRecord, written: WireRecord): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const stored = written[name]
    if (!Array.isArray(value) || !Array.isArray(stored)) return []
    const known = new Set<unknown>(stored)
    const dropped = value.filter(
      (element) => element !== '' && typeof element === 'string' && !known.has(element),
    )
    return dropped.map((element) => `${singular}.${name}: ${quote(element)} is not known; it was dropped.`)
  })
}

/** Returns a note if a rejected token is raw and its header takes decoded tokens. */
export function noteRawToken(headers: Readonly<Record<string, unknown>>): string[] {
  const { name } = tokenLocations.header
  const isRaw = /\..*\./.test(`${headers[name.toLowerCase()]}`)
  return isRaw ? [`${name} takes a decoded token; this is a raw one.`] : []
}
