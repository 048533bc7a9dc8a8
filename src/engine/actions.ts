import type { Model } from '../factories/model.ts'
import type { Selection } from '../factories/table-types.ts'
import type { ActionContext, QueryParameter, WireRecord } from '../resources/define-resource.ts'
import type { Query } from './query.ts'
import type { Endpoint } from './router.ts'

/** What the document's generic layout does where an operation has no word of its own (conventions, rules 4 to 6). */
export function runGenericAction(
  model: Model,
  { resource, operation }: Endpoint,
  context: ActionContext,
  parent: Parent | undefined,
): WireRecord {
  const table = model.table(resource.plural)
  const stamp = 'updated_at' in resource.attributes.shape ? { updated_at: context.now } : {}
  switch (operation.action) {
    case 'create':
      return table.insert({ ...context.attributes, ...(parent && { [parent.attribute]: parent.key }) })
    case 'update':
      return table.change(context.record!, { ...context.attributes, ...stamp })
    case 'delete':
      return table.remove(context.record!)
    default:
      return context.record!
  }
}

/** The record a path nests under, and the attribute of its children that points to it. */
export interface Parent {
  readonly attribute: string
  readonly key: unknown
  readonly record: WireRecord
}

/** Which records a list holds, from its parent, its filters and its page. */
export function selectionOf(
  { resource, operation }: Endpoint,
  parent: Parent | undefined,
  query: Query,
): Selection {
  const filters = (operation.parameters ?? []).filter(
    ({ name, filter }) => filter && query[name] !== undefined,
  )
  const scoped = parent && { attribute: parent.attribute, value: parent.key }
  const indexed = scoped ? undefined : filters.find(({ filter }) => resource.references?.[filter!.attribute])
  const where = scoped ?? (indexed && { attribute: indexed.filter!.attribute, value: query[indexed.name] })
  const rest = filters.filter((filter) => filter !== indexed)
  return {
    offset: Number(query._offset ?? 0),
    limit: query._limit === undefined ? undefined : Number(query._limit),
    where,
    keep:
      rest.length === 0 ? undefined : (record) => rest.every((parameter) => passes(parameter, record, query)),
  }
}

function passes({ name, filter }: QueryParameter, record: WireRecord, query: Query): boolean {
  const value = record[filter!.attribute]
  if (filter!.match === 'equal') return String(value) === query[name]
  return (value as readonly unknown[]).some((element) =>
    (query[name] as readonly unknown[]).includes(element),
  )
}
