import { derivedRule } from '../rules/derived.ts'
import { type OperationId, type RuleId, ruleOf } from '../rules/index.ts'
import type { Exchange, SendOptions } from '../runner/client.ts'
import { deviationKey, differenceOf, mostDeviations } from '../runner/difference.ts'
import { isObject } from '../runner/is-object.ts'
import { operationOf } from '../runner/operation-of.ts'
import type { PageSizes } from '../runner/page-sizes.ts'
import { equal, type ReceivedRecord } from '../runner/replies.ts'
import {
  combined,
  fitsRequest,
  type RequestVariant,
  requestForms,
  requestVariants,
} from '../runner/request-variants.ts'
import type { RunContext } from '../runner/run-context.ts'
import type { ComparisonContext, Difference } from './compare.ts'
import { type Predicted, SequenceModel } from './model.ts'
import type { NameForms } from './name-forms.ts'
import type { ChoiceReason } from './relation.ts'
import type { TargetClock } from './target-clock.ts'
import { isOutsideGraph, type Side, type TrackedRecord } from './tracked-records.ts'

/** A deviation of a rule in one sequence. */
export interface RuleObservation extends Flaw {
  readonly rule: RuleId
  readonly exchange: Exchange
}

/** The replies of the target and of the model to one request. */
export interface Both {
  readonly exchange: Exchange
  readonly predicted: Predicted
  readonly created: TrackedRecord['created']
  /** True if both succeed, or both refuse. */
  readonly agree: boolean
  readonly succeeded: boolean
}

/** A request to both sides, whose records have different ids. */
export interface ComparedRequest {
  readonly method: string
  path(side: Side): string
  body?(side: Side): unknown
  /** The reply of the target, if the sequence has sent this request already. */
  readonly seen?: Exchange | undefined
}

/** A write to send with others, and its record; a creation and a deletion of a block write their pipeline. */
interface ConcurrentWrite {
  readonly request: ComparedRequest
  readonly touched?: TrackedRecord
}

/** Ends a sequence after an action of the target that the model cannot follow. */
export class ModelDiverged extends Error {}

/** Facts about the target that all sequences share. */
export interface TargetKnowledge {
  readonly clock: TargetClock
  readonly nameForms: NameForms
  readonly pageSizes: PageSizes
}

/** A sequence that runs on the target and on its own model, with its evidence for rules. */
export class SequenceRun implements ComparisonContext {
  readonly context: RunContext
  readonly clock: TargetClock
  readonly nameForms: NameForms
  readonly pageSizes: PageSizes
  /** The prefix of the names of its records. */
  readonly prefix: string
  readonly model: SequenceModel
  readonly trackedRecords: TrackedRecord[] = []
  /** The passed rules, each with the first reply that passed. */
  readonly passed = new Map<RuleId, Exchange>()
  /** The deviations by their keys, each of a rule once. */
  readonly deviations = new Map<string, RuleObservation>()
  /**
   * The pipelines whose links are the target's choice: after a forced deletion of a block with dependents, or the creation
   * of a block with links through another pipeline.
   */
  readonly relinked = new Set<TrackedRecord>()
  /** The number of reads in rotation so far. */
  rotation = 0
  /** The ids of a pipeline's backfills in the target's order, until the next write. */
  readonly orders = new Map<TrackedRecord, readonly string[]>()
  /** The replies to reads of pipelines, until the next write. */
  readonly homes = new Map<TrackedRecord, Exchange>()
  /** The number of runs that a schedule may count: those of its last count before a request, and the triggered one. */
  readonly mostRuns = new Map<string, number>()
  /** The schedules that a pipeline had before a sequence made one for it. */
  readonly givenSchedules = new Map<TrackedRecord, ReadonlySet<string>>()
  /** The names of incomplete records that the target has created. It may refuse these names later. */
  readonly takenNames = new Set<string>()
  /** The operations that have accepted wrong credentials. */
  readonly acceptsWrongCredentials = new Set<OperationId>()
  /** The attributes for which the target has stored an unlisted value. */
  readonly storedUnlisted = new Set<string>()
  readonly #rotations = new Map<string, number>()
  readonly #deviationCounts = new Map<RuleId, number>()
  readonly #seen = new Set<string>()
  /** The variants that the target has refused, by method. */
  readonly #refused = new Set<string>()
  readonly #firstRotation: number

