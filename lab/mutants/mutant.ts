import type { Changed, Json, ParsedReply } from '../../contract-tests/mutants/define-mutant.ts'
import { type Statement, statementWith } from '../../contract-tests/rules/document.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import type { Section } from '../../contract-tests/rules/sections.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { factsOf, type OperationFacts, operationIds } from '../../contract-tests/runner/operation-facts.ts'
import {
  type Earlier,
  type Forward,
  type Handler,
  isErrorReply,
  type MutantRequest,
  type Start,
} from './serve-mutant.ts'
import {
  type Applies,
  fittingTriggers,
  named,
  type Situation,
  type Trigger,
  type TriggerName,
} from './triggers.ts'

/** A correct server with one change in some situations. */
export interface Mutant {
  /** Such as `drop/listBackfills.block_uuid/only-later-items`. */
  readonly name: string
  readonly operator: string
  readonly operation: OperationId
  readonly trigger: string
  /** The sentence of the specification that the mutant violates. */
  readonly sentence: Statement
  readonly start: Start
}

/** A place that an operator changes: an aspect of an operation. */
export interface Target {
  readonly operation: OperationId
  /** An attribute, a parameter, or a part of the exchange. */
  readonly aspect: string
  readonly sentence: Statement
  readonly triggers: readonly Trigger[]
  /** Creates the mutant that differs where the trigger applies. */
  readonly start: (applies: Applies) => Start
}

/** A kind of change, with every place of the tables where it is possible. */
export interface Operator {
  readonly name: string
  readonly targets: readonly Target[]
}

/** The places that an operator changes. */
type Targets = Target | readonly (Target | readonly Target[])[]

/** Creates operators from their places by name. */
export const defineOperators = (table: Readonly<Record<string, Targets>>): readonly Operator[] =>
  Object.entries(table).map(([name, targets]) => ({ name, targets: [targets].flat(2) }))

/** Creates operators of the same form from a table. */
export const operatorsOf = <Cell>(
  table: Readonly<Record<string, Cell>>,
  targetsOf: (cell: Cell, name: string) => Targets,
): Record<string, Targets> =>
  Object.fromEntries(Object.entries(table).map(([name, cell]) => [name, targetsOf(cell, name)]))

/** Creates the mutants of operators: one for each place and trigger. */
export function mutantsOf(operators: readonly Operator[]): Mutant[] {
  return operators.flatMap(({ name, targets }) =>
    targets.flatMap(({ operation, aspect, sentence, triggers, start }) =>
      triggers.map((trigger) => ({
        name: `${name}/${operation}.${aspect}/${trigger.name}`,
        operator: name,
        operation,
        trigger: trigger.name,
        sentence,
        start: start(trigger.applies),
      })),
    ),
  )
}

/** Finds the facts of an operation in the table. */
export function facts(operation: OperationId): OperationFacts {
  const found = factsOf(operation)
  if (!found) throw new Error(`[understudy] Expected an operation of the table; found ${operation}.`)
  return found
}

/** The operations of the specification's summary, and the creation of sessions, which it describes. */
export const documentedOperations: readonly OperationId[] = operationIds.filter(
  (id) => id === 'createSession' || facts(id).routes.some(({ basis }) => basis === 'documented'),
)

/** Finds the sentence of a section that contains a text. */
export function sentence(section: Section, part: string): Statement {
  const found = statementWith(section, part)
  if (!found) throw new Error(`[understudy] Expected a sentence with "${part}" in "${section}"; found none.`)
  return found
}

/** Finds the line of the specification that gives an operation its method and path. */
export function pathOf(operation: OperationId): Statement {
  return facts(operation).routes.find(({ stated }) => stated)?.stated ?? facts(operation).stated
}

/** Finds the row about a parameter, or about an attribute that a request writes. */
export function rowOf(operation: OperationId, name: string): Statement {
  const { parameters, writes } = facts(operation)
  const row = [...parameters, ...writes].find((own) => own.name === name)?.stated
  if (!row) throw new Error(`[understudy] Expected a row about ${name} of ${operation}; found none.`)
  return row
}

/** The listed values of an attribute that a request writes. */
export const valuesOf = (operation: OperationId, name: string): readonly string[] =>
  (facts(operation).writes.find((own) => own.name === name)?.values ?? []).map(String)

