import type { Row } from '../factories/store.ts'
import type { Selection } from '../factories/table-types.ts'
import { pageOf, type QueryParameter, type WireRecord } from '../resources/resource.ts'
import { quote, recordInvalid, recordNotFound } from '../shared/errors.ts'
import * as limits from '../shared/limits.ts'
import { RecordError } from '../shared/record-error.ts'
import type { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'

/** Page of a table, and the total number of records. */
export interface TablePage {
  readonly rows: readonly Row[]
  readonly count: number
}

/**
 * Runs the generic action of the specification for an operation without its own action (spec, conventions,
 * rules 4 to 6).
 */
export function runGenericAction(
  context: RequestContext,
  { resource, operation }: Endpoint,
): WireRecord | TablePage {
  const { attributes, parentAttribute, parentKey } = context
  const table = context.model.table(resource.plural)
  // `findRecords` has found the record of an update, deletion or detail.
  const record = context.record!
  switch (operation.action) {
    case 'list':
      return table.page(selectPage(context, { resource, operation }))
    case 'detail':
      return record
    case 'create':
      return table.insert(
        parentAttribute === undefined ? attributes : { ...attributes, [parentAttribute]: parentKey },
      )
    case 'update': {
      const hasTime = 'updated_at' in resource.attributes.shape
      return table.change(record, hasTime ? { ...attributes, updated_at: context.now } : attributes)
    }
    case 'delete':
      return table.remove(record)
  }
}

/**
 * Refuses a deletion that would take too many records along.
 *
 * @throws ApiError `record_invalid`.
 */
export function boundDeletion({ model, record }: RequestContext, { resource }: Endpoint): void {
  if (
    record === undefined ||
    model.countDeleted(resource, record, limits.deletedRecords) <= limits.deletedRecords
  )
    return
  const { singular, key } = resource
  throw recordInvalid(
    `The ${singular} ${quote(record[key])} has more than ${limits.deletedRecords} records that would be deleted with it; delete some of them first.`,
  )
}

/** Returns the selection of a list, from its parent, its filters and its page. */
function selectPage(
  { query, parentAttribute, parentKey }: RequestContext,
  { resource, operation }: Pick<Endpoint, 'resource' | 'operation'>,
): Selection {
  const filters: Filter[] = []
  for (const { name, filter } of operation.parameters ?? []) {
    const value = query[name]
    if (filter !== undefined && value !== undefined) filters.push({ ...filter, value })
  }
  const scoped = parentAttribute === undefined ? undefined : { attribute: parentAttribute, value: parentKey }
  const indexed = scoped ? undefined : filters.find(({ attribute }) => resource.references?.[attribute])
  const tests = filters.filter((filter) => filter !== indexed).map(toTest)
  // Written out: spreading costs a page more than finding its records.
  const { offset, limit } = pageOf(query)
  return {
    offset,
    limit,
    where: scoped ?? indexed,
    accepts: tests.length === 0 ? undefined : (record) => tests.every((passes) => passes(record)),
  }
}

/** A filter of a list, with the value that a query gives it. */
type Filter = NonNullable<QueryParameter['filter']> & { readonly value: unknown }

function toTest({ attribute, match, value }: Filter): (record: WireRecord) => boolean {
  if (match === 'equal') return (record) => String(record[attribute]) === value
  const accepted = new Set<unknown>([value].flat())
  return (record) => [record[attribute]].flat().some((element) => accepted.has(element))
}

/** Converts the refusal of a record to an API error if the client wrote the refused value. Any other refusal is a defect. */
export function blameClient(error: unknown, { match, attributes, parentAttribute }: RequestContext): unknown {
  const flaw = error instanceof RecordError ? error.flaws[0] : undefined
  if (flaw === undefined || match.kind !== 'endpoint') return error
  if (flaw.path !== parentAttribute && !Object.hasOwn(attributes, flaw.path)) return error
  const { singular } = match.endpoint.resource
  return recordInvalid(`${singular}.${flaw.path}: expected ${flaw.expected}; found ${flaw.found}.`)
}

/**
 * Finds the records that a path names. A parameter that is a reference of the resource names the parent. The
 * last parameter names the record, which must belong to that parent (`backfill-other-pipeline`).
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
