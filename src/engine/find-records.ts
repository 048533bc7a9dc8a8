import { recordNotFound } from '../wire/errors.ts'
import type { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'

/**
 * Finds the records that a path names: the one it nests under, and the one it ends with.
 *
 * @throws ApiError `record_not_found`.
 */
export function findRecords(context: RequestContext, endpoint: Endpoint): void {
  findParent(context, endpoint)
  const { action } = endpoint.operation
  if (action !== 'create' && action !== 'list') findRecord(context, endpoint)
}

/** The parent is named by the one path parameter that is a reference of the resource. */
function findParent(context: RequestContext, { resource, names }: Endpoint): void {
  for (const attribute of names) {
    const reference = resource.references?.[attribute]
    if (reference === undefined) continue
    const table = context.model.table(reference.plural)
    const { singular, key } = table.resource
    // Every name in the path has a value.
    const value = context.parameters[attribute]!
    const record = table.get(value)
    if (record === undefined) throw recordNotFound(singular, key, value)
    context.parent = record
    context.parentAttribute = attribute
    context.parentKey = record[key]
    return
  }
}

/** The record is named by the last path parameter; under a parent it must be that parent's (`backfill-other-pipeline`). */
function findRecord(context: RequestContext, { resource, names }: Endpoint): void {
  const { model, parameters, parentAttribute, parentKey } = context
  // An action on one record has a path that ends with its key.
  const value = parameters[names.at(-1)!]!
  const row = model.table(resource.plural).row(resource.scope === undefined ? value : `${parentKey}/${value}`)
  const isOthers = parentAttribute !== undefined && row?.record[parentAttribute] !== parentKey
  if (row === undefined || isOthers) throw recordNotFound(resource.singular, resource.key, value)
  context.row = row
  context.record = row.record
}
