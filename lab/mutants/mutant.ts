import type { Json, ParsedReply } from '../../contract-tests/mutants/define-mutant.ts'
import { type Statement, statementWith } from '../../contract-tests/rules/document.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import type { Section } from '../../contract-tests/rules/sections.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { factsOf, type OperationFacts, operationIds } from '../../contract-tests/runner/operation-facts.ts'
import { type Guard, type GuardName, guards, type Holds, type Situation } from './guards.ts'
import { type HeardRequest, isErrorReply, type Start } from './wrong-server.ts'

/** What an operator gets wrong: an aspect of an operation, and the sentence it contradicts. */
export interface Strike {
  readonly operation: OperationId
  /** An attribute, a parameter, or a part of the exchange. */
  readonly aspect: string
  readonly sentence: Statement
  readonly guards: readonly Guard[]
  /** The operations whose rules may rightly catch it; default: those of the same resource. */
  readonly seenBy?: readonly OperationId[]
  /** The wrong server, where the guard holds. */
  readonly wrong: (holds: Holds) => Start
}

/** A way to be wrong, and everything in the table that can be wrong in this way. */
export interface Operator {
  readonly name: string
  /** What such a server does. */
  readonly does: string
  readonly strikes: readonly Strike[]
}

/** A server that is wrong in one way, in one place, in some situations. */
export interface Mutant {
  /** Such as `drop/listBackfills.block_uuid/only-later-items`. */
  readonly name: string
  readonly operator: string
  readonly does: string
  readonly operation: OperationId
  readonly aspect: string
  readonly guard: string
  /** The sentence of the document that it contradicts. */
  readonly sentence: Statement
  readonly seenBy: readonly OperationId[]
  readonly start: Start
}

const known = new Map<OperationId, OperationFacts>()

/** The facts of an operation that is in the table. */
export function facts(operation: OperationId): OperationFacts {
  const found = known.get(operation) ?? factsOf(operation)
  if (found) known.set(operation, found)
  if (!found) throw new Error(`[understudy] Expected an operation of the table; found ${operation}.`)
  return found
}

/** The operations of the document's summary, and the creation of sessions, which it describes. */
export const documentedOperations: readonly OperationId[] = operationIds.filter(
  (id) => id === 'createSession' || facts(id).routes.some(({ basis }) => basis === 'documented'),
)

/** The sentence of a section that holds a text; a text that none holds is a mistake in the operator. */
export function sentence(section: Section, part: string): Statement {
  const found = statementWith(section, part)
  if (!found) throw new Error(`[understudy] Expected a sentence with "${part}" in "${section}"; found none.`)
  return found
}

/** The line of the document that gives an operation its method and path. */
export function pathOf(operation: OperationId): Statement {
  return facts(operation).routes.find(({ stated }) => stated)?.stated ?? facts(operation).stated
}

/** Guards by name. */
export const named = (...names: readonly GuardName[]): readonly Guard[] => names.map((name) => guards[name])

/** The mutants that operators make of the table. */
export function product(operators: readonly Operator[]): Mutant[] {
  return operators.flatMap(({ name, does, strikes }) =>
    strikes.flatMap(({ operation, aspect, sentence, guards, seenBy, wrong }) =>
      guards.map((guard) => ({
        name: `${name}/${operation}.${aspect}/${guard.name}`,
        operator: name,
        does,
        operation,
        aspect,
        guard: guard.name,
        sentence,
        seenBy: seenBy ?? operationIds.filter((id) => facts(id).plural === facts(operation).plural),
        start: wrong(guard.holds),
      })),
    ),
  )
}

/** A request as a situation: its record is the one it sends. */
export function asked(heard: HeardRequest, attribute?: string): Situation {
  return { heard, record: sentRecord(heard), index: 0, attribute }
}

/** The record that a request sends; a body that nests none is taken whole. */
export function sentRecord({ body, operation }: HeardRequest): Json {
  if (!isObject(body) || operation === undefined) return {}
  const nested = body[facts(operation).singular]
  return isObject(nested) ? nested : body
}

/** The body of a request with another record in it. */
export function bodyWith({ body, operation }: HeardRequest, record: Json): unknown {
  return isObject(body) && operation !== undefined ? { ...body, [facts(operation).singular]: record } : body
}

/** Changes the successful replies of an operation. */
export function onSuccess(
  operation: OperationId,
  change: (reply: ParsedReply & { readonly body: Json }, heard: HeardRequest) => Partial<ParsedReply>,
): Start {
  return () => async (heard, ask) => {
    const reply = await ask()
    const { body } = reply
    if (heard.operation !== operation || !isObject(body) || isErrorReply(reply)) return reply
    return { ...reply, ...change({ ...reply, body }, heard) }
  }
}

/** Changes the records of an operation's successful replies: the single one, or those of the list. */
export function onRecords(
  operation: OperationId,
  change: (record: Json, situation: Situation) => unknown,
  attribute?: string,
): Start {
  return onSuccess(operation, ({ body }, heard) => ({ body: mapRecords(body, heard, change, attribute) }))
}

/** The body of a reply with its records changed. */
export function mapRecords(
  body: Json,
  heard: HeardRequest,
  change: (record: Json, situation: Situation) => unknown,
  attribute?: string,
): Json {
  if (heard.operation === undefined) return body
  const { plural, singular } = facts(heard.operation)
  const at = (record: unknown, index: number) =>
    isObject(record) ? change(record, { heard, record, index, attribute }) : record
  const list = body[plural]
  if (Array.isArray(list)) return { ...body, [plural]: list.map(at) }
  return singular in body ? { ...body, [singular]: at(body[singular], 0) } : body
}

/** An object without one of its members. */
export function without(record: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** An error in the document's form. */
export function refusal(message: string, code = 400, type = 'record_invalid'): ParsedReply {
  return {
    status: 200,
    contentType: 'application/json',
    body: { error: { code, message, type }, status: 200 },
  }
}
