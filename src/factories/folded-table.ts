import type { Page, RecordModel } from '../resources/records.ts'
import type { WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { RecordError } from '../shared/record-error.ts'
import type { Slices } from '../shared/slices.ts'
import type { Deletion } from './deletion.ts'
import { freeze } from './freeze.ts'
import { lazyList, lazyPart } from './lazy-list.ts'
import type { TableKind } from './model.ts'
import type { Row } from './rows.ts'
import type { Store } from './store.ts'
import { Table } from './table.ts'
import type { Selection } from './table-types.ts'

/**
 * Records that are made at once and kept as one until somebody looks. They have ids that follow one another, from that
 * of the kept one on.
 */
export interface Folding {
  /** The attribute that only what is kept for several records has. */
  readonly attribute: string
  /** What is kept of what is given, but for its id. */
  readonly keep: (model: RecordModel, given: unknown) => WireRecord
  /** The same, with what it has in common with another one as that has it. */
  readonly share: (kept: WireRecord, other: WireRecord) => WireRecord
  /** Tells whether something can be what is kept: it may have been written by somebody else. */
  readonly isKept: (values: WireRecord) => boolean
  /** How many records a kept one stands for; 1 where it is one itself. */
  readonly countOf: (kept: WireRecord) => number
  /** As how many records that are made it counts. */
  readonly weightOf: (kept: WireRecord) => number
  /** The record of a number, from 0 on. */
  readonly unfold: (kept: WireRecord, index: number) => WireRecord
}

/** Makes a kind of table that folds records. */
export function foldedTable(folding: Folding): TableKind {
  return class extends FoldedTable {
    override readonly folding = folding
  }
}

/**
 * A table of which one row may stand for many records (`Folding`). Whoever reads is given the records; whoever writes
 * one of them has its row unfolded first, so that what is folded has never been touched.
 */
abstract class FoldedTable extends Table {
  protected abstract readonly folding: Folding
  /** What was folded last. */
  #last: WireRecord | undefined

  override get others(): readonly string[] {
    return [this.folding.attribute]
  }

  fold(model: RecordModel, given: unknown): boolean {
    const { nextId } = this
    const values = this.folding.keep(model, given)
    const count = this.countOf(values)
    // Whoever gave higher ids by hand may have given those that would be taken.
    if (count < 2 || nextId + count > limits.countedId) return false
    if (model.mayMake(this.folding.weightOf(values))) this.#keep({ ...values, id: nextId })
    return true
  }

  /** Of what a state has kept, too, that stands for several records. */
  override insert(values: WireRecord): WireRecord {
    if (values[this.folding.attribute] === undefined) return super.insert(values)
    const { singular } = this.resource
    if (!this.folding.isKept(values) || !this.#isFree(values)) {
      const flaw = { path: this.folding.attribute, expected: `what several of a ${singular} have in common` }
      throw new RecordError(`Failed to create a ${singular}`, [{ ...flaw, found: 'something else' }])
    }
    return this.#keep(values)
  }

  override countOf(kept: WireRecord): number {
    return this.folding.countOf(kept)
  }

  override recordsOf(kept: WireRecord): WireRecord[] {
    return Array.from({ length: this.countOf(kept) }, (_, index) => this.#at(kept, index))
  }

  override row(key: string): Row | undefined {
    const row = this.#holderOf(key)
    return row && this.#rowAt(row, Number(key) - idOf(row))
  }

  override where(attribute: string, value: unknown): WireRecord[] {
    const { references = {} } = this.resource
    // Those that are kept as one refer to the same; all else each may have for itself.
    if (!Object.hasOwn(references, attribute)) {
      return this.records().filter((record) => record[attribute] === value)
    }
    return this.#unfold(this.bucket(attribute, value))
  }

  override last(attribute: string, value: unknown): WireRecord | undefined {
    return this.where(attribute, value).at(-1)
  }

  override countWhere(attribute: string, value: unknown): number {
    return this.where(attribute, value).length
  }

  override records(): WireRecord[] {
    return this.#unfold(this.look().rows.items)
  }

  /** A filter (`keep`) is asked of the first of those that are kept as one, for all of them. */
  override page({ offset, limit = Number.POSITIVE_INFINITY, where, keep }: Selection) {
    const bucket = where === undefined ? this.look().rows.items : this.bucket(where.attribute, where.value)
    const all = keep === undefined ? bucket : bucket.filter((row) => keep(this.#at(row.record, 0)))
    const counts = all.map(({ record }) => this.countOf(record))
    const count = counts.reduce((sum, each) => sum + each, 0)
    const rows = lazyList(counts, (place, index) => this.#rowAt(all[place]!, index))
    const end = Math.min(offset + limit, count)
    const isReverse = this.resource.order?.newestFirst ?? false
    return { rows: lazyPart(rows, offset, Math.max(offset, end), isReverse), count }
  }

  override list(attribute: string, value: unknown, page: Page, keep?: Selection['keep']) {
    const { rows, count } = this.page({ ...page, where: { attribute, value }, keep })
    return { page: lazyList([rows.length], (_, index) => rows[index]!.record), count }
  }

  override change(record: WireRecord, changes: WireRecord): WireRecord {
    this.#open(record)
    return super.change(record, changes)
  }

  override *removal(record: WireRecord): Slices<WireRecord> {
    this.#open(record)
    const removed = yield* super.removal(record)
    this.own().folded -= this.countOf(removed) - 1
    return removed
  }

  override async deletion(record: WireRecord): Promise<Deletion> {
    this.#open(record)
    return super.deletion(record)
  }

  override replay(key: string, next: WireRecord | undefined): void {
    this.#openAt(key)
    super.replay(key, next)
  }

  /** Tells of what is kept as one as of its records, as far as anybody keeps so many. */
  protected override wrote(previous: WireRecord | undefined, next: WireRecord | undefined): void {
    const count = this.countOf((next ?? previous)!)
    const { changes, watcher } = this.host
    this.host.changed()
    if (changes === undefined && watcher === undefined) return
    // What follows from a request is kept whole or not at all.
    const { keeps, room } = changes?.following ?? {}
    const noted = changes?.length ?? 0
    const most = keeps === undefined ? limits.journalChanges - noted : (room ?? 0) < noted + count ? 0 : count
    const told = watcher === undefined ? Math.min(count, Math.max(0, most)) : count
    for (let index = 0; index < told; index++) {
      super.wrote(previous && this.#at(previous, index), next && this.#at(next, index))
    }
    if (changes !== undefined && told < count) changes.more = (changes.more ?? 0) + count - told
  }

  /** Puts in its place what stands for several records. */
  #keep(values: WireRecord): WireRecord {
    const kept = freeze(this.#last === undefined ? values : this.folding.share(values, this.#last))
    this.host.checkReferences(this.resource, kept, undefined)
    this.#last = kept
    const store = this.own()
    const id = Number(kept.id)
    const count = this.countOf(kept)
    store.add(String(id), kept)
    store.countFrom(Math.max(store.nextId, id + count))
    store.folded += count - 1
    this.wrote(undefined, kept)
    return kept
  }

  /** Whether nobody has one of the ids that several records are to have. */
  #isFree(values: WireRecord): boolean {
    const id = Number(values.id)
    return id >= this.nextId && id + this.countOf(values) <= limits.countedId
  }

  /** The records of rows, each made when it is asked for. */
  #unfold(rows: readonly Row[]): WireRecord[] {
    const kept = rows.map(({ record }) => record)
    if (this.look().folded === 0) return kept
    return lazyList(
      kept.map((each) => this.countOf(each)),
      (place, index) => this.#at(kept[place]!, index),
    )
  }

  /** Puts the records in the place of what is kept as one, where one of them is to be written. */
  #open(record: WireRecord): void {
    if (this.countOf(record) === 1) this.#openAt(this.keyOf(record))
  }

  #openAt(key: string): void {
    const holder = this.#holderOf(key)
    if (holder === undefined || this.countOf(holder.record) === 1) return
    const store: Store = this.own()
    const row = store.byKey.get(holder.key)!
    const records = this.recordsOf(row.record)
    store.remove(row)
    store.folded -= records.length - 1
    for (const [index, record] of records.entries()) {
      // Between their neighbours, as they have been.
      store.put(this.keyOf(record), record, row.sequence + index / records.length)
    }
  }

  /** The row that stands for the record of a key, and maybe for others. */
  #holderOf(key: string): Row | undefined {
    const { byKey, rows, folded, nextId } = this.look()
    const row = byKey.get(key)
    const id = Number(key)
    if (row !== undefined || folded === 0 || !(id < nextId)) return row
    return rows.items.find((each) => idOf(each) < id && id < idOf(each) + this.countOf(each.record))
  }

  #rowAt(row: Row, index: number): Row {
    if (this.countOf(row.record) === 1) return row
    const record = this.#at(row.record, index)
    return { ...row, record, key: this.keyOf(record), texts: undefined }
  }

  #at(kept: WireRecord, index: number): WireRecord {
    return this.countOf(kept) === 1 ? kept : freeze(this.folding.unfold(kept, index))
  }
}

function idOf({ record }: Row): number {
  return Number(record.id)
}