/** Finds the triggers that test a request of an operation. */
export const requestTriggers = (operation: OperationId, attribute?: string, ...but: string[]): Trigger[] =>
  fittingTriggers(facts(operation), attribute, 'request').filter(({ name }) => !but.includes(name))

/** The place of a change, with the violated sentence. Without triggers, all matching ones apply. */
export interface Place extends Omit<Target, 'triggers' | 'start'> {
  readonly triggers?: readonly Trigger[] | undefined
}

/** A trigger, or its name. */
export type When = TriggerName | Trigger

/** Describes the place of a change and its situations; by default, all matching ones. */
export const at = (
  operation: OperationId,
  aspect: string,
  stated: Statement,
  ...triggers: readonly When[]
): Place => ({
  operation,
  aspect,
  sentence: stated,
  ...(triggers.length > 0 && {
    triggers: triggers.flatMap((trigger) => (typeof trigger === 'string' ? named(trigger) : trigger)),
  }),
})

/** Describes the change of a parameter, or of an attribute that a request writes, which violates its row. */
export const atRow = (operation: OperationId, name: string, ...triggers: readonly When[]): Place =>
  at(operation, name, rowOf(operation, name), ...triggers)

/** Describes the change of an operation: the line that gives it its method and path is violated. */
export const atPath = (operation: OperationId, aspect: string, ...triggers: readonly When[]): Place =>
  at(operation, aspect, pathOf(operation), ...triggers)

/** Triggers of changes that need only requests of the operation. */
export const early = ['always', 'from-the-second-request'] as const

/** Changes all requests by a handler; `applies` tests whether a request is one of the place. */
export function everywhere(
  place: Place,
  build: (applies: (request: MutantRequest) => boolean) => Start,
): Target {
  const { operation, aspect, triggers = requestTriggers(operation, aspect) } = place
  const start = (applies: Applies) =>
    build((request) => request.operation === operation && applies(situationOf(request, aspect)))
  return { ...place, triggers, start }
}

/** Replaces the handling of an operation's requests. */
export const handles = (place: Place, handle: Handler): Target =>
  everywhere(
    place,
    (applies) => () => (request, forward) => (applies(request) ? handle(request, forward) : forward()),
  )

/** Sends another request to the correct server; `undefined` leaves it unchanged. */
export const requests = (place: Place, change: (request: MutantRequest) => Changed | undefined): Target =>
  handles(place, (request, forward) => forward(change(request)))

/** A reply with a JSON object for a body. */
export type ObjectReply = ParsedReply & { readonly body: Json }

/** Changes a reply; `undefined` leaves it unchanged. */
export type ReplyChange = (
  reply: ObjectReply,
  request: MutantRequest,
  forward: Forward,
) => Partial<ParsedReply> | undefined | Promise<Partial<ParsedReply> | undefined>

/** Changes the successful replies of an operation, or its errors. */
export const replies = (
  place: Place,
  change: ReplyChange,
  of: 'successes' | 'errors' = 'successes',
): Target =>
  handles(place, async (request, forward) => {
    const reply = await forward()
    const { body } = reply
    if (!isObject(body) || isErrorReply(reply) !== (of === 'errors')) return reply
    return { ...reply, ...(await change({ ...reply, body }, request, forward)) }
  })

/** Changes the records in the successful replies to the requests that a trigger selects. */
export const shows = (place: Place, change: (record: Json, request: MutantRequest) => unknown): Target =>
  replies(place, ({ body }, request) => ({
    body: mapRecords(body, request, (record) => change(record, request)),
  }))

/** Changes the list in the successful replies of an operation. */
export const lists = (
  place: Place,
  change: (records: Json[], request: MutantRequest, forward: Forward) => unknown,
): Target =>
  replies(place, async (reply, request, forward) => {
    const { plural } = facts(place.operation)
    return { body: { ...reply.body, [plural]: await change(recordsIn(reply, plural), request, forward) } }
  })

/** Changes the records that a trigger selects in the successful replies of an operation. */
export function records(place: Place, change: (record: Json) => unknown): Target {
  const { operation, aspect: attribute, triggers = fittingTriggers(facts(operation), attribute) } = place
  const start = (applies: Applies) =>
    onRecords(operation, (record, situation) =>
      applies({ ...situation, attribute }) ? change(record) : record,
    )
  return { ...place, triggers, start }
}

