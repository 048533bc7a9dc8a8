import type {
  Derive,
  DerivedAttribute,
  ListedRecords,
  Operation,
  Presented,
  QueryParameter,
  Resource,
} from '../resources/resource.ts'
import type { TimestampFormat } from '../shared/timestamps.ts'
import type { Query } from './request-context.ts'

/** How a record is presented: which attributes, and in which timestamp format. Made once, then compared by identity. */
export interface View {
  readonly presents: Presented
  readonly fields: readonly PresentedAttribute[]
}

/** Records that are shown within another, and the key by which they refer to it. */
export interface List extends ListedRecords {
  readonly key: string
}

/** A presented attribute: what stands before its value as JSON text, and what makes its value. */
export interface PresentedAttribute {
  readonly attribute: string
  /** A comma and the name; with a quotation mark where a text follows, or the whole where the value is null. */
  readonly key: string
  readonly quoted: string
  readonly asNull: string
  readonly derive: Derive | undefined
  readonly list: List | undefined
  readonly each: DerivedAttribute['each']
  /** The format of a moment; `undefined` where the attribute holds none. */
  readonly format: TimestampFormat | undefined
}

function createView(resource: Resource, presents: Presented, timestamps: TimestampFormat): View {
  const fields = (presents === 'all' ? [] : presents).map((attribute) => {
    const key = `,${JSON.stringify(attribute)}:`
    const { is, derive, each } = resource.derived?.[attribute] ?? {}
    const list = is && 'listOf' in is ? { ...is, key: resource.key } : undefined
    const format = resource.moments.includes(attribute)
      ? (resource.formats?.[attribute] ?? timestamps)
      : undefined
    return { attribute, key, quoted: `${key}"`, asNull: `${key}null`, derive, list, each, format }
  })
  return { presents, fields }
}

const defaultViews = new WeakMap<Resource, View>()

/** The view of a record inside another record's reply. */
export function defaultView(resource: Resource): View {
  let view = defaultViews.get(resource)
  if (view === undefined) {
    view = createView(resource, resource.presentsWithin ?? resource.presents, 'microseconds')
    defaultViews.set(resource, view)
  }
  return view
}

const operationViews = new WeakMap<Operation, OperationViews>()

/** The views of an operation's replies, by the parameters that add to them. */
interface OperationViews {
  /** The parameters that add attributes. */
  readonly adding: readonly QueryParameter[]
  readonly views: Map<string, View>
}

/** The view of an operation's reply, with what query parameters add to it. */
export function viewOf(resource: Resource, operation: Operation, query: Query): View {
  let known = operationViews.get(operation)
  if (known === undefined) {
    const adding = (operation.parameters ?? []).filter(({ adds }) => adds !== undefined)
    known = { adding, views: new Map() }
    operationViews.set(operation, known)
  }
  const { adding, views } = known
  const added =
    adding.length === 0
      ? adding
      : adding.filter(({ name, adds }) => adds?.when.includes(String(query[name] ?? '')))
  const key = added.length === 0 ? '' : added.map(({ name }) => name).join(' ')
  let view = views.get(key)
  if (view === undefined) {
    const presents = operation.presents ?? resource.presents
    const attributes = added.flatMap(({ adds }) => adds?.attributes ?? [])
    const all = presents === 'all' ? presents : [...presents, ...attributes]
    view = createView(resource, all, operation.timestamps ?? 'microseconds')
    views.set(key, view)
  }
  return view
}
