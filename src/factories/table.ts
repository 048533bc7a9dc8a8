import { Collection, type Query } from '@msw/data'
import type * as z from 'zod/mini'
import type { Resource, WireRecord } from '../resources/resource.ts'
import { quote } from '../wire/errors.ts'
import { RecordError } from '../wire/record-error.ts'
import { withPlan } from './plan.ts'
import type { Row } from './rows.ts'
import { Store } from './store.ts'
import type { Attribute, Changes, Given, Selection, Stored, TableHost } from './table-types.ts'
import { validateChanges, validateRecord } from './validate.ts'

/**
 * An `@msw/data` collection with indexes, immutable records and exact errors.
 *
 * Queries (`findFirst`, `findMany`, `count`) are the library's. Writes are ours: those of the library scan the array,
 * lose concurrent updates and drop the issues of a failed validation. The library's own array is filled when it is asked.
 */
export class Table<Schema extends z.ZodMiniObject = z.ZodMiniObject> extends Collection<Schema> {
  readonly resource: Resource
  readonly #host: TableHost
  #store: Store
  /** Whether the library's array lags behind the store. */
  #isStale = true

  constructor(resource: Resource<Schema>, host: TableHost) {
    super({ schema: resource.attributes })
    this.resource = resource as unknown as Resource
    this.#host = host
    this.#store = new Store(this.resource)
  }

  /** The row of a key; the key of a record that is unique only within its parent is `parent/key`. */
  row(key: string): Row | undefined {
    return this.#store.byKey.get(key)
  }

  /** The record of a key. */
  get(key: string): Stored<Schema> | undefined {
    return this.#store.byKey.get(key)?.record as Stored<Schema> | undefined
  }

  /** The key of a record, as text. */
  keyOf(record: WireRecord): string {
    const { key, scope } = this.resource
    return scope === undefined ? String(record[key]) : `${record[scope]}/${record[key]}`
  }

  /** The records whose attribute equals the value, oldest first. */
  where(attribute: Attribute<Schema>, value: unknown): Stored<Schema>[] {
    return this.#bucket(attribute, value).map(({ record }) => record as Stored<Schema>)
  }

  /** The newest record whose attribute equals the value. */
  last(attribute: Attribute<Schema>, value: unknown): Stored<Schema> | undefined {
    return this.#bucket(attribute, value).at(-1)?.record as Stored<Schema> | undefined
  }

  /** How many records have the value. */
  countWhere(attribute: Attribute<Schema>, value: unknown): number {
    return this.#bucket(attribute, value).length
  }

  /** The rows of one page, in the resource's order, and how many there are in all. */
  page({ offset, limit, where, keep }: Selection): { rows: readonly Row[]; count: number } {
    const bucket = where === undefined ? this.#store.rows.items : this.#bucket(where.attribute, where.value)
    const all = keep === undefined ? bucket : bucket.filter(({ record }) => keep(record))
    const end = limit === undefined ? all.length : Math.min(offset + limit, all.length)
    if (!this.resource.order?.newestFirst) return { rows: all.slice(offset, end), count: all.length }
    return {
      rows: all.slice(all.length - end, Math.max(all.length - offset, 0)).reverse(),
      count: all.length,
    }
  }

  /** The id the next record gets; ids count up and are never used twice. */
  get nextId(): number {
    return this.#store.nextId
  }

  set nextId(id: number) {
    this.#own().nextId = id
  }

  /** Every record, in the order of the rows. */
  records(): Stored<Schema>[] {
    return this.#store.rows.items.map(({ record }) => record as Stored<Schema>)
  }

