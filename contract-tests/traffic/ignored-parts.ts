import { isObject } from '../runner/is-object.ts'
import type { ReachedOperation } from '../runner/operation-of.ts'
import { queryOf } from '../runner/plain-address.ts'
import type { Exchange } from '../runner/read-exchange.ts'

/** Describes the parts of a request that the specification does not list for its operation. */
export function ignoredParts(
  { path, requestBody }: Exchange,
  { facts, isDocumented }: ReachedOperation,
): string[] {
  if (!isDocumented) return []
  const parameters = new Set(['api_key', ...facts.parameters.map(({ name }) => name)])
  const unknown = [...queryOf({ path }).keys()].filter((name) => !parameters.has(name))
  const sent = isObject(requestBody) ? requestBody[facts.singular] : undefined
  // Clients send back whole records: an attribute that they read is known, even if they cannot write it.
  const shown = facts.attributes === 'all' ? [] : facts.attributes
  const known = new Set([...facts.writes, ...shown].map(({ name }) => name))
  const attributes =
    isObject(sent) && facts.writes.length > 0 ? Object.keys(sent).filter((name) => !known.has(name)) : []
  return [
    ...unknown.map((name) => `\`${name}\` is not a parameter of ${facts.operation}.`),
    ...attributes.map((name) => `${facts.operation} does not write \`${facts.singular}.${name}\`.`),
  ]
}
