import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/rows.ts'
import type { Operation, Presented, Resource, WireRecord } from '../resources/define-resource.ts'
import { formatTimestamp, type TimestampFormat } from '../wire/timestamps.ts'
import type { Query } from './query.ts'

/** How a record is presented: which attributes, and in which timestamp format. Made once, then compared by identity. */
export interface View {
  readonly presents: Presented
  readonly timestamps: TimestampFormat
}

const defaultViews = new WeakMap<Resource, View>()
const operationViews = new WeakMap<Operation, Map<string, View>>()

/** The view of a record inside another record's reply. */
export function defaultView(resource: Resource): View {
  let view = defaultViews.get(resource)
  if (view === undefined) {
    view = { presents: resource.presents, timestamps: 'microseconds' }
    defaultViews.set(resource, view)
  }
  return view
}

/** The view of an operation's reply, with what query parameters add to it. */
export function viewOf(resource: Resource, operation: Operation, query: Query): View {
  const added = (operation.parameters ?? []).filter(
    ({ name, adds }) => adds?.when.includes(String(query[name] ?? '')) === true,
  )
  const key = added.map(({ name }) => name).join(' ')
  let views = operationViews.get(operation)
  if (views === undefined) {
    views = new Map()
    operationViews.set(operation, views)
  }
  let view = views.get(key)
  if (view === undefined) {
    const presents = operation.presents ?? resource.presents
    const attributes = added.flatMap(({ adds }) => adds!.attributes)
    view = {
      presents: presents === 'all' ? presents : [...presents, ...attributes],
      timestamps: operation.timestamps ?? 'microseconds',
    }
    views.set(key, view)
  }
  return view
}

/** The text of a row in a view; kept until the row, or a record shown in it, changes. */
export function presentRow(model: Model, resource: Resource, row: Row, view: View): string {
  const kept = row.texts?.get(view)
  if (kept !== undefined) return kept
  const text = presentRecord(model, resource, row.record, view)
  row.texts ??= new Map()
  row.texts.set(view, text)
  return text
}

/** The text of a record in a view. */
export function presentRecord(model: Model, resource: Resource, record: WireRecord, view: View): string {
  if (view.presents === 'all') return JSON.stringify(record)
  const parts = view.presents.map((attribute) => {
    const derive = resource.derived?.[attribute]
    if (derive)
      return `"${attribute}":${derive(record, model, (plural, shown) => presentShown(model, plural, shown))}`
    const value = record[attribute]
    const format = resource.formats?.[attribute] ?? view.timestamps
    const isMoment =
      format !== 'microseconds' && typeof value === 'string' && resource.moments.includes(attribute)
    return `"${attribute}":${JSON.stringify(isMoment ? formatTimestamp(value, format) : value)}`
  })
  return `{${parts.join(',')}}`
}

function presentShown(model: Model, plural: string, record: WireRecord): string {
  const table = model.table(plural)
  return presentRow(model, table.resource, table.row(table.keyOf(record))!, defaultView(table.resource))
}
