import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/rows.ts'
import {
  type ActionResult,
  type Operation,
  pageOf,
  type Resource,
  type WireRecord,
} from '../resources/resource.ts'
import { listEnvelope, longListEnvelope, recordEnvelope } from '../shared/envelope.ts'
import { ApiError } from '../shared/errors.ts'
import * as limits from '../shared/limits.ts'
import type { Slices } from '../shared/slices.ts'
import { formatTimestamp } from '../shared/timestamps.ts'
import type { TablePage } from './generic-actions.ts'
import type { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'
import { defaultView, type List, type PresentedAttribute, type View, viewOf } from './views.ts'

interface RecordPage {
  readonly page: readonly WireRecord[]
  readonly count: number
}

/** The text of a reply's body: of one that is long, in pieces. */
export type BodyText = string | readonly string[]

/** Writes what an action has given as the text of the reply's body. */
export function present(
  context: RequestContext,
  endpoint: Endpoint,
  result: ActionResult | TablePage,
): string | Slices<BodyText> {
  const { resource, operation } = endpoint
  const view = viewOf(resource, operation, context.query)
  // Lists give pages, all other actions a record.
  if (operation.action === 'list') {
    const page = result as TablePage | RecordPage // `ActionOf` holds the actions of the table to it.
    const texts: string[] = []
    const textOf = presentingEach(context.model, view, 'rows' in page)
    return (
      presentPage(context, endpoint, page, view, texts, textOf) ??
      presentLongPage(context, endpoint, page, view, texts, textOf)
    )
  }
  const { model, row, world } = context
  // Only what is read is likely to be asked for again in this view.
  const isRead = operation.action === 'detail' && row?.record === result
  // A record, as was said above.
  const text = isRead ? presentRow(model, row, view) : presentRecord(model, result as WireRecord, view)
  if (isRead && model.counting.size > 0) noteSeen(model, resource, view, [row])
  // `single-metadata`
  const hasNull = world.switches['single-metadata'] === 'null' && operation.metadata !== 'none'
  if (isRead && context.changes !== undefined) {
    context.presented = { singular: resource.singular, text, hasNull }
  }
  return recordEnvelope(resource.singular, text, hasNull)
}

/** The text of a page; `undefined` where it is long: then what has been made of it stands in `texts`. */
function presentPage(
  context: RequestContext,
  { resource, operation }: Endpoint,
  page: TablePage | RecordPage,
  view: View,
  texts: string[],
  textOf: (each: Row | WireRecord) => string,
): string | undefined {
  const { model } = context
  const isOfTable = 'rows' in page
  const all = isOfTable ? page.rows : page.page
  if (all.length > longPage || (!isOfTable && page.page.some(holdsLongList))) return undefined
  let length = 0
  for (const each of all) {
    const text = textOf(each)
    texts.push(text)
    length += text.length
    if (length > longTogether && all.length > 1) return undefined
  }
  if (isOfTable && model.counting.size > 0) noteSeen(model, resource, view, page.rows)
  const metadata = metadataOf(context, operation, texts.length, page.count)
  if (isOfTable && context.changes !== undefined) {
    context.presented = { plural: resource.plural, texts, metadata }
  }
  return listEnvelope(resource.plural, texts, metadata)
}

// A function of its own: what a closure may need is set aside at each call of the function around it, made or not.
const presenterIn =
  (model: Model, bound = boundReply()) =>
  (plural: string, shown: WireRecord) =>
    bound(presentListed(model, plural, shown))

/** Adds texts up: those of one reply, of which there are too many to be sent, or to be one text at all. */
function boundReply(): (text: string) => string {
  let rest: number = limits.reply
  return (text) => {
    rest -= text.length
    if (rest < 0) throw new ApiError('payload_too_large', 'The reply is too long; use _limit.')
    return text
  }
}

/** From how many records on the text of a page is made in slices, and of how many each of them is. */
const longPage = 200
/** How many characters of one record make it long, too. */
const longText = 32_768
/** How many characters of several records do. */
const longTogether = 8 * longText

/** Presents rows, or records, of one reply. */
function presentingEach(model: Model, view: View, isOfTable: boolean): (each: Row | WireRecord) => string {
  const bound = boundReply()
  // What stands in a page of a table are rows.
  return (each) =>
    bound(isOfTable ? presentRow(model, each as Row, view) : presentRecord(model, each as WireRecord, view))
}

/** The same of a page that is long, part by part. The journal keeps of its text no more than how long it was. */
function* presentLongPage(
  context: RequestContext,
  { resource, operation }: Endpoint,
  page: TablePage | RecordPage,
  view: View,
  texts: string[],
  textOf: (each: Row | WireRecord) => string,
): Slices<BodyText> {
  const { model } = context
  const all = 'rows' in page ? page.rows : page.page
  const pieces: string[] = []
  // After an empty one, each record has its comma.
  let part = ['', ...texts]
  let length = 0
  yield
  for (const each of all.slice(texts.length)) {
    // In a page that is no table's stand records.
    const record = each as WireRecord
    const isWhole = 'rows' in page || !holdsLongList(record)
    const text = isWhole ? textOf(each) : yield* presentingLists(model, record, view)
    length += text.length
    part.push(text)
    if (length < longText) continue
    pieces.push(part.join(','))
    part = ['']
    length = 0
    yield
  }
  if ('rows' in page && model.counting.size > 0) {
    for (const row of page.rows) {
      noteSeen(model, resource, view, [row])
      yield
    }
  }
  pieces.push(part.join(','))
  const metadata = metadataOf(context, operation, all.length, page.count)
  return longListEnvelope(resource.plural, pieces, metadata)
}

/** Whether a record that an action has made holds a list that is long. */
function holdsLongList(record: WireRecord): boolean {
  return Object.values(record).some((value) => Array.isArray(value) && value.length > longPage)
}

/** The text of such a record, its lists element by element. */
function* presentingLists(model: Model, record: WireRecord, view: View): Slices<string> {
  let text = ''
  for (const field of view.fields) {
    const list = record[field.attribute]
    if (!Array.isArray(list)) {
      text += presentField(model, record, field)
      continue
    }
    const texts: string[] = []
    for (const [index, element] of list.entries()) {
      for (const each of field.each?.(element) ?? [element]) texts.push(JSON.stringify(each))
      if (index % longPage === 0) yield
    }
    text += `${field.key}[${texts.join(',')}]`
    yield
  }
  return `{${text.slice(1)}}`
}

/** The metadata of a page (`list-count`), where it has any. */
function metadataOf({ query, world }: RequestContext, operation: Operation, length: number, total: number) {
  if (operation.metadata === 'empty') return null
  const counts = { total, items: length, unrelated: total * 2 + 1 }
  const next = pageOf(query).offset + length < total
  return { count: counts[world.switches['list-count']], next }
}

/** Tells a resource which of its records a reply has shown; nearly always no record counts that, and nobody asks. */
function noteSeen(model: Model, { seen }: Resource, view: View, rows: readonly Row[]): void {
  if (seen === undefined) return
  const shows = (attribute: string) => view.presents !== 'all' && view.presents.includes(attribute)
  for (const row of rows) seen(row.record, model, shows)
}

/** The text of a row in a view; kept until the row, or a record shown in it, changes, unless it is long. */
function presentRow(model: Model, row: Row, view: View): string {
  for (let kept = row.texts; kept !== undefined; kept = kept.next) if (kept.view === view) return kept.text
  const text = presentRecord(model, row.record, view)
  if (text.length > limits.keptText) return text
  row.texts = { view, text, next: row.texts }
  return text
}

/** The text of a record in a view. */
function presentRecord(model: Model, record: WireRecord, view: View): string {
  if (view.presents === 'all') return JSON.stringify(record)
  let text = ''
  for (const field of view.fields) text += presentField(model, record, field)
  // Cut, and so in one piece: a text made by adding is a rope, which each page that holds it would walk again.
  return `{${text.slice(1)}}`
}

/** An attribute of a record, after a comma. */
function presentField(model: Model, record: WireRecord, field: PresentedAttribute): string {
  const { derive, list, each, format, key, quoted } = field
  const value = record[field.attribute]
  if (derive !== undefined) {
    const made = derive(record, model, presenterIn(model))
    return made === undefined ? '' : key + made
  }
  if (list !== undefined) return `${key}[${presentList(model, record, list).join(',')}]`
  if (value === null) return field.asNull
  if (typeof value === 'number') return key + value
  // A stored moment has nothing to escape, and most other texts have not either.
  if (format !== undefined) return `${quoted}${formatTimestamp(String(value), format)}"`
  if (typeof value === 'string' && plainText.test(value)) return `${quoted}${value}"`
  // What is said of each element is said of a list.
  return key + JSON.stringify(each === undefined ? value : (value as unknown[]).flatMap(each))
}

/** The texts of the records that one shows within itself. */
function presentList(
  model: Model,
  record: WireRecord,
  { listOf, by, key, keeps, isNewestFirst }: List,
): string[] {
  const listed = model.table(listOf).where(by, record[key])
  const present = presenterIn(model)
  const texts = (keeps ? listed.filter(keeps) : listed).map((each) => present(listOf, each))
  return isNewestFirst ? texts.reverse() : texts
}

/** A text that stands in JSON as it is. */
const plainText = /^[ !#-[\]-~]*$/

function presentListed(model: Model, plural: string, record: WireRecord): string {
  const table = model.table(plural)
  // It was found in its table.
  return presentRow(model, table.row(table.keyOf(record))!, defaultView(table.resource))
}
