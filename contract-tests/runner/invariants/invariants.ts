import { derivedRule } from '../../rules/derived.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { operationOf } from '../operation-of.ts'
import type { ReceivedRecord } from '../replies.ts'
import type { AspectNote, InvariantCheck } from './invariant-check.ts'
import { checkList, checkSelection } from './list-invariants.ts'
import { checkFields, checkOperation, misformedIn, missingIn } from './record-invariants.ts'
import { checkError, checkMetadata, envelopeFlaw, sessionIn } from './reply-forms.ts'

/** Maximum length of a stored invalid value: it excludes the names of records. */
const mostCharacters = 48

/** Values that a sequence sent although they are invalid. A target that accepts them returns them; other rules check that. */
export class InvalidSentValues {
  readonly #values = new Set<string>()
  readonly #made = new Set<string>()

  learn(body: unknown): void {
    if (!isObject(body)) return
    for (const record of Object.values(body)) {
      if (!isObject(record)) continue
      for (const [attribute, value] of Object.entries(record)) {
        const sent = `${attribute} ${JSON.stringify(value)}`
        if (sent.length <= mostCharacters) this.#values.add(sent)
      }
    }
  }

  has = (attribute: string, value: unknown): boolean =>
    this.#values.has(`${attribute} ${JSON.stringify(value)}`)

  /** Records the record that a write without a record in its body created or changed: the target has chosen its values. */
  learnMade(facts: OperationFacts, sent: unknown, records: readonly ReceivedRecord[]): void {
    if (facts.action !== 'create' && facts.action !== 'update') return
    // The body of a trigger may have any content, so no value in it makes the run invalid.
    if (facts.writes.length === 0 || (isObject(sent) && isObject(sent[facts.singular]))) return
    for (const record of records) {
      const identity = knownAs(facts, record)
      if (identity !== undefined) this.#made.add(identity)
    }
  }

  isMade(facts: OperationFacts, record: ReceivedRecord): boolean {
    const identity = knownAs(facts, record)
    return identity !== undefined && this.#made.has(identity)
  }
}

/** Returns the identity of a record among those of all kinds; undefined if it has none, as a session. */
function knownAs({ singular }: OperationFacts, { id, uuid }: ReceivedRecord): string | undefined {
  const identity = id ?? uuid
  return identity === undefined ? undefined : `${singular} ${identity}`
}

/**
 * Checks an exchange against all statements of the table and the specification about its operation.
 * Needs no earlier exchange, and ignores unspecified behavior.
 */
export function checkInvariants(exchange: Exchange, check: InvariantCheck, sent: InvalidSentValues): void {
  sent.learn(exchange.requestBody)
  const isHead = exchange.method === 'HEAD'
  const reached = operationOf(isHead ? 'GET' : exchange.method, exchange.path)
  const operation = reached?.isDocumented ? reached.facts.operation : 'otherRequests'
  const note: AspectNote = (aspect, flaws) => {
    const id = derivedRule(operation, aspect)
    if (id !== undefined) check(id, isNothing(flaws), exchange, flaws)
  }
  const { httpStatus } = exchange
  // The specification lists no HEAD: a server may not have it.
  if (isHead && (httpStatus === 405 || httpStatus === 501)) return
  note('status-200', httpStatus === 200 ? undefined : { 'HTTP status': httpStatus })
  // Its reply has no body.
  if (isHead) return
  const flaw = envelopeFlaw(exchange, reached)
  note('envelope', flaw)
  const { contentType } = exchange
  check('conventions/content-type', /json/i.test(contentType), exchange, { 'content type': contentType })
  checkError(exchange, check)
  if (!reached?.isDocumented || exchange.error !== undefined) return
  const { facts } = reached
  if (facts.action === 'list') checkMetadata(exchange, facts, check)
  if (flaw !== undefined) return
  const records = recordsOf(exchange.body as ReceivedRecord, facts)
  sent.learnMade(facts, exchange.requestBody, records)
  const rightly = records.filter((record) => !sent.isMade(facts, record))
  if (rightly.length > 0) {
    checkRecords(rightly, facts, note)
    checkFields(rightly, facts, exchange, check, sent.has)
  }
  if (facts.action === 'list') {
    checkSelection(records, exchange, reached, note)
    checkList(records, reached, exchange, check)
  } else for (const record of rightly) checkOperation(record, reached, exchange, check)
}

function checkRecords(records: readonly ReceivedRecord[], facts: OperationFacts, note: AspectNote): void {
  const missing = records.flatMap((record) => missingIn(record, facts))
  note('attributes', missing.length === 0 ? undefined : { absent: [...new Set(missing)] })
  if (facts.attributes === 'all') return
  const times = facts.attributes.filter(({ isTimestamp }) => isTimestamp).map(({ name }) => name)
  // Null timestamps show no format.
  if (!records.some((record) => times.some((name) => typeof record[name] === 'string'))) return
  const misformed = Object.entries(Object.assign({}, ...records.map((record) => misformedIn(record, facts))))
  if (misformed.length === 0) note('timestamps', undefined)
  for (const [name, value] of misformed) note('timestamps', { [name]: value })
}

function recordsOf(body: ReceivedRecord, facts: OperationFacts): ReceivedRecord[] {
  const { operation, action, singular, plural } = facts
  if (operation === 'createSession') return [sessionIn(body)].filter(isObject)
  const found = action === 'list' ? body[plural] : [body[singular]]
  return Array.isArray(found) ? found.filter(isObject) : []
}

function isNothing(flaws: unknown): boolean {
  return flaws === undefined || (isObject(flaws) && Object.keys(flaws).length === 0)
}
