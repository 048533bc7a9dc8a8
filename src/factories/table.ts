import { Collection, type Query } from '@msw/data'
import type { z } from 'zod'
import type { Resource, WireRecord } from '../resources/define-resource.ts'
import { quote } from '../wire/errors.ts'
import { toFlaw } from '../wire/issues.ts'
import { freeze } from './freeze.ts'
import { withPlan } from './plan.ts'
import { RecordError } from './record-error.ts'
import { RowIndexes } from './row-indexes.ts'
import { type Row, Rows } from './rows.ts'
import type { Selection, TableHost, TableState } from './table-types.ts'

/**
 * An `@msw/data` collection with indexes, immutable records and exact errors.
 *
 * Queries (`findFirst`, `findMany`, `count`) are the library's. Writes are ours: those of the library scan the array,
 * lose concurrent updates and drop the issues of a failed validation.
 */
export class Table<Schema extends z.ZodObject = z.ZodObject> extends Collection<Schema> {
  readonly resource: Resource
  readonly #host: TableHost
  readonly #rows: Rows
  readonly #byKey = new Map<string, Row>()
  readonly #indexes: RowIndexes
  #sequence = 0
  #nextId = 1

  constructor(resource: Resource<Schema>, host: TableHost) {
    super({ schema: resource.attributes })
    this.resource = resource as unknown as Resource
    this.#host = host
    this.#rows = new Rows(resource.order?.by)
    this.#indexes = new RowIndexes(Object.keys(resource.references ?? {}), resource.order?.by)
  }

  /** The row of a key; the key of a record that is unique only within its parent is `parent/key`. */
  row(key: string): Row | undefined {
    return this.#byKey.get(key)
  }

  /** The record of a key. */
  get(key: string): WireRecord | undefined {
    return this.#byKey.get(key)?.record
  }

  /** The key of a record, as text. */
  keyOf(record: WireRecord): string {
    const { key, scope } = this.resource
    return scope === undefined ? String(record[key]) : `${record[scope]}/${record[key]}`
  }

  /** The records whose attribute equals the value, oldest first. */
  where(attribute: string, value: unknown): WireRecord[] {
    return this.#bucket(attribute, value).map(({ record }) => record)
  }

  /** The newest record whose attribute equals the value. */
  last(attribute: string, value: unknown): WireRecord | undefined {
    return this.#bucket(attribute, value).at(-1)?.record
  }

  /** How many records have the value. */
  countWhere(attribute: string, value: unknown): number {
    return this.#bucket(attribute, value).length
  }

  /** The rows of one page, in the resource's order, and how many there are in all. */
  page({ offset, limit, where, keep }: Selection): { rows: readonly Row[]; count: number } {
    const bucket = where === undefined ? this.#rows.items : this.#bucket(where.attribute, where.value)
    const all = keep === undefined ? bucket : bucket.filter(({ record }) => keep(record))
    const end = limit === undefined ? all.length : Math.min(offset + limit, all.length)
    if (!this.resource.order?.newestFirst) return { rows: all.slice(offset, end), count: all.length }
    return {
      rows: all.slice(all.length - end, Math.max(all.length - offset, 0)).reverse(),
      count: all.length,
    }
  }

  /** The id the next record gets; ids count up and are never used twice. */
  nextId(): number {
    return this.#nextId
  }

