import { hidden } from '../../src/shared/hidden.ts'
import { type ComparisonContext, carriedBlocks, compareRecords } from '../model-based/compare.ts'
import { NameForms } from '../model-based/name-forms.ts'
import { mayBeListedElsewhere } from '../model-based/read-back.ts'
import { type ComparedKind, kinds } from '../model-based/relation.ts'
import { TargetClock, timeOf } from '../model-based/target-clock.ts'
import { type TrackedRecord, touch, touchHome } from '../model-based/tracked-records.ts'
import { type Aspect, derivedRule } from '../rules/derived.ts'
import type { OperationId, RuleId } from '../rules/index.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReachedOperation } from '../runner/operation-of.ts'
import { queryOf } from '../runner/plain-address.ts'
import type { Exchange } from '../runner/read-exchange.ts'
import { equal, isError, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { heldFor, type KnownRecord, KnownRecords, newRecord } from './known-records.ts'
import { ListPositions, type ShownPart } from './list-positions.ts'
import type { CreationModel } from './predict-creation.ts'

/** The reason why the model did not follow an exchange. */
export type Unfollowed =
  | 'first to show their records'
  | 'with an error as the reply'
  | 'during a write'
  | 'without the body of the request'
  | 'more than a minute after the last one'
  | 'about records that the model does not contain'
  | 'of operations that the specification does not describe'

/** The contradiction to a rule in an exchange. */
export interface TrafficFlaw {
  readonly received: unknown
  readonly expected: unknown
  /** The requests that led to the expected value. */
  readonly steps?: readonly string[]
}

/** Records that an exchange passes a rule, or its contradiction. */
export type TrafficCheck = (id: RuleId, exchange: Exchange, flaw?: TrafficFlaw) => void

/** An exchange with its operation and the time of its request. */
export interface ReachedExchange {
  readonly exchange: Exchange
  readonly reached: ReachedOperation
  readonly at: number
}

/** Compares timestamps of recordings, whose clock is not ours. */
class RecordedClock extends TargetClock {
  override fits(stamp: unknown): boolean {
    return timeOf(stamp) !== undefined
  }

  override hasPassed(): boolean {
    return true
  }
}

/** The pages of a list, and the number of writes before the read. */
interface SeenList {
  readonly positions: ListPositions
  readonly writes: string
  seenAt: number
}

/** Query parameters that leave a list whole. */
const neutralParameters = new Set(['api_key', 'include_run_count', 'include_schedules', 'pipeline_uuid'])

/** Maximum number of lists with stored positions. */
const mostLists = 2_000

/**
 * Follows the state of one server as far as exchanges show it. Adopts a record from the first reply that shows it, and
 * compares later replies with it until a write, a gap in time or an overlapping write may have changed it.
 */
export class Follower implements ComparisonContext {
  readonly clock = new RecordedClock()
  readonly nameForms = new NameForms()
  readonly #check: TrafficCheck
  readonly #creations: CreationModel
  readonly #records = new KnownRecords()
  readonly #lists = new Map<string, SeenList>()
  readonly #relinked = new Set<string>()
  /** New blocks whose uuid the reply does not contain, by pipeline. */
  readonly #unnamed = new Map<string, KnownRecord[]>()
  readonly #writesIn = new Map<string, number>()
  #writes = 0
  #unplacedWrites = 0

  constructor(check: TrafficCheck, creations: CreationModel) {
    this.#check = check
    this.#creations = creations
  }

  /** Compares an exchange with the known state; returns the reason if it had nothing to compare. */
  async follow(
    current: ReachedExchange,
    overlapping: readonly ReachedExchange[],
  ): Promise<Unfollowed | undefined> {
    const { exchange, reached } = current
    const { facts } = reached
    const kind = kindOf(facts.singular)
    if (kind === undefined) return 'about records that the model does not contain'
    const isWrite = facts.action === 'create' || facts.action === 'update' || facts.action === 'delete'
    const home = this.#homeOf(current)
    const isUnsure = overlapping.some((other) => this.#relates(home, other))
    const isBare = isWrite && facts.action !== 'delete' && exchange.requestBody === undefined
    if (isWrite && (isUnsure || isBare || isServerError(exchange))) this.#discardWritten(kind, current, home)
    if (isUnsure) return 'during a write'
    if (isError(exchange)) return this.#followRefusal(kind, current, home)
    if (isBare) return 'without the body of the request'
    if (isWrite) this.#countWrite(home)
    switch (facts.action) {
      case 'create':
        return this.#followCreation(kind, current, home)
      case 'update':
        return this.#followUpdate(kind, current, home)
      case 'delete':
        return this.#followDeletion(kind, current, home)
      case 'list':
        return this.#followList(kind, current, home)
      default:
        return this.#followDetail(kind, current, home)
    }
  }

  /** Discards the records that a write with an unknown reply may have changed. */
  lose(current: ReachedExchange): void {
    const kind = kindOf(current.reached.facts.singular)
    if (kind !== undefined && current.exchange.method !== 'GET')
      this.#discardWritten(kind, current, this.#homeOf(current))
  }

  // The context of relations.

  chose(): void {}

  uuidOf(_: TrackedRecord | undefined, uuid: unknown): unknown {
    return uuid
  }

  isRelinked(home: TrackedRecord | undefined): boolean {
    return home !== undefined && this.#relinked.has(home.keys.target)
  }

  asideIn(home: TrackedRecord | undefined): string[] {
    return this.#blocksIn(home, (block) => mayBeListedElsewhere(block.values))
  }

  goneFrom(home: TrackedRecord | undefined): string[] {
    return this.#blocksIn(home, ({ isGone }) => isGone)
  }

  #blocksIn(home: TrackedRecord | undefined, isMeant: (block: KnownRecord) => boolean): string[] {
    return [...this.#records.of('block', home?.keys.target)].filter(isMeant).map(({ keys }) => keys.target)
  }

  // Reads.

  #followDetail(kind: ComparedKind, { exchange, reached, at }: ReachedExchange, home: string | undefined) {
    const { facts } = reached
    const record = recordIn(exchange, facts.singular)
    const key = record?.[keyOf(kind)]
    if (record === undefined || key === undefined)
      return 'about records that the model does not contain' as const
    const shown = this.#show(facts.operation, kind, record, homeIn(kind, record, home), exchange, at)
    if (kind === 'pipeline') this.#showBlocks(record, String(key), exchange, at)
    return shown
  }

  /** Compares the blocks of a pipeline with the known ones: each once, with the known values, and no deleted one. */
  #showBlocks(pipeline: ReceivedRecord, home: string, exchange: Exchange, at: number): void {
    const blocks = carriedBlocks(pipeline)
    for (const block of blocks) this.#show('readPipeline', 'block', block, home, exchange, at)
    if (!Array.isArray(pipeline.blocks)) return
    this.#checkComplete('readPipeline', 'block', home, blocks, exchange, at)
    for (const block of this.#unnamed.get(home) ?? [])
      if (!mayBeListedElsewhere(block.values))
        this.#flaw(this.#blame('readPipeline', block), exchange, block, {
          received: { uuid: block.values.name, found: 0 },
          expected: { found: 1 },
        })
    this.#unnamed.delete(home)
  }

  #followList(
    kind: ComparedKind,
    current: ReachedExchange,
    home: string | undefined,
  ): Unfollowed | undefined {
    const { exchange, reached, at } = current
    const { facts } = reached
    const items = listIn(exchange, facts.plural)
    if (items === undefined) return 'about records that the model does not contain'
    const query = queryOf(exchange)
    const results = items.map((item) =>
      this.#show(facts.operation, kind, item, homeIn(kind, item, home), exchange, at),
    )
    const others = [...query.keys()].filter((name) => !neutralParameters.has(name) && !isPaging(name))
    const isPaged = [...query.keys()].some(isPaging)
    const next = metadataIn(exchange)?.next
    const isWhole = others.length === 0 && !isPaged && next !== true
    const isComplete = !isWhole || this.#checkComplete(facts.operation, kind, home, items, exchange, at)
    const isCompared =
      isComplete &&
      derivedRule(facts.operation, 'paging') !== undefined &&
      this.#comparePositions(current, home, query, others, items)
    if (isCompared || items.length === 0 || results.includes(undefined)) return undefined
    return results[0]
  }

  /** Compares the positions of the items with other parts of the same list; returns whether there were any. */
  #comparePositions(
    { exchange, reached, at }: ReachedExchange,
    home: string | undefined,
    query: URLSearchParams,
    filters: readonly string[],
    items: readonly ReceivedRecord[],
  ): boolean {
    const { operation, plural } = reached.facts
    const part: ShownPart = {
      offset: wholeNumber(query.get('_offset')) ?? 0,
      limit: wholeNumber(query.get('_limit')),
      ids: items.map(({ id }) => String(id)),
      next: metadataIn(exchange)?.next,
      count: metadataIn(exchange)?.count,
    }
    const name = JSON.stringify([plural, home, filters.map((filter) => [filter, query.getAll(filter)])])
    const writes = this.#writesBefore(home)
    const seen = this.#lists.get(name)
    const isHeld =
      seen?.writes === writes && at - seen.seenAt <= heldFor && !seen.positions.isOutdatedBy(part)
    const positions = isHeld ? seen.positions : new ListPositions(part.count)
    const flaw = positions.add(part)
    this.#note(operation, flaw?.aspect ?? 'paging', exchange, flaw)
    this.#lists.delete(name)
    if (flaw === undefined) this.#lists.set(name, { positions, writes, seenAt: at })
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > mostLists && oldest !== undefined) this.#lists.delete(oldest)
    return isHeld
  }

  /** Checks that a whole list shows each known record. */
  #checkComplete(
    read: OperationId,
    kind: ComparedKind,
    home: string | undefined,
    items: readonly ReceivedRecord[],
    exchange: Exchange,
    at: number,
  ): boolean {
    const shown = new Set(items.map((item) => String(item[keyOf(kind)])))
    const missing = [...this.#records.of(kind, home)].filter(
      (known) =>
        !known.isGone &&
        at - known.seenAt <= heldFor &&
        !shown.has(known.keys.target) &&
        !(kind === 'block' && mayBeListedElsewhere(known.values)),
    )
    for (const known of missing) {
      const [by, aspect] = this.#blame(read, known)
      this.#flaw([by, aspect === 'values' ? 'complete' : aspect], exchange, known, {
        received: { [keyOf(kind)]: known.keys.target, found: 0 },
        expected: { found: 1 },
      })
      this.#records.discard(known)
    }
    if (missing.length === 0) this.#note(read, 'complete', exchange)
    return missing.length === 0
  }

  /** Compares a record in a reply with the known one, and adopts it. */
  #show(
    read: OperationId,
    kind: ComparedKind,
    record: ReceivedRecord,
    home: string | undefined,
    exchange: Exchange,
    at: number,
  ): Unfollowed | undefined {
    const key = record[keyOf(kind)]
    if (key === undefined) return 'about records that the model does not contain'
    // A new block may have the uuid of a deleted one.
    const known = this.#namedNow(kind, record, home) ?? this.#records.find(kind, key, home)
    if (known === undefined) {
      this.#adoptNew(read, this.#records.add(kind, key, home, record, at), record, at)
      return 'first to show their records'
    }
    if (known.isGone) {
      const isHeld = kind === 'backfill' || at - known.seenAt <= heldFor
      const isAnother = !equal(known.values.created_at, record.created_at)
      if (isHeld && !isAnother)
        this.#flaw(this.#blame(read, known), exchange, known, {
          received: { [keyOf(kind)]: key },
          expected: `no ${kind} of this ${keyOf(kind)}`,
        })
      this.#adoptNew(read, this.#records.add(kind, key, home, record, at), record, at)
      return isHeld && !isAnother ? undefined : 'first to show their records'
    }
    if (at - known.seenAt > heldFor) {
      touch(known)
      this.#adoptNew(read, known, record, at)
      return 'more than a minute after the last one'
    }
    this.#compare(this.#blame(read, known), read, known, known.values, record, exchange)
    this.#adopt(known, record, at)
    return undefined
  }

  /** The new block whose uuid this reply shows first. */
  #namedNow(kind: ComparedKind, record: ReceivedRecord, home: string | undefined): KnownRecord | undefined {
    const unnamed = kind === 'block' && home !== undefined ? this.#unnamed.get(home) : undefined
    const index = unnamed?.findIndex(({ values }) => values.name === record.name) ?? -1
    const [created] = index === -1 ? [] : (unnamed?.splice(index, 1) ?? [])
    if (created === undefined) return undefined
    const known = this.#records.add(kind, record.uuid, home, created.values, created.seenAt)
    known.written = created.written
    known.lastWrite = created.lastWrite
    known.steps = created.steps
    return known
  }

  /** Adopts the attributes of a record that a reply shows. */
  #adopt(known: KnownRecord, record: ReceivedRecord, at: number): void {
    known.values = { ...known.values, ...record }
    known.seenAt = at
    known.lastWrite = undefined
  }

  /** Adopts a record that was not compared: relations take down what the operation has chosen. */
  #adoptNew(read: OperationId, known: KnownRecord, record: ReceivedRecord, at: number): void {
    this.#adopt(known, record, at)
    compareRecords(read, known, known.values, record, this)
  }

  // Writes.

  async #followCreation(
    kind: ComparedKind,
    { exchange, reached, at }: ReachedExchange,
    home: string | undefined,
  ): Promise<Unfollowed | undefined> {
    const { facts, isDocumented, parameters } = reached
    const { operation, singular } = facts
    const record = recordIn(exchange, singular)
    if (record === undefined) return 'about records that the model does not contain'
    const key = record[keyOf(kind)]
    // Compares the pipeline in the reply with the one that the request names.
    const place = kind === 'pipeline' ? undefined : (home ?? homeIn(kind, record, home))
    const sent = sentRecord(exchange, singular)
    const twin = key === undefined ? undefined : this.#records.find(kind, key, place)
    const isTaken = twin !== undefined && !twin.isGone && at - twin.seenAt <= heldFor
    if (isTaken)
      this.#flaw([operation, 'values'], exchange, twin, {
        received: { [keyOf(kind)]: key },
        expected: 'another than that of the record before',
      })
    const schedule = parameters.pipeline_schedule_id
    const values: ReceivedRecord = {
      ...(kind === 'block' && sent),
      ...record,
      ...(schedule !== undefined && { pipeline_schedule_id: schedule }),
    }
    const known =
      key !== undefined || place === undefined
        ? this.#records.add(kind, key, place, values, at)
        : newRecord(kind, '', this.#records.pipeline(place), values, at)
    known.written = sent
    const step = `${exchange.method} ${exchange.path}`
    known.steps = [step]
    const isUnsure = kind === 'block' && !this.#hasAll(sent.upstream_blocks, place)
    const predicted = await this.#creations.predict(operation, kind === 'run' ? exchange.requestBody : sent)
    if (predicted !== undefined)
      this.#compare(
        [operation, 'values'],
        operation,
        known,
        predicted,
        record,
        exchange,
        (attribute) =>
          (isUnsure && attribute === 'upstream_blocks') ||
          // A profile describes templates, and not their whole text.
          (this.#creations.hasProfile && attribute === 'content' && !Object.hasOwn(sent, attribute)),
      )
    if (key !== undefined) this.#adoptNew(operation, known, record, at)
    else if (place !== undefined) {
      const others = (this.#unnamed.get(place) ?? []).filter(({ values: { name } }) => name !== record.name)
      this.#unnamed.set(place, [...others, known])
    }
    known.lastWrite = { by: operation, isRefused: false, at }
    if (kind === 'block') {
      this.#link(known)
      this.#discardShared(sent, place)
    }
    touchHome(known)
    if (kind === 'pipeline') this.#records.discardMembers(String(key))
    if (!isDocumented) return 'of operations that the specification does not describe'
    return predicted === undefined && !isTaken ? 'about records that the model does not contain' : undefined
  }

  /** Returns whether a pipeline contains all blocks of a list, as far as is certain. */
  #hasAll(uuids: unknown, home: string | undefined): boolean {
    if (!Array.isArray(uuids)) return true
    return uuids.every((uuid) => this.#records.find('block', uuid, home)?.isGone === false)
  }

  /** Discards records that a new block may have changed: it may belong to further pipelines and link to their blocks. */
  #discardShared({ pipelines }: ReceivedRecord, home: string | undefined): void {
    if (!Array.isArray(pipelines)) return
    for (const uuid of pipelines.map(String).filter((each) => each !== home)) {
      this.#countWrite(uuid)
      this.#records.discardMembers(uuid)
      this.#records.pipeline(uuid).isTouched = true
    }
  }

  /** A block below others is one of their downstream blocks. */
  #link({ values, home, keys }: KnownRecord): void {
    if (!Array.isArray(values.upstream_blocks)) return
    for (const uuid of values.upstream_blocks) {
      const upstream = this.#records.find('block', uuid, home?.keys.target)
      if (upstream === undefined) continue
      const { downstream_blocks: before, ...rest } = upstream.values
      upstream.values =
        Array.isArray(before) && values.uuid !== undefined
          ? { ...rest, downstream_blocks: [...before, keys.target] }
          : rest
    }
  }

  #followUpdate(
    kind: ComparedKind,
    { exchange, reached, at }: ReachedExchange,
    home: string | undefined,
  ): Unfollowed | undefined {
    const { operation, singular } = reached.facts
    const record = recordIn(exchange, singular)
    const key = record?.[keyOf(kind)]
    if (record === undefined || key === undefined) return 'about records that the model does not contain'
    const place = homeIn(kind, record, home)
    if (operation !== 'updateBackfill') {
      // The specification does not describe the other effects of such an update.
      this.#records.discardMembers(kind === 'pipeline' ? String(key) : place)
      const updated = this.#records.add(kind, key, place, record, at)
      this.#adoptNew(operation, updated, record, at)
      touch(updated)
      return 'of operations that the specification does not describe'
    }
    const known = this.#records.find(kind, key, place)
    const sent = sentRecord(exchange, singular)
    const isHeld = known !== undefined && at - known.seenAt <= heldFor
    if (known?.isGone)
      this.#flaw([operation, 'refuses'], exchange, known, {
        received: { id: key },
        expected: 'an error: the backfill was deleted',
      })
    const target = known ?? this.#records.add(kind, key, place, {}, at)
    const before = isHeld ? target.values : { id: record.id }
    target.isGone = false
    touch(target)
    target.written = { ...target.written, ...sent }
    this.#compare(
      [operation, 'values'],
      operation,
      target,
      { ...before, ...sent },
      record,
      exchange,
      (attribute) =>
        // A profile may ignore what comes with a status.
        this.#creations.hasProfile &&
        'status' in sent &&
        equal(record[attribute], before[attribute] ?? record[attribute]),
    )
    target.steps = [...target.steps, `${exchange.method} ${exchange.path}`].slice(-4)
    this.#adopt(target, record, at)
    target.lastWrite = { by: operation, isRefused: false, at }
    return isHeld ? undefined : 'first to show their records'
  }

  #followDeletion(
    kind: ComparedKind,
    { exchange, reached, at }: ReachedExchange,
    home: string | undefined,
  ): Unfollowed | undefined {
    const { facts, isDocumented } = reached
    const { operation, singular } = facts
    const record = recordIn(exchange, singular)
    const key = record?.[keyOf(kind)] ?? keyInPath(reached)
    if (key === undefined) return 'about records that the model does not contain'
    const place = homeIn(kind, record ?? {}, home)
    const known = this.#records.find(kind, key, place) ?? this.#namedNow(kind, record ?? {}, place)
    const isHeld = known !== undefined && (known.isGone || at - known.seenAt <= heldFor)
    if (known?.isGone)
      this.#flaw([operation, 'refuses'], exchange, known, {
        received: { [keyOf(kind)]: key },
        expected: `an error: the ${kind} was deleted`,
      })
    else if (isHeld && record !== undefined && isDocumented) {
      if (kind === 'block') this.#checkForced(known, exchange)
      // A deletion may take off the links first.
      known.isGone = true
      this.#compare([operation, 'values'], operation, known, known.values, record, exchange)
    }
    const gone = known ?? this.#records.add(kind, key, place, record ?? {}, at)
    if (kind === 'pipeline') this.#records.discardMembers(String(key))
    gone.isGone = true
    gone.seenAt = at
    gone.lastWrite = { by: operation, isRefused: false, at }
    gone.steps = [...gone.steps, `${exchange.method} ${exchange.path}`].slice(-4)
    touchHome(gone)
    return isHeld ? undefined : 'first to show their records'
  }

  /** Checks that only force deletes a block on which others depend. The specification leaves their links open. */
  #checkForced({ values, home }: KnownRecord, exchange: Exchange): void {
    const below = values.downstream_blocks
    if (!Array.isArray(below)) return
    const remaining = below.filter(
      (uuid) => this.#records.find('block', uuid, home?.keys.target)?.isGone === false,
    )
    if (remaining.length === 0) return
    const isForced = /[?&]force=(?:true|1)\b/i.test(exchange.path)
    this.#check(
      'block-delete/refused',
      exchange,
      isForced
        ? undefined
        : {
            received: { uuid: values.uuid },
            expected: 'an error: other blocks depend on the block',
          },
    )
    if (home !== undefined) this.#relinked.add(home.keys.target)
  }

  /** Compares an error with the known state: it agrees if the record is gone, and contradicts it if the record exists. */
  #followRefusal(
    kind: ComparedKind,
    { exchange, reached, at }: ReachedExchange,
    home: string | undefined,
  ): Unfollowed | undefined {
    const { operation, action } = reached.facts
    const known = this.#records.find(kind, keyInPath(reached), homeIn(kind, {}, home))
    const isOfHome =
      reached.parameters.pipeline_uuid === undefined ||
      known?.home?.keys.target === home ||
      kind === 'pipeline'
    if (known === undefined || action === 'create' || action === 'list' || !isOfHome)
      return 'with an error as the reply'
    const isHeld = at - known.seenAt <= heldFor
    if (!known.isGone && isHeld && isNotFound(exchange) && operation !== 'deleteBlock') {
      this.#flaw(
        action === 'detail' ? this.#blame(operation, known) : [operation, 'accepted'],
        exchange,
        known,
        {
          received: { error: exchange.error },
          expected: 'a success',
        },
      )
      this.#records.discard(known)
      return undefined
    }
    if (known.isGone) {
      this.#note(operation, 'refuses', exchange)
      return undefined
    }
    if (action !== 'detail') known.lastWrite = { by: operation, isRefused: true, at }
    return 'with an error as the reply'
  }

  // Related records.

  #homeOf({ exchange, reached }: ReachedExchange): string | undefined {
    const { parameters, facts } = reached
    const named = parameters.pipeline_uuid ?? parameters.uuid ?? queryOf(exchange).get('pipeline_uuid')
    if (named) return named
    const { backfill_id: backfill, pipeline_schedule_id: schedule } = parameters
    if (backfill !== undefined) return this.#records.find('backfill', backfill, undefined)?.home?.keys.target
    if (schedule !== undefined) return this.#records.find('schedule', schedule, undefined)?.home?.keys.target
    const created = facts.operation === 'createPipeline' ? recordIn(exchange, 'pipeline')?.uuid : undefined
    return created === undefined ? undefined : String(created)
  }

  #relates(home: string | undefined, other: ReachedExchange): boolean {
    const otherHome = this.#homeOf(other)
    return home === undefined || otherHome === undefined || home === otherHome
  }

  #discardWritten(kind: ComparedKind, { reached }: ReachedExchange, home: string | undefined): void {
    this.#countWrite(home)
    const known = this.#records.find(kind, keyInPath(reached), homeIn(kind, {}, home))
    if (known !== undefined && kind === 'backfill') this.#records.discard(known)
    else if (kind === 'backfill' && reached.facts.action === 'create') return
    else {
      this.#records.discardMembers(home)
      if (home === undefined) this.#unnamed.clear()
      else this.#unnamed.delete(home)
      const pipeline = this.#records.find('pipeline', home, undefined)
      if (pipeline !== undefined) this.#records.discard(pipeline)
    }
  }

  #countWrite(home: string | undefined): void {
    this.#writes++
    if (home === undefined) this.#unplacedWrites++
    else this.#writesIn.set(home, (this.#writesIn.get(home) ?? 0) + 1)
  }

  /** Identifies how many writes there were that may have changed a list. */
  #writesBefore(home: string | undefined): string {
    return home === undefined ? `${this.#writes}` : `${this.#unplacedWrites} ${this.#writesIn.get(home) ?? 0}`
  }

  // Findings.

  /** The operation and aspect that a difference belongs to: the write before it, or the read itself. */
  #blame(read: OperationId, { lastWrite }: KnownRecord): readonly [OperationId, Aspect] {
    if (lastWrite === undefined) return [read, 'values']
    const aspect = lastWrite.isRefused ? 'refused-unchanged' : 'read-back'
    return derivedRule(lastWrite.by, aspect) === undefined ? [read, 'values'] : [lastWrite.by, aspect]
  }

  #compare(
    [by, aspect]: readonly [OperationId, Aspect],
    read: OperationId,
    known: KnownRecord,
    expected: ReceivedRecord,
    record: ReceivedRecord,
    exchange: Exchange,
    isAccepted: (attribute: string) => boolean = () => false,
  ): void {
    const differences = compareRecords(read, known, expected, record, this).filter(
      ({ attribute, ...values }) => !isAccepted(attribute) && !hasHidden(values),
    )
    if (differences.length === 0) this.#note(by, aspect, exchange)
    for (const { attribute, expected: value, received } of differences)
      this.#flaw([by, aspect], exchange, known, {
        received: { [attribute]: received },
        expected: { [attribute]: value },
      })
  }

  #flaw(
    [operation, aspect]: readonly [OperationId, Aspect],
    exchange: Exchange,
    { steps }: KnownRecord,
    flaw: TrafficFlaw,
  ): void {
    this.#note(operation, aspect, exchange, { ...flaw, steps })
  }

  #note(operation: OperationId, aspect: Aspect, exchange: Exchange, flaw?: TrafficFlaw): void {
    const id = derivedRule(operation, aspect) ?? derivedRule(operation, 'values')
    if (id !== undefined) this.#check(id, exchange, flaw)
  }
}