  /** With another `firstRotation` the same requests have other forms. */
  constructor(
    context: RunContext,
    { clock, nameForms, pageSizes }: TargetKnowledge,
    prefix: string,
    firstRotation = 0,
  ) {
    this.context = context
    this.clock = clock
    this.nameForms = nameForms
    this.pageSizes = pageSizes
    this.prefix = prefix
    this.model = new SequenceModel(context.provided.profile)
    this.#firstRotation = firstRotation
  }

  /** The existing records of a kind. */
  all(kind: TrackedRecord['kind'], home?: TrackedRecord): TrackedRecord[] {
    return this.trackedRecords.filter(
      (tracked) => tracked.kind === kind && !tracked.isGone && (home === undefined || tracked.home === home),
    )
  }

  /** Removes a pipeline and its records, because the target has a record in it that the model does not have. */
  stopTracking(pipeline: TrackedRecord): void {
    const others = this.trackedRecords.filter((tracked) => tracked !== pipeline && tracked.home !== pipeline)
    this.trackedRecords.splice(0, this.trackedRecords.length, ...others)
  }

  /** Returns the record with the number in a command, from the last if it is negative; undefined if there is none. */
  pick(kind: TrackedRecord['kind'], number: number): TrackedRecord | undefined {
    const all = this.all(kind)
    return all.at(number % all.length)
  }

  /** Returns another record of a kind, in another pipeline if possible. */
  otherThan(tracked: TrackedRecord): TrackedRecord | undefined {
    const others = this.all(tracked.kind).filter((other) => other !== tracked)
    return others.find((other) => other.home !== tracked.home) ?? others[0]
  }

  /** The same block in another pipeline. */
  copyOf(block: TrackedRecord): TrackedRecord | undefined {
    return this.all('block').find((other) => other !== block && other.keys.target === block.keys.target)
  }

  /** Returns the next of several items, in rotation. */
  nextOf<Item>(of: string, items: readonly Item[]): Item {
    const rotation = this.#rotations.get(of) ?? this.#firstRotation
    this.#rotations.set(of, rotation + 1)
    // No such list is empty.
    return items[rotation % items.length] as Item
  }

  uuidOf(home: TrackedRecord | undefined, uuid: unknown): unknown {
    const block = this.all('block', home).find((each) => each.keys.model === uuid)
    return block?.keys.target ?? uuid
  }

  isRelinked(home: TrackedRecord | undefined): boolean {
    return home !== undefined && this.relinked.has(home)
  }

  asideIn(home: TrackedRecord | undefined): string[] {
    return this.all('block', home)
      .filter(isOutsideGraph)
      .map(({ keys }) => keys.target)
  }

  goneFrom(home: TrackedRecord | undefined): string[] {
    return this.trackedRecords
      .filter((tracked) => tracked.kind === 'block' && tracked.home === home && tracked.isGone)
      .map(({ keys }) => keys.target)
  }

  chose(reason: ChoiceReason, attribute: string, value: unknown): void {
    // A choice without an assumption has no name.
    if (typeof reason === 'string') this.context.verdicts.chose(reason, attribute, value)
  }

  /** Sends a request to the target and to the model. */
  async sendToBoth(request: ComparedRequest): Promise<Both> {
    const { method, path, body, seen } = request
    const predicted = await this.#predict(request)
    // Uses every form for requests that must succeed, and for those that must fail.
    const outcome = predicted.isError ? 'refused' : 'accepted'
    const variant = seen ? undefined : this.#variant(method, path('target'), body?.('target'), outcome)
    const sent = Date.now()
    let exchange = seen ?? (await this.#sendToTarget(request, variant))
    // An internal error may have changed the record: repeating the request shows nothing about its variant.
    const isRefused = !isSuccess(exchange) && !isInternalError(exchange)
    if (variant !== undefined && isRefused && !predicted.isError)
      exchange = await this.#sendPlainly(exchange, variant, (options) =>
        this.#sendToTarget(request, options.variant),
      )
    // The model checks no credentials, so a variant that the target refuses has no expected reply.
    if (variant === undefined || isSuccess(exchange)) this.context.provided.onPredicted?.(exchange, predicted)
    return this.#compare(request, exchange, predicted, { sent, received: Date.now() })
  }

