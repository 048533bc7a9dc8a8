import { recordNotFound } from '../shared/errors.ts'
import type { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'

/**
 * Finds the records that a path names: the one it nests under, which a parameter names that is a reference of the
 * resource, and the one it ends with, which under a parent must be that parent's (`backfill-other-pipeline`).
 *
 * @throws ApiError `record_not_found`.
 */
export function findRecords(context: RequestContext, { resource, operation, names }: Endpoint): void {
  const { model, parameters } = context
  for (const attribute of names) {
    const reference = resource.references?.[attribute]
    if (reference === undefined) continue
    const parents = model.table(reference.plural)
    const { singular, key } = parents.resource
    // Every name in the path has a value.
    const value = parameters[attribute]!
    const parent = parents.get(value)
    if (parent === undefined) throw recordNotFound(singular, key, value)
    context.parent = parent
    context.parentAttribute = attribute
    context.parentKey = parent[key]
    break
  }
  if (operation.action === 'create' || operation.action === 'list') return
  const { parentAttribute, parentKey } = context
  // An action on one record has a path that ends with its key.
  const value = parameters[names.at(-1)!]!
  const row = model.table(resource.plural).row(resource.scope === undefined ? value : `${parentKey}/${value}`)
  if (row === undefined || (parentAttribute !== undefined && row.record[parentAttribute] !== parentKey)) {
    throw recordNotFound(resource.singular, resource.key, value)
  }
  context.row = row
  context.record = row.record
}
