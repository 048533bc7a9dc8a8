import { type ComparisonContext, carriedBlocks, compareRecords } from '../model-based/compare.ts'
import { NameForms } from '../model-based/name-forms.ts'
import { mayBeListedElsewhere } from '../model-based/read-back.ts'
import { TargetClock, timeOf } from '../model-based/target-clock.ts'
import { type TrackedRecord, touch, touchHome } from '../model-based/tracked-records.ts'
import { type Aspect, derivedRule } from '../rules/derived.ts'
import type { OperationId, RuleId } from '../rules/index.ts'
import { queryOf } from '../runner/plain-address.ts'
import type { Exchange } from '../runner/read-exchange.ts'
import { equal, isError, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import {
  type FollowedExchange,
  hasHidden,
  homeIn,
  isNotFound,
  isPaging,
  isServerError,
  keyInPath,
  keyOf,
  kindOf,
  type ReachedExchange,
  sentRecord,
  stepOf,
  type Unfollowed,
  unknownRecords,
  wholeNumber,
} from './followed-exchange.ts'
import { isRecent, type KnownRecord, KnownRecords } from './known-records.ts'
import type { CreationModel } from './predict-creation.ts'
import { SeenLists } from './seen-lists.ts'

/** The contradiction to a rule in an exchange. */
export interface TrafficFlaw {
  readonly received: unknown
  readonly expected: unknown
  /** The requests that led to the expected value. */
  readonly steps?: readonly string[]
}

/** Records that an exchange passes a rule, or its contradiction. */
export type TrafficCheck = (id: RuleId, exchange: Exchange, flaw?: TrafficFlaw) => void

/** Compares timestamps of recordings, whose clock is not ours. */
class RecordedClock extends TargetClock {
  override fits(stamp: unknown): boolean {
    return timeOf(stamp) !== undefined
  }

  override hasPassed(): boolean {
    return true
  }
}

/** Query parameters that leave a list whole. */
const neutralParameters = new Set(['api_key', 'include_run_count', 'include_schedules', 'pipeline_uuid'])

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
  readonly #lists = new SeenLists()
  readonly #relinked = new Set<string>()

  constructor(check: TrafficCheck, creations: CreationModel) {
    this.#check = check
    this.#creations = creations
  }

  /** Compares an exchange with the known state; returns the reason if it had nothing to compare. */
  async follow(
    current: ReachedExchange,
    overlapping: readonly ReachedExchange[],
  ): Promise<Unfollowed | undefined> {
    const followed = this.#placed(current)
    if (followed === undefined) return unknownRecords
    const { exchange, home } = followed
    const { action } = followed.reached.facts
    const isWrite = action === 'create' || action === 'update' || action === 'delete'
    const isUnsure = overlapping.some((other) => this.#relates(home, other))
    const isBare = isWrite && action !== 'delete' && exchange.requestBody === undefined
    if (isWrite && (isUnsure || isBare || isServerError(exchange))) this.#discardWritten(followed)
    if (isUnsure) return 'during a write'
    if (isError(exchange)) return this.#followRefusal(followed)
    if (isBare) return 'without the body of the request'
    if (isWrite) this.#lists.countWrite(home)
    switch (action) {
      case 'create':
        return this.#followCreation(followed)
      case 'update':
        return this.#followUpdate(followed)
      case 'delete':
        return this.#followDeletion(followed)
      case 'list':
        return this.#followList(followed)
      default:
        return this.#followDetail(followed)
    }
  }

  /** Discards the records that a write with an unknown reply may have changed. */
  lose(current: ReachedExchange): void {
    const followed = this.#placed(current)
    if (followed !== undefined && current.exchange.method !== 'GET') this.#discardWritten(followed)
  }

  /** Adds the kind of the records and their pipeline; `undefined` where the model does not contain the kind. */
  #placed(current: ReachedExchange): FollowedExchange | undefined {
    const kind = kindOf(current.reached.facts.singular)
    return kind && { ...current, kind, home: this.#homeOf(current) }
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

  #followDetail(followed: FollowedExchange): Unfollowed | undefined {
    const { kind, home, exchange, reached } = followed
    const record = recordIn(exchange, reached.facts.singular)
    const key = record?.[keyOf(kind)]
    if (record === undefined || key === undefined) return unknownRecords
    const reason = this.#show({ ...followed, home: homeIn(kind, record, home) }, record)
    if (kind === 'pipeline') this.#showBlocks({ ...followed, kind: 'block', home: String(key) }, record)
    return reason
  }

  /** Compares the blocks of a pipeline with the known ones: each once, with the known values, and no deleted one. */
  #showBlocks(followed: FollowedExchange, pipeline: ReceivedRecord): void {
    const { exchange, home } = followed
    const blocks = carriedBlocks(pipeline)
    if (blocks === undefined) return
    for (const block of blocks) this.#show(followed, block)
    if (!Array.isArray(pipeline.blocks)) return
    this.#checkComplete(followed, blocks)
    for (const block of this.#records.discardUnnamed(home))
      if (!mayBeListedElsewhere(block.values))
        this.#flaw(this.#blame('readPipeline', block), exchange, block, {
          received: { uuid: block.values.name, found: 0 },
          expected: { found: 1 },
        })
  }

  #followList(followed: FollowedExchange): Unfollowed | undefined {
    const { kind, home, exchange, reached } = followed
    const { operation, plural } = reached.facts
    const items = listIn(exchange, plural)
    if (items === undefined) return unknownRecords
    const query = queryOf(exchange)
    const results = items.map((item) => this.#show({ ...followed, home: homeIn(kind, item, home) }, item))
    const others = [...query.keys()].filter((name) => !neutralParameters.has(name) && !isPaging(name))
    const isPaged = [...query.keys()].some(isPaging)
    const next = metadataIn(exchange)?.next
    const isWhole = others.length === 0 && !isPaged && next !== true
    const isComplete = !isWhole || this.#checkComplete(followed, items)
    const isCompared =
      isComplete &&
      derivedRule(operation, 'paging') !== undefined &&
      this.#comparePositions(followed, query, others, items)
    if (isCompared || items.length === 0 || results.includes(undefined)) return undefined
    return results[0]
  }

  /** Compares the positions of the items with other parts of the same list; returns whether there were any. */
  #comparePositions(
    { exchange, reached, home, at }: FollowedExchange,
    query: URLSearchParams,
    filters: readonly string[],
    items: readonly ReceivedRecord[],
  ): boolean {
    const { operation, plural } = reached.facts
    const name = JSON.stringify([plural, home, filters.map((filter) => [filter, query.getAll(filter)])])
    const { flaw, isKnown } = this.#lists.add(name, home, at, {
      offset: wholeNumber(query.get('_offset')) ?? 0,
      limit: wholeNumber(query.get('_limit')),
      ids: items.map(({ id }) => String(id)),
      next: metadataIn(exchange)?.next,
      count: metadataIn(exchange)?.count,
    })
    this.#note(operation, flaw?.aspect ?? 'paging', exchange, flaw)
    return isKnown
  }

  /** Checks that a whole list shows each known record. */
  #checkComplete(
    { kind, home, exchange, reached, at }: FollowedExchange,
    items: readonly ReceivedRecord[],
  ): boolean {
    const read = reached.facts.operation
    const shown = new Set(items.map((item) => String(item[keyOf(kind)])))
    const missing = [...this.#records.of(kind, home)].filter(
      (known) =>
        !known.isGone &&
        isRecent(known, at) &&
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
  #show(followed: FollowedExchange, record: ReceivedRecord): Unfollowed | undefined {
    const { kind, home, exchange, reached, at } = followed
    const read = reached.facts.operation
    const key = record[keyOf(kind)]
    if (key === undefined) return unknownRecords
    // A new block may have the uuid of a deleted one.
    const known = this.#records.named(kind, record, home) ?? this.#records.find(kind, key, home)
    if (known === undefined) {
      this.#adoptNew(followed, this.#records.add(kind, key, home, record, at), record)
      return 'first to show their records'
    }
    if (known.isGone) {
      const isHeld = kind === 'backfill' || isRecent(known, at)
      const isAnother = !equal(known.values.created_at, record.created_at)
      if (isHeld && !isAnother)
        this.#flaw(this.#blame(read, known), exchange, known, {
          received: { [keyOf(kind)]: key },
          expected: `no ${kind} of this ${keyOf(kind)}`,
        })
      this.#adoptNew(followed, this.#records.add(kind, key, home, record, at), record)
      return isHeld && !isAnother ? undefined : 'first to show their records'
    }
    if (!isRecent(known, at)) {
      touch(known)
      this.#adoptNew(followed, known, record)
      return 'more than a minute after the last one'
    }
    this.#compare(this.#blame(read, known), followed, known, known.values, record)
    this.#adopt(known, record, at)
    return undefined
  }

  /** Adopts the attributes of a record that a reply shows. */
  #adopt(known: KnownRecord, record: ReceivedRecord, at: number): void {
    known.values = { ...known.values, ...record }
    known.seenAt = at
    known.lastWrite = undefined
  }

  /** Adopts a record that was not compared: relations take down what the operation has chosen. */
  #adoptNew({ reached, at }: FollowedExchange, known: KnownRecord, record: ReceivedRecord): void {
    this.#adopt(known, record, at)
    compareRecords(reached.facts.operation, known, known.values, record, this)
  }

  // Writes.

  async #followCreation(followed: FollowedExchange): Promise<Unfollowed | undefined> {
    const { kind, home, exchange, reached, at } = followed
    const { facts, isDocumented, parameters } = reached
    const { operation, singular } = facts
    const record = recordIn(exchange, singular)
    if (record === undefined) return unknownRecords
    const key = record[keyOf(kind)]
    // Compares the pipeline in the reply with the one that the request names.
    const place = kind === 'pipeline' ? undefined : (home ?? homeIn(kind, record, home))
    const sent = sentRecord(exchange, singular)
    const existing = key === undefined ? undefined : this.#records.find(kind, key, place)
    const isTaken = existing !== undefined && !existing.isGone && isRecent(existing, at)
    if (isTaken)
      this.#flaw([operation, 'values'], exchange, existing, {
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
        : this.#records.addUnnamed(kind, place, values, at)
    known.written = sent
    known.steps = [stepOf(exchange)]
    const isUnsure = kind === 'block' && !this.#hasAll(sent.upstream_blocks, place)
    const predicted = await this.#creations.predict(operation, kind === 'run' ? exchange.requestBody : sent)
    if (predicted !== undefined)
      this.#compare(
        [operation, 'values'],
        followed,
        known,
        predicted,
        record,
        (attribute) =>
          (isUnsure && attribute === 'upstream_blocks') ||
          // A profile describes templates, and not their whole text.
          (this.#creations.hasProfile && attribute === 'content' && !Object.hasOwn(sent, attribute)),
      )
    if (key !== undefined) this.#adoptNew(followed, known, record)
    known.lastWrite = { by: operation, isRefused: false, at }
    if (kind === 'block') {
      this.#link(known)
      this.#discardShared(sent, place)
    }
    touchHome(known)
    if (kind === 'pipeline') this.#records.discardMembers(String(key))
    if (!isDocumented) return 'of operations that the specification does not describe'
    return predicted === undefined && !isTaken ? unknownRecords : undefined
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
      this.#lists.countWrite(uuid)
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

  #followUpdate(followed: FollowedExchange): Unfollowed | undefined {
    const { kind, home, exchange, reached, at } = followed
    const { operation, singular } = reached.facts
    const record = recordIn(exchange, singular)
    const key = record?.[keyOf(kind)]
    if (record === undefined || key === undefined) return unknownRecords
    const place = homeIn(kind, record, home)
    if (operation !== 'updateBackfill') {
      // The specification does not describe the other effects of such an update.
      this.#records.discardMembers(kind === 'pipeline' ? String(key) : place)
      const updated = this.#records.add(kind, key, place, record, at)
      this.#adoptNew(followed, updated, record)
      touch(updated)
      return 'of operations that the specification does not describe'
    }
    const known = this.#records.find(kind, key, place)
    const sent = sentRecord(exchange, singular)
    const isHeld = known !== undefined && isRecent(known, at)
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
      followed,
      target,
      { ...before, ...sent },
      record,
      (attribute) =>
        // A profile may ignore what comes with a status.
        this.#creations.hasProfile &&
        'status' in sent &&
        equal(record[attribute], before[attribute] ?? record[attribute]),
    )
    target.steps = [...target.steps, stepOf(exchange)].slice(-4)
    this.#adopt(target, record, at)
    target.lastWrite = { by: operation, isRefused: false, at }
    return isHeld ? undefined : 'first to show their records'
  }

  #followDeletion(followed: FollowedExchange): Unfollowed | undefined {
    const { kind, home, exchange, reached, at } = followed
    const { facts, isDocumented } = reached
    const { operation, singular } = facts
    const record = recordIn(exchange, singular)
    const key = record?.[keyOf(kind)] ?? keyInPath(reached)
    if (key === undefined) return unknownRecords
    const place = homeIn(kind, record ?? {}, home)
    const known = this.#records.find(kind, key, place) ?? this.#records.named(kind, record ?? {}, place)
    const isHeld = known !== undefined && (known.isGone || isRecent(known, at))
    if (known?.isGone)
      this.#flaw([operation, 'refuses'], exchange, known, {
        received: { [keyOf(kind)]: key },
        expected: `an error: the ${kind} was deleted`,
      })
    else if (isHeld && record !== undefined && isDocumented) {
      if (kind === 'block') this.#checkForced(known, exchange)
      // A deletion may take off the links first.
      known.isGone = true
      this.#compare([operation, 'values'], followed, known, known.values, record)
    }
    const gone = known ?? this.#records.add(kind, key, place, record ?? {}, at)
    if (kind === 'pipeline') this.#records.discardMembers(String(key))
    gone.isGone = true
    gone.seenAt = at
    gone.lastWrite = { by: operation, isRefused: false, at }
    gone.steps = [...gone.steps, stepOf(exchange)].slice(-4)
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
  #followRefusal({ kind, home, exchange, reached, at }: FollowedExchange): Unfollowed | undefined {
    const { operation, action } = reached.facts
    const known = this.#records.find(kind, keyInPath(reached), homeIn(kind, {}, home))
    const isOfHome =
      reached.parameters.pipeline_uuid === undefined ||
      known?.home?.keys.target === home ||
      kind === 'pipeline'
    if (known === undefined || action === 'create' || action === 'list' || !isOfHome)
      return 'with an error as the reply'
    if (!known.isGone && isRecent(known, at) && isNotFound(exchange) && operation !== 'deleteBlock') {
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

  #discardWritten({ kind, home, reached }: FollowedExchange): void {
    this.#lists.countWrite(home)
    const known = this.#records.find(kind, keyInPath(reached), homeIn(kind, {}, home))
    if (known !== undefined && kind === 'backfill') this.#records.discard(known)
    else if (kind === 'backfill' && reached.facts.action === 'create') return
    else {
      this.#records.discardMembers(home)
      this.#records.discardUnnamed(home)
      const pipeline = this.#records.find('pipeline', home, undefined)
      if (pipeline !== undefined) this.#records.discard(pipeline)
    }
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
    { exchange, reached }: FollowedExchange,
    known: KnownRecord,
    expected: ReceivedRecord,
    record: ReceivedRecord,
    isAccepted: (attribute: string) => boolean = () => false,
  ): void {
    const differences = compareRecords(reached.facts.operation, known, expected, record, this).filter(
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