const kindBySingular = new Map<string, ComparedKind>([
  ...kinds.map((kind): [string, ComparedKind] => [kind, kind]),
  ['pipeline_schedule', 'schedule'],
  ['pipeline_run', 'run'],
])

function kindOf(singular: string): ComparedKind | undefined {
  return kindBySingular.get(singular)
}

function keyOf(kind: ComparedKind): 'id' | 'uuid' {
  return kind === 'pipeline' || kind === 'block' ? 'uuid' : 'id'
}

/** The pipeline that a record belongs to, as it shows, or as the request names it. */
function homeIn(kind: ComparedKind, { pipeline_uuid: shown }: ReceivedRecord, named: string | undefined) {
  if (kind === 'pipeline') return undefined
  return typeof shown === 'string' && kind !== 'block' ? shown : named
}

/** The key of the record that the path names last. */
function keyInPath({ facts, parameters }: ReachedOperation): string | undefined {
  const { backfill_id, block_uuid, pipeline_schedule_id, pipeline_run_id, uuid } = parameters
  const keys: Readonly<Record<string, string | undefined>> = {
    backfill: backfill_id, block: block_uuid, pipeline_schedule: pipeline_schedule_id, pipeline_run: pipeline_run_id, pipeline: uuid,
  } // biome-ignore format: a list
  return keys[facts.singular]
}

function sentRecord({ requestBody }: Exchange, singular: string): ReceivedRecord {
  const sent = isObject(requestBody) ? requestBody[singular] : undefined
  return isObject(sent) ? sent : {}
}

function isPaging(name: string): boolean {
  return name === '_limit' || name === '_offset'
}

function isServerError({ httpStatus, code }: Exchange): boolean {
  return httpStatus >= 500 || code >= 500 || Number.isNaN(code)
}

function isNotFound({ code, error }: Exchange): boolean {
  return code === 404 || error?.type === 'record_not_found'
}

/** Returns whether a recorder has hidden a part of the values: it may learn a credential after its first use. */
function hasHidden(values: object): boolean {
  return JSON.stringify(values).includes(hidden)
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
