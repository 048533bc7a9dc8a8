import { notesOn } from '../resources/notes.ts'
import type { Operation, Resource } from '../resources/resource.ts'
import { type ApiError, recordInvalid, recordNotFound } from '../shared/errors.ts'
import { errorEnvelope } from '../shared/http.ts'
import { formatTimestamp } from '../shared/timestamps.ts'
import { required } from '../shared/values.ts'

export function requestExample(resource: Resource, operation: Operation): object {
  const written = notesOn(resource).requests?.[operation.id] ?? {}
  return operation.body === 'free-form' ? written : { [resource.singular]: written }
}

/** Returns an example of a successful reply. */
export function replyExample(resource: Resource, operation: Operation): object {
  const record = recordExample(resource, operation)
  if (operation.action !== 'list') return { [resource.singular]: record }
  const metadata = operation.metadata === 'empty' ? {} : { count: 1, next: false }
  return { [resource.plural]: [record], metadata }
}

function recordExample(resource: Resource, operation: Operation): object {
  const { attributes, replies } = notesOn(resource)
  const presents = operation.presents ?? resource.presents
  const shown = presents === 'all' ? [resource.key] : presents
  const own = replies?.[operation.id]
  const entries = shown.map((attribute): [string, unknown] => {
    const fallback = resource.key === 'id' ? 1 : 'example'
    const value = own?.[attribute] ?? (own && attribute in own ? null : attributes[attribute]?.[1])
    const example = value === undefined && attribute === resource.key ? fallback : value
    const format = resource.formats?.[attribute] ?? operation.timestamps ?? 'microseconds'
    const isTimestamp = resource.times.includes(attribute) && typeof example === 'string'
    return [attribute, isTimestamp ? formatTimestamp(example, format) : example]
  })
  return Object.fromEntries(entries)
}

/** Returns an example of an error reply: the most likely error of this operation. */
export function errorExample(
  resources: readonly Resource[],
  resource: Resource,
  operation: Operation,
): unknown {
  return JSON.parse(errorEnvelope(likelyError(resources, resource, operation)))
}

function likelyError(resources: readonly Resource[], resource: Resource, operation: Operation): ApiError {
  const [, , plural, parameter] = required(operation.routes[0], `a route of ${operation.id}`).path.split('/')
  if (operation.findsItself) return recordNotFound(resource.singular, 'token', 'old-token')
  if (parameter !== undefined) {
    const { singular, key } = resources.find((owner) => owner.plural === plural) ?? resource
    return recordNotFound(singular, key, key === 'id' ? '404' : 'nowhere')
  }
  if (operation.writes) return recordInvalid(`${resource.singular}: expected an object; found nothing.`)
  return recordInvalid('_limit: expected a whole number of 0 or more; found "ten".')
}