  /**
   * Sends several requests at once. The model receives them in an order that may explain the replies: successes first, and
   * deletions after other writes.
   */
  async sendConcurrently<Each extends ConcurrentWrite>(
    writes: readonly Each[],
  ): Promise<{ readonly write: Each; readonly both: Both }[]> {
    const sent = Date.now()
    const replies = await Promise.all(
      writes.map(async (write) => ({ write, exchange: await this.#sendToTarget(write.request) })),
    )
    // A target may refuse to write one record twice at once: then the run sends each alone.
    for (const reply of replies) {
      const { request, touched } = reply.write
      const mayConflict = writes.some((other) => other !== reply.write && other.touched === touched)
      if (mayConflict && isConflict(reply.exchange)) reply.exchange = await this.#sendToTarget(request)
    }
    const created = { sent, received: Date.now() }
    const rank = (exchange: Exchange) => (isSuccess(exchange) ? Number(exchange.method === 'DELETE') : 2)
    const results: { readonly write: Each; readonly both: Both }[] = []
    for (const { write, exchange } of replies.toSorted((a, b) => rank(a.exchange) - rank(b.exchange))) {
      const predicted = await this.#predict(write.request)
      results.push({ write, both: this.#compare(write.request, exchange, predicted, created) })
    }
    return results
  }

  #sendToTarget({ method, path, body }: ComparedRequest, variant?: RequestVariant): Promise<Exchange> {
    this.#clearCachedReads(method)
    return this.context.send(method, path('target'), {
      ...(body && { body: body('target') }),
      ...(variant && { variant }),
    })
  }

  async #predict({ method, path, body }: ComparedRequest): Promise<Predicted> {
    if (method !== 'GET') this.model.takeSnapshot()
    return this.model.predict(method, path('model'), body?.('model'))
  }

  /** Undoes a write in the model that only one of the two accepts. */
  #compare(
    { method }: ComparedRequest,
    exchange: Exchange,
    predicted: Predicted,
    created: Both['created'],
  ): Both {
    const succeeded = isSuccess(exchange)
    const agree = succeeded !== predicted.isError
    if (!agree && method !== 'GET') this.model.restoreSnapshot()
    return { exchange, predicted, created, agree, succeeded }
  }

  /** Sends a request to the target alone; repeats a read in the plain form if the target refuses the variant. */
  async send(method: string, path: string, options: SendOptions = {}): Promise<Exchange> {
    const variant =
      options.credentials === undefined && options.text === undefined
        ? this.#variant(method, path, options.body)
        : undefined
    this.#clearCachedReads(method)
    const exchange = await this.context.send(method, path, {
      ...options,
      ...(variant && { variant }),
    })
    if (variant === undefined || isSuccess(exchange) || method !== 'GET') return exchange
    const sendAgain = (more: SendOptions) => this.context.send(method, path, { ...options, ...more })
    return this.#sendPlainly(exchange, variant, sendAgain)
  }

  #clearCachedReads(method: string): void {
    if (method === 'GET') return
    this.orders.clear()
    this.homes.clear()
  }

  /** Reads something of the target. */
  get(path: string): Promise<Exchange> {
    return this.send('GET', path)
  }

  /** Selects the variant of a request in rotation; undefined for the plain form. */
  #variant(method: string, path: string, body: unknown, outcome = ''): RequestVariant | undefined {
    const { apiKey, raw } = this.context.client.credentials
    const operation = operationOf(method, path)?.facts.operation ?? 'other'
    const fitting = requestVariants.filter(
      (variant) =>
        fitsRequest(variant, { path, body }, { apiKey, raw }) &&
        !this.#refused.has(`${method} ${variant.name}`),
    )
    const withoutBody = method === 'DELETE' ? 'deletions' : 'reads'
    const forms = requestForms[body === undefined ? withoutBody : 'writes'].filter(
      ({ name }) => !this.#refused.has(`${method} ${name}`),
    )
    const variant = this.nextOf(`variant ${operation} ${outcome}`, [undefined, ...fitting])
    return combined(variant, this.nextOf(`form ${operation} ${outcome}`, [undefined, ...forms]))
  }

