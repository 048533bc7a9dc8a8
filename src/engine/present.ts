import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/rows.ts'
import type { Derive, Operation, Presented, Resource, WireRecord } from '../resources/resource.ts'
import { formatTimestamp, type TimestampFormat } from '../wire/timestamps.ts'
import type { Query } from './query.ts'

/** How a record is presented: which attributes, and in which timestamp format. Made once, then compared by identity. */
export interface View {
  readonly presents: Presented
  readonly fields: readonly Field[]
}

/** A presented attribute: its name as JSON text, and what makes its value. */
interface Field {
  readonly attribute: string
  readonly key: string
  readonly derive: Derive | undefined
  /** The format of a moment; `undefined` where the attribute holds none. */
  readonly format: TimestampFormat | undefined
}

function createView(resource: Resource, presents: Presented, timestamps: TimestampFormat): View {
  const fields = (presents === 'all' ? [] : presents).map((attribute) => ({
    attribute,
    key: `${JSON.stringify(attribute)}:`,
    derive: resource.derived?.[attribute]?.derive,
    format: resource.moments.includes(attribute) ? (resource.formats?.[attribute] ?? timestamps) : undefined,
  }))
  return { presents, fields }
}

const defaultViews = new WeakMap<Resource, View>()
const operationViews = new WeakMap<Operation, Map<string, View>>()

/** The view of a record inside another record's reply. */
export function defaultView(resource: Resource): View {
  let view = defaultViews.get(resource)
  if (view === undefined) {
    view = createView(resource, resource.presents, 'microseconds')
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
    const all = presents === 'all' ? presents : [...presents, ...attributes]
    view = createView(resource, all, operation.timestamps ?? 'microseconds')
    views.set(key, view)
  }
  return view
}

/** The text of a row in a view; kept until the row, or a record shown in it, changes. */
export function presentRow(model: Model, row: Row, view: View): string {
  const kept = row.texts?.get(view)
  if (kept !== undefined) return kept
  const text = presentRecord(model, row.record, view)
  row.texts ??= new Map()
  row.texts.set(view, text)
  return text
}

/** The text of a record in a view. */
export function presentRecord(model: Model, record: WireRecord, view: View): string {
  if (view.presents === 'all') return JSON.stringify(record)
  // Joined, not added up: a text made by adding is a rope, which each page that holds it would walk again.
  const parts = view.fields.map(({ attribute, key, derive, format }) => {
    if (derive) {
      const text = derive(record, model, (plural, shown) => presentShown(model, plural, shown))
      return text === undefined ? undefined : key + text
    }
    const value = record[attribute]
    if (value === null || typeof value === 'number') return key + value
    // A stored moment has nothing to escape.
    if (format !== undefined) return `${key}"${formatTimestamp(String(value), format)}"`
    return key + JSON.stringify(value)
  })
  return `{${(parts.includes(undefined) ? parts.filter((part) => part !== undefined) : parts).join(',')}}`
}

function presentShown(model: Model, plural: string, record: WireRecord): string {
  const table = model.table(plural)
  return presentRow(model, table.row(table.keyOf(record))!, defaultView(table.resource))
}