  /**
   * Adds a record at once, filling what it lacks.
   *
   * @throws where the values do not match the schema, the key is taken, or a reference leads nowhere.
   */
  insert(values: WireRecord): WireRecord {
    const completed = this.#complete(values)
    const record = withPlan(this.resource, this.#validate(completed, 'create'), undefined, this.#host)
    const key = this.keyOf(record)
    if (this.#byKey.has(key)) {
      throw new RecordError(`Failed to create a ${this.resource.singular}`, [
        {
          path: this.resource.key,
          expected: 'a value that no other record has',
          found: quote(record[this.resource.key]),
        },
      ])
    }
    this.#host.checkReferences(this.resource, record)
    this.#place(key, record)
    this.#host.wrote(this.resource, undefined, record)
    return record
  }

  /** Replaces a record by one with the changes applied. */
  change(record: WireRecord, changes: WireRecord): WireRecord {
    const row = this.#rowOf(record)
    const previous = row.record
    const next = withPlan(this.resource, this.#validateChanges(previous, changes), previous, this.#host)
    const key = this.keyOf(next)
    if (key !== this.keyOf(previous)) {
      throw new RecordError(`Failed to update a ${this.resource.singular}`, [
        {
          path: this.resource.key,
          expected: `${quote(this.keyOf(previous))}, which cannot change`,
          found: quote(key),
        },
      ])
    }
    this.#host.checkReferences(this.resource, next)
    this.#replace(row, next)
    this.#host.wrote(this.resource, previous, next)
    return next
  }

  /** Takes a record out. */
  remove(record: WireRecord): WireRecord {
    // First what points to it, so that no reference ever leads nowhere.
    this.#host.release(this.resource, record)
    const row = this.#rowOf(record)
    super.all().splice(this.#rows.remove(row), 1)
    this.#byKey.delete(this.keyOf(row.record))
    this.#indexes.remove(row)
    this.#host.wrote(this.resource, row.record, undefined)
    return row.record
  }

  /** The records and the next id, to restore later; the records are shared, since they never change. */
  state(): TableState {
    return { records: this.#rows.items.map(({ record }) => record), nextId: this.#nextId }
  }

  /** Replaces everything by an earlier state. */
  restore(state: TableState): void {
    super.all().length = 0
    this.#rows.items.length = 0
    this.#byKey.clear()
    this.#indexes.clear()
    this.#sequence = 0
    for (const record of state.records) this.#place(this.keyOf(record), record)
    this.#nextId = state.nextId
  }

  override async create(initialValues: z.input<Schema>): Promise<Kept<Schema>> {
    return this.insert(structuredClone(initialValues) as WireRecord) as Kept<Schema>
  }

  override async update<Strict extends boolean>(
    predicate: Parameters<Collection<Schema>['update']>[0],
    options: Parameters<Collection<Schema>['update']>[1] & { strict?: Strict },
  ): Promise<Strict extends true ? Kept<Schema> : Kept<Schema> | undefined> {
    const record =
      this.#find(predicate) ??
      (options.strict ? this.findFirst(predicate as never, { strict: true }) : undefined)
    return (record && (await this.#draft(record as WireRecord, options.data as Draft))) as never
  }

  override async updateMany(
    predicate: Parameters<Collection<Schema>['updateMany']>[0],
    options: Parameters<Collection<Schema>['updateMany']>[1],
  ): Promise<Kept<Schema>[]> {
    const records = this.findMany(predicate, { strict: options.strict ?? false })
    return (await Promise.all(
      records.map((record) => this.#draft(record as WireRecord, options.data as Draft)),
    )) as never
  }

  override delete<Strict extends boolean>(
    predicate: Parameters<Collection<Schema>['delete']>[0],
    options?: { strict?: Strict },
  ): Strict extends true ? Kept<Schema> : Kept<Schema> | undefined {
    const record =
      this.#find(predicate) ??
      (options?.strict ? this.findFirst(predicate as never, { strict: true }) : undefined)
    return (record && this.remove(record as WireRecord)) as never
  }

  override deleteMany(
    predicate: Parameters<Collection<Schema>['deleteMany']>[0],
    options?: Parameters<Collection<Schema>['deleteMany']>[1],
  ): Kept<Schema>[] {
    const records = this.findMany(predicate, { strict: options?.strict ?? false })
    return records.map((record) => this.remove(record as WireRecord)) as never
  }

  override clear(): void {
    for (const { record } of [...this.#rows.items]) this.remove(record)
  }

  /** A copy of the list of records: the library hands out its own array, which would let callers past the indexes. */
  override all(): ReturnType<Collection<Schema>['all']> {
    return [...super.all()]
  }

  #find(predicate: Parameters<Collection<Schema>['delete']>[0]): WireRecord | undefined {
    const given = predicate as object
    if (typeof predicate === 'function' || 'test' in given) {
      return this.findFirst(predicate as (query: Query<never>) => Query<never>) as WireRecord | undefined
    }
    return this.get(this.keyOf(given as WireRecord))
  }

  async #draft(record: WireRecord, data: Draft): Promise<WireRecord> {
    const draft: Record<string, unknown> = structuredClone(record)
    await data(draft)
    // Only what the draft changed is written: another update may have come in between.
    const changes = Object.entries(draft).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(record[key]),
    )
    return this.change(record, Object.fromEntries(changes))
  }

  #rowOf(record: WireRecord): Row {
    const row = this.#byKey.get(this.keyOf(record))
    if (row) return row
    throw new Error(
      `[understudy] No ${this.resource.singular} has the ${this.resource.key} ${this.keyOf(record)}.`,
    )
  }

  #bucket(attribute: string, value: unknown): readonly Row[] {
    return (
      this.#indexes.rows(attribute, value) ??
      this.#rows.items.filter(({ record }) => record[attribute] === value)
    )
  }

  #complete(values: WireRecord): WireRecord {
    const context = { id: this.#nextId, now: this.#host.now(), seed: this.#host.seed }
    const identified =
      this.resource.key === 'id' && values.id === undefined ? { ...values, id: this.#nextId } : values
    return this.resource.complete?.(identified, context) ?? identified
  }

  #validate(values: WireRecord, action: 'create' | 'update'): WireRecord {
    const parsed = this.resource.attributes.safeParse(values)
    if (parsed.success) return freeze(parsed.data)
    throw new RecordError(
      `Failed to ${action} a ${this.resource.singular}`,
      parsed.error.issues.map((issue) => toFlaw(issue, values, '')),
    )
  }

  /** Holds only what changes against the schema: the rest of the record was held against it before. */
  #validateChanges(previous: WireRecord, changes: WireRecord): WireRecord {
    const shape: Readonly<Record<string, unknown>> = this.resource.attributes.shape
    const next: Record<string, unknown> = { ...previous }
    for (const key in changes) {
      if (changes[key] === previous[key]) continue
      const parsed = Object.hasOwn(shape, key) ? (shape[key] as z.ZodType).safeParse(changes[key]) : undefined
      // What does not fit, or is no attribute, is dealt with by the whole schema.
      if (!parsed?.success) return this.#validate({ ...previous, ...changes }, 'update')
      next[key] = freeze(parsed.data)
    }
    return Object.freeze(next)
  }

  #place(key: string, record: WireRecord): void {
    const row: Row = { record, sequence: this.#sequence++, texts: undefined }
    const live = super.all() as WireRecord[]
    const place = this.#rows.add(row)
    if (place === live.length) live.push(record)
    else live.splice(place, 0, record)
    this.#byKey.set(key, row)
    this.#indexes.add(row)
    if (typeof record.id === 'number' && record.id >= this.#nextId) this.#nextId = record.id + 1
    else if (this.resource.key !== 'id') this.#nextId++
  }

  #replace(row: Row, next: WireRecord): void {
    const previous = row.record
    const by = this.resource.order?.by
    const moves = by !== undefined && previous[by] !== next[by]
    const live = super.all() as WireRecord[]
    if (!moves) live[this.#rows.placeOf(row)] = next
    else live.splice(this.#rows.remove(row), 1)
    this.#indexes.leave(row, next, moves)
    row.record = next
    row.texts = undefined
    if (moves) live.splice(this.#rows.add(row), 0, next)
    this.#indexes.join(row, previous, moves)
  }
}

/** A record as the library types it. */
type Kept<Schema extends z.ZodObject> = Awaited<ReturnType<Collection<Schema>['create']>>
type Draft = (draft: object) => void | Promise<void>