  /** Repeats a request after the refusal of its variant: it is a finding if the plain request succeeds. */
  async #sendPlainly(
    refused: Exchange,
    variant: RequestVariant,
    send: (options: SendOptions) => Promise<Exchange>,
  ): Promise<Exchange> {
    const [first, second] = variant.parts ?? [variant]
    const withoutFirst = await send(second === undefined ? {} : { variant: second })
    if (isInternalError(withoutFirst)) return withoutFirst
    const isFirst = second === undefined || isSuccess(withoutFirst)
    const plain = isFirst ? withoutFirst : await send({})
    if (!isSuccess(plain)) return plain
    const { name, keyIn, tokenIn } = isFirst ? first : second
    this.#refused.add(`${refused.method} ${name}`)
    const operation = operationOf(refused.method, refused.path)?.facts.operation
    const isCredential = keyIn !== undefined || tokenIn !== undefined
    const rule = (['credentials', 'accepted', 'values', 'complete', 'paging'] as const)
      .filter((aspect) => aspect !== 'credentials' || isCredential)
      .map((aspect) => operation && derivedRule(operation, aspect))
      .find((id) => id !== undefined)
    this.note(rule, refused, unlessSuccess(refused, `a success with ${name}`))
    return plain
  }

  /** Records that rules pass, or a deviation from them. An unobservable aspect has no rule. */
  note(rules: RuleId | undefined | readonly (RuleId | undefined)[], exchange: Exchange, flaw?: Flaw): void {
    for (const id of [rules].flat()) if (id !== undefined) this.#note(id, exchange, flaw)
  }

  #note(id: RuleId, exchange: Exchange, flaw: Flaw | undefined): void {
    if (flaw === undefined) {
      if (!this.passed.has(id)) this.passed.set(id, exchange)
      return
    }
    const count = this.#deviationCounts.get(id) ?? 0
    if (count >= mostDeviations) return
    const { received, expected, described } = flaw
    const difference = differenceOf({
      rule: ruleOf(id),
      exchange,
      received: { value: received },
      expected: expected === undefined ? undefined : { value: expected },
      described,
    })
    const key = `${id} ${deviationKey(difference)}`
    if (this.deviations.has(key)) return
    this.#deviationCounts.set(id, count + 1)
    this.deviations.set(key, { rule: id, exchange, ...flaw })
  }

  /** Records the differences of one record, each once. */
  noteDifferences(
    rule: RuleId | undefined,
    tracked: TrackedRecord,
    differences: readonly Difference[],
    exchange: Exchange,
  ): void {
    if (differences.length === 0) this.note(rule, exchange)
    for (const { attribute, expected, received } of differences) {
      const flaw = { received: { [attribute]: received }, expected: { [attribute]: expected } }
      this.noteOnce(rule, exchange, flaw, `${tracked.kind} ${tracked.keys.target}`)
    }
  }

  /** Records the sample values of the specification, each by its rule. */
  noteSamples(
    samples: Readonly<Record<string, readonly [rule: RuleId, value: unknown]>>,
    record: ReceivedRecord,
    exchange: Exchange,
  ): void {
    for (const [attribute, [rule, value]] of Object.entries(samples))
      if (Object.hasOwn(record, attribute)) {
        const received = record[attribute]
        const flaw = unless(equal(received, value), { [attribute]: received }, { [attribute]: value })
        this.note(rule, exchange, flaw)
      }
  }

  /** Records a flaw once, for the first of the violated rules. */
  noteOnce(rule: RuleId | undefined, exchange: Exchange, flaw: Flaw, of = ''): void {
    const key = JSON.stringify([of, flaw.received, flaw.expected])
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.note(rule, exchange, flaw)
  }
}

/** A received value, and the expected one. */
export interface Flaw {
  readonly received: unknown
  readonly expected: unknown
  /** The expectation in words. */
  readonly described?: string
}

/** Returns the flaw, unless the value is as expected. */
export function unless(isAsExpected: boolean, received: unknown, expected: unknown): Flaw | undefined {
  return isAsExpected ? undefined : { received, expected }
}

/** Returns the flaw of a reply that is no success. */
export function unlessSuccess(exchange: Exchange, expected = 'a success'): Flaw | undefined {
  return unless(isSuccess(exchange), errorOf(exchange), expected)
}

/** Returns the flaw of a reply that is no error. */
export function unlessRefused(exchange: Exchange, expected = 'an error'): Flaw | undefined {
  return unless(!isSuccess(exchange), exchange.body, expected)
}

/** Returns whether a reply is a success. */
export function isSuccess({ error, body }: Exchange): boolean {
  return error === undefined && isObject(body)
}

/** Returns whether the target refused a write because of another one. */
function isConflict({ code }: Exchange): boolean {
  return code === 409 || code === 423
}

/** Returns whether the target failed, or replied with no error code. */
function isInternalError({ code, httpStatus }: Exchange): boolean {
  return !(code < 500 && httpStatus < 500)
}

/** The received error, or the beginning of another reply. */
export function errorOf({ body, text }: Exchange): unknown {
  return isObject(body) && body.error !== undefined ? { error: body.error } : text.slice(0, 200)
}
