import { hidden } from '../../../src/shared/hidden.ts'
import { type Aspect, derivedRule } from '../../rules/derived.ts'
import { sameRules } from '../../rules/same-rules.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { operationOf, type ReachedOperation } from '../operation-of.ts'
import { queryOf } from '../plain-address.ts'
import type { ReceivedRecord } from '../replies.ts'
import { checkFields, checkList, checkOperation, logsBeyond } from './field-invariants.ts'
import type { InvariantCheck } from './invariant-check.ts'
import { misformedIn, missingIn, mistypedIn } from './record-invariants.ts'
import { checkReplyForm } from './reply-forms.ts'

/** Wrong values are short: the names of records are not stored. */
const mostCharacters = 48

/** The wrong values that were sent on purpose: a target that takes them shows them, and that is judged where they are sent. */
export class SentWrong {
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

  /** Learns what was made, or changed, by a write whose body carries no record: it has what the target made up. */
  learnMade(facts: OperationFacts, sent: unknown, records: readonly ReceivedRecord[]): void {
    if (facts.action !== 'create' && facts.action !== 'update') return
    // The body of a trigger is free: its run is made rightly, whatever it holds.
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

/** What a record is known by, among those of all kinds; a session, for one, by nothing. */
function knownAs({ singular }: OperationFacts, { id, uuid }: ReceivedRecord): string | undefined {
  const identity = id ?? uuid
  return identity === undefined ? undefined : `${singular} ${identity}`
}

/**
 * Holds an exchange against everything that the table and the specification say of its operation, whoever has sent it and
 * whatever came before. What the specification leaves open is not looked at.
 */
export function checkInvariants(exchange: Exchange, check: InvariantCheck, sent: SentWrong): void {
  sent.learn(exchange.requestBody)
  const isHead = exchange.method === 'HEAD'
  const reached = operationOf(isHead ? 'GET' : exchange.method, exchange.path)
  const operation = reached?.isDocumented ? reached.facts.operation : 'otherRequests'
  const note = (aspect: Aspect, flaws: unknown) => {
    const id = derivedRule(operation, aspect)
    if (id === undefined) return
    for (const each of [id, ...(sameRules[id] ?? [])]) check(each, isNothing(flaws), exchange, flaws)
  }
  note('status-200', exchange.httpStatus === 200 ? undefined : { 'HTTP status': exchange.httpStatus })
  // Its reply has no body.
  if (isHead) return
  const flaw = envelopeFlaw(exchange, reached)
  note('envelope', flaw)
  if (reached?.isDocumented) checkReplyForm(exchange, reached, check)
  if (reached === undefined || flaw !== undefined || exchange.error !== undefined) return
  if (!reached.isDocumented) return
  const { facts } = reached
  const records = recordsOf(exchange.body as ReceivedRecord, facts)
  sent.learnMade(facts, exchange.requestBody, records)
  const rightly = records.filter((record) => !sent.isMade(facts, record))
  if (rightly.length > 0) {
    checkRecords(rightly, facts, note, sent.has)
    checkFields(rightly, facts.operation, exchange, check, sent.has)
    if (facts.action !== 'list')
      for (const record of rightly) checkOperation(record, reached, exchange, check)
  }
  if (facts.action === 'list') {
    checkSelection(records, exchange, reached, note)
    checkList(records, reached, exchange, check)
  }
  if (
    facts.operation === 'listBackfills' &&
    records.length > 0 &&
    (queryOf(exchange).get('include_run_count') ?? 'false') === 'false'
  ) {
    const unasked = records.some((record) => 'total_run_count' in record)
    check(
      'backfill-list/run-count-only-when-asked',
      !unasked,
      exchange,
      unasked && { unasked: 'total_run_count' },
    )
  }
}

/** Puts down what breaks the invariant of an aspect; nothing where it holds. */
type AspectNote = (aspect: Aspect, flaws: unknown) => void

function checkRecords(
  records: readonly ReceivedRecord[],
  facts: OperationFacts,
  note: AspectNote,
  isOurs: SentWrong['has'],
): void {
  const missing = records.flatMap((record) => missingIn(record, facts))
  note('attributes', missing.length === 0 ? undefined : { absent: [...new Set(missing)] })
  noteEach(
    'types',
    records.map((record) => mistypedIn(record, facts.operation, isOurs)),
    note,
  )
  if (facts.attributes === 'all') return
  const times = facts.attributes.filter(({ isTimestamp }) => isTimestamp).map(({ name }) => name)
  // Where every time is null the form has not been seen.
  if (!records.some((record) => times.some((name) => typeof record[name] === 'string'))) return
  noteEach(
    'timestamps',
    records.map((record) => misformedIn(record, facts)),
    note,
  )
}

/** Notes each attribute of some records that breaks an invariant. */
function noteEach(aspect: Aspect, flaws: readonly ReceivedRecord[], note: AspectNote): void {
  const attributes = Object.entries(Object.assign({}, ...flaws))
  if (attributes.length === 0) note(aspect, undefined)
  for (const [name, value] of attributes) note(aspect, { [name]: value })
}

function checkSelection(
  records: readonly ReceivedRecord[],
  { path }: Exchange,
  reached: ReachedOperation,
  note: AspectNote,
): void {
  const { facts, parameters } = reached
  const query = queryOf({ path })
  const limit = wholeNumber(query.get('_limit'))
  // "Maximum number of items in a list response (backfills, logs, OAuth tokens)"; items of logs hold files.
  if (limit !== undefined && facts.plural !== 'logs')
    note('paging', records.length > limit ? { items: records.length } : undefined)
  if (limit !== undefined && facts.plural === 'logs') note('paging', logsBeyond(records, limit))
  const twice = repeated(records.map((record) => record[identityOf[facts.plural] ?? '']))
  if (records.length > 0 && facts.plural in identityOf)
    note('complete', twice === undefined ? undefined : { twice })
  const home = parameters.pipeline_uuid ?? query.get('pipeline_uuid')
  if (home && facts.plural !== 'logs') {
    const strange = records.filter((record) => 'pipeline_uuid' in record && record.pipeline_uuid !== home)
    if (records.length > 0)
      note('filter', strange.length > 0 ? { pipeline_uuid: strange[0]?.pipeline_uuid } : undefined)
  }
  const tags = query.getAll('tag[]')
  if (facts.plural === 'pipeline_schedules' && tags.length > 0) {
    const untagged = records.find(
      (record) => Array.isArray(record.tags) && !record.tags.some((tag) => tags.includes(String(tag))),
    )
    note('filter', untagged && { tags: untagged.tags })
  }
  if (/^(true|True|1)$/.test(query.get('include_run_count') ?? '') && records.length > 0)
    note(
      'run-count',
      records.every((record) => 'total_run_count' in record) ? undefined : { absent: 'total_run_count' },
    )
}

/** What tells the items of a list apart. */
const identityOf: Readonly<Record<string, string>> = {
  pipelines: 'uuid',
  backfills: 'id',
  pipeline_schedules: 'id',
  oauth_access_tokens: 'token',
}

function repeated(values: readonly unknown[]): unknown {
  const seen = new Set<unknown>()
  // Recorders hide tokens, and targets mask them: they are then all the same.
  const isMasked = (value: unknown) => value === hidden || String(value).includes('**')
  return values.find((value) => value !== undefined && !isMasked(value) && seen.size === seen.add(value).size)
}

/** What is wrong with the form of a reply as a whole. */
function envelopeFlaw(
  { body, contentType, error }: Exchange,
  reached: ReachedOperation | undefined,
): unknown {
  if (!/json/i.test(contentType)) return { 'content type': contentType || '(none)' }
  if (!isObject(body)) return body === undefined ? { body: 'no JSON' } : { body }
  const key = reached && (reached.facts.action === 'list' ? reached.facts.plural : reached.facts.singular)
  const carried = key === undefined ? undefined : body[key]
  // An empty list is no record beside the error.
  const carries =
    carried !== undefined && carried !== null && !(Array.isArray(carried) && carried.length === 0)
  if (error !== undefined) return errorFlaw(error, body, carries)
  if ('error' in body && body.error !== null) return { error: body.error }
  if (reached === undefined) return { [`neither error nor ${key ?? 'record'}`]: Object.keys(body) }
  const { facts } = reached
  // "It returns a payload with a `token` key": whether that is nested is not shown.
  if (facts.operation === 'createSession')
    return typeof sessionIn(body)?.token === 'string' ? undefined : { token: '(absent)' }
  if (facts.action !== 'list')
    return isObject(body[facts.singular])
      ? undefined
      : { [facts.singular]: body[facts.singular] ?? '(absent)' }
  if (!Array.isArray(body[facts.plural])) return { [facts.plural]: body[facts.plural] ?? '(absent)' }
  if (!(body[facts.plural] as unknown[]).every(isObject))
    return { [facts.plural]: 'an item that is no object' }
  return metadataFlaw(body.metadata, facts)
}

function errorFlaw(error: ReceivedRecord, body: ReceivedRecord, carriesRecord: boolean): unknown {
  const { code, message, type } = error
  if (!Number.isInteger(code)) return { 'error.code': code ?? '(absent)' }
  if (code === 200) return { 'error.code': code }
  if (typeof message !== 'string') return { 'error.message': message ?? '(absent)' }
  if (typeof type !== 'string') return { 'error.type': type ?? '(absent)' }
  if (body.status !== 200) return { status: body.status ?? '(absent)' }
  return carriesRecord ? { beside: 'the error stands a record' } : undefined
}

function metadataFlaw(metadata: unknown, { plural }: OperationFacts): unknown {
  // "The list response shape: not shown" (`pipelines-list-shape`).
  if (plural === 'pipelines') return undefined
  if (!isObject(metadata)) return { metadata: metadata ?? '(absent)' }
  if (plural === 'logs') return Object.keys(metadata).length === 0 ? undefined : { metadata }
  return Number.isInteger(metadata.count) && typeof metadata.next === 'boolean' ? undefined : { metadata }
}

function sessionIn(body: ReceivedRecord): ReceivedRecord | undefined {
  return isObject(body.session) ? body.session : 'token' in body ? body : undefined
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

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
