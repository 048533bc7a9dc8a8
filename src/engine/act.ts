import type { Switches } from '../assumptions/switches.ts'
import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/rows.ts'
import type {
  ActionContext,
  ActionResult,
  Operation,
  Resource,
  WireRecord,
} from '../resources/define-resource.ts'
import { type ListMetadata, listEnvelope, recordEnvelope } from '../wire/envelope.ts'
import { recordInvalid } from '../wire/errors.ts'
import { RecordError } from '../wire/record-error.ts'
import { runGenericAction, selectionOf } from './actions.ts'
import { readAttributes } from './attributes.ts'
import { findParent, findRecord } from './find.ts'
import { presentRecord, presentRow, type View, viewOf } from './present.ts'
import { type Query, readQuery } from './query.ts'
import type { Endpoint } from './router.ts'

/** An endpoint, and what the path says in the places of its parameters. */
export interface Found {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/** What an operation acts on. */
export interface Stage {
  readonly model: Model
  readonly switches: Switches
}

/** A request whose credentials have been checked. */
export interface Credentialed {
  readonly search: string
  readonly body: () => unknown
  readonly bearer: string | undefined
  readonly user: WireRecord | undefined
}

/** The text of a reply's body, and where it was put together from texts that are kept anyway, what does that again. */
export interface Written {
  readonly text: string
  readonly again?: () => string
}

/** Runs the operation a request has reached, and gives the reply's body. */
export function act(
  { model, switches }: Stage,
  { endpoint, parameters }: Found,
  { search, body, bearer, user }: Credentialed,
): Written | Promise<Written> {
  const { resource, operation } = endpoint
  const parent = operation.findsItself ? undefined : findParent(model, endpoint, parameters)
  const record = operation.findsItself ? undefined : findRecord(model, endpoint, parameters, parent)
  const query = readQuery(operation, search)
  if (operation.action === 'list' && operation.run === undefined) {
    const selection = selectionOf(endpoint, parent, query)
    const view = viewOf(resource, operation, query)
    const { rows, count } = model.table(resource.plural).page(selection)
    const texts = rows.map((row) => presentRow(model, row, view))
    const metadata = metadataOf(switches, selection.offset, texts.length, count)
    if (model.counting.size > 0) noteSeen(model, resource, view, rows)
    return written(() => listEnvelope(resource.plural, texts, metadata))
  }
  if (operation.action === 'detail' && operation.run === undefined) {
    const table = model.table(resource.plural)
    const row = table.row(table.keyOf(record!))!
    const view = viewOf(resource, operation, query)
    const text = presentRow(model, row, view)
    const hasNull = hasNullMetadata(operation, switches)
    if (model.counting.size > 0) noteSeen(model, resource, view, [row])
    return written(() => recordEnvelope(resource.singular, text, hasNull))
  }
  const attributes = readAttributes(endpoint, body, switches)
  const context: ActionContext = {
    model,
    now: model.now(),
    parameters,
    query,
    attributes,
    parent: parent?.record,
    record,
    user,
    bearer,
  }
  // What goes is presented as it was: afterwards its children are gone too.
  const goodbye =
    operation.action === 'delete' ? presentResult(model, switches, endpoint, query, record!) : undefined
  const result = blameClient(endpoint, attributes, () =>
    operation.run ? operation.run(context) : runGenericAction(model, endpoint, context, parent),
  )
  if (goodbye !== undefined) return { text: goodbye }
  const present = (done: ActionResult) => ({ text: presentResult(model, switches, endpoint, query, done) })
  return result instanceof Promise ? result.then(present) : present(result)
}

function written(again: () => string): Written {
  return { text: again(), again }
}

/** Tells a resource which of its records a reply has shown. */
function noteSeen(model: Model, { seen }: Resource, view: View, rows: readonly Row[]): void {
  if (seen === undefined) return
  const shows = (attribute: string) => view.presents !== 'all' && view.presents.includes(attribute)
  for (const row of rows) seen(row.record, model, shows)
}

/** Runs an action; a record refused for something the client wrote is the client's error, any other is ours. */
function blameClient<Result>({ resource }: Endpoint, attributes: WireRecord, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    const flaw = error instanceof RecordError ? error.flaws[0] : undefined
    if (flaw === undefined || !Object.hasOwn(attributes, flaw.path)) throw error
    throw recordInvalid(`${resource.singular}.${flaw.path}: expected ${flaw.expected}; found ${flaw.found}.`)
  }
}

function presentResult(
  model: Model,
  switches: Switches,
  { resource, operation }: Endpoint,
  query: Query,
  result: ActionResult,
): string {
  const view = viewOf(resource, operation, query)
  if (operation.action !== 'list') {
    return recordEnvelope(
      resource.singular,
      presentRecord(model, result as WireRecord, view),
      hasNullMetadata(operation, switches),
    )
  }
  const { page, count } = result as { page: readonly WireRecord[]; count: number }
  const texts = page.map((record) => presentRecord(model, record, view))
  const metadata = metadataOf(switches, Number(query._offset ?? 0), texts.length, count)
  return listEnvelope(resource.plural, texts, operation.metadata === 'empty' ? null : metadata)
}

/** Whether `metadata: null` stands beside a single record (`single-metadata`). */
function hasNullMetadata({ metadata }: Operation, switches: Switches): boolean {
  return switches['single-metadata'] === 'null' && metadata !== 'none'
}

/** The metadata of a page (`list-count`). */
function metadataOf(switches: Switches, offset: number, length: number, total: number): ListMetadata {
  const counts = { total, items: length, unrelated: total * 2 + 1 }
  return { count: counts[switches['list-count']], next: offset + length < total }
}
