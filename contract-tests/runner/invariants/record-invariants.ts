import { rowAbout, type Statement } from '../../rules/document.ts'
import { type RecordFields, recordFields } from '../../rules/fields.ts'
import type { OperationId } from '../../rules/operation-id.ts'
import * as shape from '../../rules/shapes.ts'
import { isObject } from '../is-object.ts'
import { factsOf, type OperationFacts } from '../operation-facts.ts'
import type { ReceivedRecord } from '../replies.ts'

/** The table of the specification that lists the attributes of an operation's records. */
function tableOf(operation: OperationId): RecordFields | undefined {
  // The reply to the creation of a block has attributes of its own.
  if (operation === 'createBlock') return undefined
  const plural = factsOf(operation)?.plural
  return recordFields.find((table) => factsOf(table.operation)?.plural === plural)
}

/** The row about an attribute of an operation's records; undefined where their table has none. */
export function rowOf(operation: OperationId, attribute: string): Statement | undefined {
  const table = tableOf(operation)
  return table && rowAbout(table.section, attribute)
}

const logFiles: shape.Shape = {
  expected: 'an array of log files, each with name, path and content as strings',
  fits: (value) =>
    Array.isArray(value) &&
    value.every(
      (file) =>
        isObject(file) && ['name', 'path', 'content'].every((field) => typeof file[field] === 'string'),
    ),
}

/** What is said of attributes elsewhere than in the table of their record. */
const further: Partial<Record<OperationId, Readonly<Record<string, shape.Shape>>>> = {
  createBlock: { name: shape.text, type: shape.text, content: shape.maybe(shape.text) },
  readBlock: { content: shape.text, outputs: shape.array },
  triggerPipeline: { status: shape.text, event_variables: shape.object },
  listBackfills: { total_run_count: shape.integer },
  createSession: { token: shape.text },
  listLogs: { block_run_logs: logFiles, pipeline_run_logs: logFiles },
}

/** The attributes that the specification does not show an operation's records to have. */
const unshown: Partial<Record<OperationId, readonly string[] | 'all'>> = {
  // "The list response shape: not shown" (`pipelines-list-shape`).
  listPipelines: 'all',
  // "Fields of a session record beyond token: not shown" (`session-fields`).
  createSession: ['expires', 'user'],
}

/** The documented attributes that a record lacks. */
export function missingIn(record: ReceivedRecord, { operation, attributes }: OperationFacts): string[] {
  const free = unshown[operation] ?? []
  if (attributes === 'all' || free === 'all') return []
  return attributes
    .map(({ name }) => name)
    .filter((name) => !free.includes(name) && !Object.hasOwn(record, name))
}

/** The attributes of a record that are not of their documented type, with what they are. */
export function mistypedIn(
  record: ReceivedRecord,
  operation: OperationId,
  isSent: (attribute: string, value: unknown) => boolean,
): ReceivedRecord {
  return Object.fromEntries(
    shapesOf(operation)
      .filter(
        ([field, { fits }]) =>
          Object.hasOwn(record, field) && !fits(record[field]) && !isSent(field, record[field]),
      )
      // The form of a timestamp is another rule.
      .filter(
        ([field, { expected }]) => !(expected.includes('timestamp') && typeof record[field] === 'string'),
      )
      .map(([field]) => [field, record[field]]),
  )
}

type Shapes = readonly (readonly [field: string, shape: shape.Shape])[]

const shapesByOperation = new Map<OperationId, Shapes>()

/** The shapes of the attributes of an operation's records; gathered once, since every record of a reply asks. */
function shapesOf(operation: OperationId): Shapes {
  const known = shapesByOperation.get(operation)
  if (known !== undefined) return known
  const shapes = Object.entries({ ...tableOf(operation)?.fields, ...further[operation] })
  shapesByOperation.set(operation, shapes)
  return shapes
}

/** The attributes of a record that hold a time in another form than its action's, with what they hold. */
export function misformedIn(
  record: ReceivedRecord,
  { attributes, timestamps }: OperationFacts,
): ReceivedRecord {
  if (attributes === 'all') return {}
  const pattern = timestamps.form === 'seconds' ? shape.secondsPattern : shape.microsecondsPattern
  return Object.fromEntries(
    attributes
      .filter(({ isTimestamp }) => isTimestamp)
      .map(({ name }) => [name, record[name]] as const)
      .filter(([, value]) => typeof value === 'string' && !pattern.test(value)),
  )
}
