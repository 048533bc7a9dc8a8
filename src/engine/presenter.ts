import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/store.ts'
import {
  type ActionResult,
  type Derive,
  type ListedRecords,
  type Operation,
  type Presented,
  pageOf,
  type Resource,
  type WireRecord,
} from '../resources/resource.ts'
import { ApiError } from '../shared/errors.ts'
import { listEnvelope, recordEnvelope } from '../shared/http.ts'
import * as limits from '../shared/limits.ts'
import { formatTimestamp, type TimestampFormat } from '../shared/timestamps.ts'
import type { TablePage } from './generic-actions.ts'
import type { Query, RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'

interface RecordPage {
  readonly page: readonly WireRecord[]
  readonly count: number
}

/** Writes the result of an action as the text of the reply's body. */
export function present(
  context: RequestContext,
  endpoint: Endpoint,
  result: ActionResult | TablePage | undefined,
): string {
  const { resource, operation } = endpoint
  const view = viewOf(resource, operation, context.query)
  // `ActionOf` types the actions of the table: lists give pages, all other actions a record.
  if (operation.action === 'list')
    return presentPage(context, endpoint, result as TablePage | RecordPage, view)
  const record = result as WireRecord
  const { model, row, world } = context
  const { singular } = resource
  const hasNull = world.switches['single-metadata'] === 'null' && operation.metadata !== 'none'
  // Clients are likely to request only this record again in the same view.
  if (operation.action !== 'detail' || row?.record !== record)
    return recordEnvelope(singular, presentRecord(model, record, view), hasNull)
  const text = presentRow(model, row, view)
  if (model.counting.size > 0) reportRead(model, resource, view, [row])
  return bodyOf(view, [text], String(hasNull), () => recordEnvelope(singular, text, hasNull))
}

function presentPage(
  context: RequestContext,
  { resource, operation }: Endpoint,
  page: TablePage | RecordPage,
  view: View,
): string {
  const { model } = context
  const isOfTable = 'rows' in page
  const bound = boundReply()
  const texts = isOfTable
    ? page.rows.map((row) => bound(presentRow(model, row, view)))
    : page.page.map((record) => bound(presentRecord(model, record, view)))
  if (isOfTable && model.counting.size > 0) reportRead(model, resource, view, page.rows)
  const metadata = metadataOf(context, operation, texts.length, page.count)
  return bodyOf(view, texts, JSON.stringify(metadata), () => listEnvelope(resource.plural, texts, metadata))
}

/** A body with the texts and metadata that it contains. */
interface KnownBody {
  readonly texts: readonly string[]
  readonly metadata: string
  readonly body: string
}

/**
 * Returns the body that `write` makes of the texts and the metadata, or the last body of the view if it is the same.
 * Clients repeat their reads, and the journal then stores one text for all (`bench -- --only throughput`).
 */
function bodyOf(view: View, texts: readonly string[], metadata: string, write: () => string): string {
  const { last } = view
  const isSame =
    last?.metadata === metadata &&
    last.texts.length === texts.length &&
    texts.every((text, index) => text === last.texts[index])
  if (isSame) return last.body
  const body = write()
  if (body.length <= limits.cachedBody) view.last = { texts, metadata, body }
  return body
}

// A separate function: each call of the surrounding one would allocate the closure's variables.
const presenterIn =
  (model: Model, bound = boundReply()) =>
  (plural: string, shown: WireRecord) =>
    bound(presentListed(model, plural, shown))

/** Counts the texts of one reply. The returned function throws if they are too many or too long to send. */
function boundReply(): (text: string) => string {
  let characters: number = limits.reply
  let records: number = limits.replyRecords
  return (text) => {
    characters -= text.length
    records -= 1
    if (characters < 0 || records < 0)
      throw new ApiError('payload_too_large', 'The reply is too long; use _limit.')
    return text
  }
}

/** The metadata of a page (`list-count`), if it has any. */
function metadataOf({ query, world }: RequestContext, operation: Operation, length: number, total: number) {
  if (operation.metadata === 'empty') return null
  const counts = { total, items: length, unrelated: total * 2 + 1 }
  const next = pageOf(query).offset + length < total
  return { count: counts[world.switches['list-count']], next }
}

/** Calls `onRead` for the records of a reply. Needed only while a record counts its reads. */
function reportRead(model: Model, { onRead }: Resource, view: View, rows: readonly Row[]): void {
  if (onRead === undefined) return
  const shows = (attribute: string) => view.presents !== 'all' && view.presents.includes(attribute)
  for (const row of rows) onRead(row.record, model, shows)
}

/** Returns the text of a row in a view. Caches short texts until the row, or a nested record, changes. */
function presentRow(model: Model, row: Row, view: View): string {
  for (let cached = row.texts; cached !== undefined; cached = cached.next)
    if (cached.view === view) return cached.text
  const text = presentRecord(model, row.record, view)
  if (text.length > limits.cachedText) return text
  row.texts = { view, text, next: row.texts }
  return text
}

function presentRecord(model: Model, record: WireRecord, view: View): string {
  if (view.presents === 'all') return JSON.stringify(record)
  let text = ''
  for (const field of view.fields) text += presentField(model, record, field)
  // `slice` makes one piece of it: a concatenated text is a rope, which each page with it would flatten again.
  return `{${text.slice(1)}}`
}

/** An attribute of a record, after a comma. */
function presentField(model: Model, record: WireRecord, field: PresentedAttribute): string {
  const { derive, list, format, key, quoted } = field
  const value = record[field.attribute]
  if (derive !== undefined) {
    const made = derive(record, model, presenterIn(model))
    return made === undefined ? '' : key + made
  }
  if (list !== undefined) return `${key}[${presentList(model, record, list).join(',')}]`
  if (value === null) return field.asNull
  if (typeof value === 'number') return key + value
  if (format !== undefined) return `${quoted}${formatTimestamp(String(value), format)}"`
  // Most texts have nothing to escape.
  if (typeof value === 'string' && plainText.test(value)) return `${quoted}${value}"`
  return key + JSON.stringify(value)
}

function presentList(model: Model, record: WireRecord, { listOf, by, key, accepts }: List): string[] {
  const table = model.table(listOf)
  const listed = table.where(by, record[key])
  const present = presenterIn(model)
  const texts = (accepts ? listed.filter(accepts) : listed).map((each) => present(listOf, each))
  return table.resource.order?.newestFirst ? texts.reverse() : texts
}

const plainText = /^[ !#-[\]-~]*$/

function presentListed(model: Model, plural: string, record: WireRecord): string {
  const table = model.table(plural)
  // The record is in its table.
  return presentRow(model, table.row(table.keyOf(record))!, defaultView(table.resource))
}

/**
 * Presented attributes of a record and their timestamp format. Each view exists once, so that caches can
 * compare identities.
 */
export interface View {
  readonly presents: Presented
  readonly fields: readonly PresentedAttribute[]
  /** The last body of a reply. */
  last?: KnownBody
}

/** Nested records, and the key by which they refer to their parent. */
export interface List extends ListedRecords {
  readonly key: string
}

/** Presented attribute: the JSON text before its value, and the source of the value. */
export interface PresentedAttribute {
  readonly attribute: string
  /** A comma and the name; also a quotation mark before a text, or the whole member if the value is null. */
  readonly key: string
  readonly quoted: string
  readonly asNull: string
  readonly derive: Derive | undefined
  readonly list: List | undefined
  /** Format of a timestamp, if it differs from the stored form. */
  readonly format: TimestampFormat | undefined
}

function createView(resource: Resource, presents: Presented, timestamps: TimestampFormat): View {
  const fields = (presents === 'all' ? [] : presents).map((attribute) => {
    const key = `,${JSON.stringify(attribute)}:`
    const { is, derive } = resource.derived?.[attribute] ?? {}
    const list = is && 'listOf' in is ? { ...is, key: resource.key } : undefined
    const chosen = resource.formats?.[attribute] ?? timestamps
    const isStoredForm = chosen === 'microseconds' || !resource.times.includes(attribute)
    const format = isStoredForm ? undefined : chosen
    return { attribute, key, quoted: `${key}"`, asNull: `${key}null`, derive, list, format }
  })
  return { presents, fields }
}

const defaultViews = new WeakMap<Resource, View>()

/** The view of a record inside another record's reply. */
function defaultView(resource: Resource): View {
  let view = defaultViews.get(resource)
  if (view === undefined) {
    view = createView(resource, resource.presentsWithin ?? resource.presents, 'microseconds')
    defaultViews.set(resource, view)
  }
  return view
}

const operationViews = new WeakMap<Operation, Map<string, View>>()

/** The view of the reply of an operation, with the additions of query parameters. */
function viewOf(resource: Resource, operation: Operation, query: Query): View {
  let views = operationViews.get(operation)
  if (views === undefined) {
    views = new Map()
    operationViews.set(operation, views)
  }
  const attributes: string[] = []
  for (const { name, adds } of operation.parameters ?? [])
    if (adds?.when.includes(String(query[name] ?? ''))) attributes.push(...adds.attributes)
  const key = attributes.join()
  let view = views.get(key)
  if (view === undefined) {
    const presents = operation.presents ?? resource.presents
    const all = presents === 'all' ? presents : [...presents, ...attributes]
    view = createView(resource, all, operation.timestamps ?? 'microseconds')
    views.set(key, view)
  }
  return view
}
