import type { Model } from '../factories/model.ts'
import type { WireRecord } from '../resources/define-resource.ts'
import { recordNotFound } from '../wire/errors.ts'
import type { Parent } from './actions.ts'
import type { Endpoint } from './router.ts'

/** Finds the record a nested path stands under: the one path parameter that is a reference of the resource. */
export function findParent(
  model: Model,
  { resource, names }: Endpoint,
  parameters: Record<string, string>,
): Parent | undefined {
  for (const attribute of names) {
    const reference = resource.references?.[attribute]
    if (reference === undefined) continue
    const table = model.table(reference.plural)
    const { singular, key } = table.resource
    const record = table.get(parameters[attribute]!)
    if (record === undefined) throw recordNotFound(singular, key, parameters[attribute]!)
    return { attribute, key: record[key], record }
  }
  return undefined
}

/** Finds the record the last path parameter names; under a parent it must be that parent's (`backfill-other-pipeline`). */
export function findRecord(
  model: Model,
  { resource, operation, names }: Endpoint,
  parameters: Record<string, string>,
  parent: Parent | undefined,
): WireRecord | undefined {
  if (operation.action === 'create' || operation.action === 'list') return undefined
  const value = parameters[names.at(-1)!]!
  const record = model
    .table(resource.plural)
    .get(resource.scope === undefined ? value : `${parent!.key}/${value}`)
  if (record === undefined || (parent !== undefined && record[parent.attribute] !== parent.key)) {
    throw recordNotFound(resource.singular, resource.key, value)
  }
  return record
}