/** Describes a request as a situation: its record is the one it sends. */
function situationOf(request: MutantRequest, attribute?: string): Situation {
  return { request, record: sentRecord(request), index: 0, attribute }
}

/** Reads the record that a request sends; a body without the envelope is the record itself. */
export function sentRecord({ body, operation }: MutantRequest): Json {
  if (!isObject(body) || operation === undefined) return {}
  const nested = body[facts(operation).singular]
  return isObject(nested) ? nested : body
}

/** Creates the body of a request with another record in it. */
export function bodyWith({ body, operation }: MutantRequest, record: Json): unknown {
  return isObject(body) && operation !== undefined ? { ...body, [facts(operation).singular]: record } : body
}

/** Changes the successful replies of an operation. */
export function onSuccess(
  operation: OperationId,
  change: (reply: ObjectReply, request: MutantRequest) => Partial<ParsedReply>,
): Start {
  return () => async (request, forward) => {
    const reply = await forward()
    const { body } = reply
    if (request.operation !== operation || !isObject(body) || isErrorReply(reply)) return reply
    return { ...reply, ...change({ ...reply, body }, request) }
  }
}

/** Changes the records of an operation's successful replies: the single one, or those of the list. */
export function onRecords(
  operation: OperationId,
  change: (record: Json, situation: Situation) => unknown,
): Start {
  return onSuccess(operation, ({ body }, request) => ({ body: mapRecords(body, request, change) }))
}

/** Changes the records in the body of a reply. */
export function mapRecords(
  body: Json,
  request: MutantRequest,
  change: (record: Json, situation: Situation) => unknown,
): Json {
  if (request.operation === undefined) return body
  const { plural, singular } = facts(request.operation)
  const at = (record: unknown, index: number) =>
    isObject(record) ? change(record, { request, record, index, attribute: undefined }) : record
  const list = body[plural]
  if (Array.isArray(list)) return { ...body, [plural]: list.map(at) }
  return singular in body ? { ...body, [singular]: at(body[singular], 0) } : body
}

/** Copies an object without some of its members. */
export function without(record: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** Creates a reply with HTTP status 200. */
export const success = (body: unknown): ParsedReply => ({
  status: 200,
  contentType: 'application/json',
  body,
})

/** Creates an error in the form of the specification. */
export const refusal = (message: string, code = 400, type = 'record_invalid'): ParsedReply =>
  success({ error: { code, message, type }, status: 200 })

/** The error for an unknown record. */
export const unknown: ParsedReply = refusal('Not found.', 404, 'record_not_found')

/** Tests whether a reply reports an unknown record. */
export const isUnknown = ({ body }: ParsedReply): boolean =>
  isObject(body) && isObject(body.error) && body.error.code === 404

/** Reads the single record of a reply. */
export function recordIn({ body }: ParsedReply, singular: string): Json | undefined {
  const record = isObject(body) ? body[singular] : undefined
  return isObject(record) ? record : undefined
}

/** Reads the records of a list reply. */
export function recordsIn({ body }: ParsedReply, plural: string): Json[] {
  const list = isObject(body) ? body[plural] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The earlier requests of an operation, or those of them that succeeded. */
export const earlier = (request: MutantRequest, operation: OperationId): Earlier[] =>
  request.earlier.filter(({ request: own }) => own.operation === operation)
export const succeeded = (request: MutantRequest, operation: OperationId): Earlier[] =>
  earlier(request, operation).filter(({ reply }) => !isErrorReply(reply))

/** The records that an operation has returned so far. */
export const returned = (request: MutantRequest, operation: OperationId): Json[] =>
  succeeded(request, operation)
    .map(({ reply }) => recordIn(reply, facts(operation).singular))
    .filter((record) => record !== undefined)

/** Reads a list with the credentials of the present request. */
export async function readList(forward: Forward, path: string, plural: string): Promise<Json[]> {
  return recordsIn(await forward({ method: 'GET', path, body: undefined }), plural)
}

/** Creates the path of a request with other query parameters; `undefined` removes one. */
export function withQuery(
  { path, query }: MutantRequest,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
  }
  return `${path}?${changed}`
}