  /**
   * Adds a record at once, filling what it lacks.
   *
   * @throws where the values do not match the schema, the key is taken, or a reference leads nowhere.
   */
  insert(values: Given<Schema>): Stored<Schema> {
    const completed = this.#complete(values as WireRecord)
    const valid = validateRecord(this.resource, completed, 'create')
    const record = withPlan(this.resource, valid, undefined, this.#host)
    const key = this.keyOf(record)
    if (this.#store.byKey.has(key)) {
      throw new RecordError(`Failed to create a ${this.resource.singular}`, [
        {
          path: this.resource.key,
          expected: 'a value that no other record has',
          found: quote(record[this.resource.key]),
        },
      ])
    }
    this.#host.checkReferences(this.resource, record)
    this.#ownToWrite().add(key, record)
    this.#host.wrote(this.resource, undefined, record)
    return record as Stored<Schema>
  }

  /** Replaces a record by one with the changes applied. */
  change(record: Stored<Schema>, changes: Changes<Schema>): Stored<Schema> {
    const { record: previous } = this.#rowOf(record)
    const valid = validateChanges(this.resource, previous, changes as WireRecord)
    const next = withPlan(this.resource, valid, previous, this.#host)
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
    const store = this.#ownToWrite()
    store.replace(store.byKey.get(key)!, next)
    this.#host.wrote(this.resource, previous, next)
    return next as Stored<Schema>
  }

  /** Takes a record out. */
  remove(record: Stored<Schema>): Stored<Schema> {
    // First what points to it, so that no reference ever leads nowhere.
    this.#host.release(this.resource, record)
    const { key } = this.#rowOf(record)
    const store = this.#ownToWrite()
    const row = store.byKey.get(key)!
    store.remove(row)
    this.#host.wrote(this.resource, row.record, undefined)
    return row.record as Stored<Schema>
  }

  /** Drops the texts of a row: a record it shows has changed. */
  forgetTexts(key: string): WireRecord | undefined {
    if (!this.#store.byKey.has(key)) return undefined
    // Of a shared row too that has no text yet: another world may put there what is true in that world only.
    const row = this.#own().byKey.get(key)!
    row.texts = undefined
    return row.record
  }

  /** The present rows, to restore later; whoever writes next, here or there, makes a copy first. */
  state(): Store {
    this.#store.isShared = true
    return this.#store
  }

  /** Replaces everything by an earlier state; nothing at all where none is given. */
  restore(state: Store = new Store(this.resource)): void {
    this.#store = state
    this.#isStale = true
  }

  override async create(initialValues: z.input<Schema>): Promise<Kept<Schema>> {
    return this.insert(structuredClone(initialValues)) as unknown as Kept<Schema>
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
    return (record && this.remove(record as Stored<Schema>)) as never
  }

  override deleteMany(
    predicate: Parameters<Collection<Schema>['deleteMany']>[0],
    options?: Parameters<Collection<Schema>['deleteMany']>[1],
  ): Kept<Schema>[] {
    const records = this.findMany(predicate, { strict: options?.strict ?? false })
    return records.map((record) => this.remove(record as unknown as Stored<Schema>)) as never
  }

  override clear(): void {
    for (const record of this.records()) this.remove(record)
  }

  override findFirst<Strict extends boolean>(
    ...given: Parameters<Collection<Schema>['findFirst']>
  ): Strict extends true ? Kept<Schema> : Kept<Schema> | undefined {
    this.#refill()
    return super.findFirst(...given) as never
  }

  override findMany(...given: Parameters<Collection<Schema>['findMany']>): Kept<Schema>[] {
    this.#refill()
    return super.findMany(...given) as never
  }

  override count(): number {
    return this.#store.rows.items.length
  }

  /** A list of the records: the library hands out its own array, which would let callers past the indexes. */
  override all(): ReturnType<Collection<Schema>['all']> {
    return this.records() as never
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
    return this.change(record as Stored<Schema>, Object.fromEntries(changes) as Changes<Schema>)
  }

  #rowOf(record: WireRecord): Row {
    const row = this.#store.byKey.get(this.keyOf(record))
    if (row) return row
    throw new Error(
      `[understudy] No ${this.resource.singular} has the ${this.resource.key} ${this.keyOf(record)}.`,
    )
  }

  #bucket(attribute: string, value: unknown): readonly Row[] {
    return (
      this.#store.indexes.rows(attribute, value) ??
      this.#store.rows.items.filter(({ record }) => record[attribute] === value)
    )
  }

  #complete(values: WireRecord): WireRecord {
    const context = { id: this.nextId, now: this.#host.now(), seed: this.#host.seed }
    const identified =
      this.resource.key === 'id' && values.id === undefined ? { ...values, id: this.nextId } : values
    return this.resource.complete?.(identified, context) ?? identified
  }

  /** The store, as one that nobody else holds. */
  #own(): Store {
    if (this.#store.isShared) this.#store = this.#store.copy()
    return this.#store
  }

  /** The store, to change its records. */
  #ownToWrite(): Store {
    this.#isStale = true
    return this.#own()
  }

  /** Brings the library's array in step with the rows. */
  #refill(): void {
    if (!this.#isStale) return
    const live = super.all() as WireRecord[]
    live.length = 0
    for (const { record } of this.#store.rows.items) live.push(record)
    this.#isStale = false
  }
}

/** A record as the library types it. */
type Kept<Schema extends z.ZodMiniObject> = Awaited<ReturnType<Collection<Schema>['create']>>
type Draft = (draft: object) => void | Promise<void>
