import type { Page } from '../resources/records.ts'
import type { Resource, WireRecord } from '../resources/resource.ts'
import { quote } from '../shared/errors.ts'
import { hidden } from '../shared/hidden.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { keyOf, type Row, Store } from './store.ts'
import type { Selection, TableHost } from './table-types.ts'
import { refuseRecord, validateRecord } from './validate.ts'

/**
 * The rows of a resource with their indexes; records are immutable, errors exact. Users get it as a `Collection`.
 */
export class Table {
  readonly resource: Resource
  /** Name of the records in messages. */
  readonly name: string
  /** The attributes of the records; `undefined` if they may have any. */
  readonly attributes: readonly string[] | undefined
  readonly host: TableHost
  #store!: Store

  constructor(resource: Resource, host: TableHost) {
    const { plural, presents, attributes } = resource
    this.resource = resource
    this.name = plural
    this.attributes = presents === 'all' ? undefined : Object.keys(attributes.shape)
    this.host = host
    this.restore()
  }

  /** Returns the row of a key. A key that is unique only within the parent has the form `parent/key`. */
  row(key: string): Row | undefined {
    return this.#store.byKey.get(key)
  }

  /** Returns the record of a key. */
  get(key: string): WireRecord | undefined {
    return this.row(key)?.record
  }

  /** Returns the key of a record, as text. */
  keyOf(record: WireRecord): string {
    return keyOf(this.resource, record)
  }

  /** Returns the records with a value of an attribute, oldest first. */
  where(attribute: string, value: unknown): WireRecord[] {
    return this.bucket(attribute, value).map(({ record }) => record)
  }

  /** Returns the newest record with a value of an attribute. */
  last(attribute: string, value: unknown): WireRecord | undefined {
    return this.bucket(attribute, value).at(-1)?.record
  }

  /** Returns the number of records that have the value. */
  countWhere(attribute: string, value: unknown): number {
    return this.bucket(attribute, value).length
  }

  /** Returns the rows of one page, in the order of the resource, and the total number. */
  page({ offset, limit, where, accepts }: Selection): { rows: readonly Row[]; count: number } {
    const bucket = where === undefined ? this.#store.rows.items : this.bucket(where.attribute, where.value)
    const all = accepts === undefined ? bucket : bucket.filter(({ record }) => accepts(record))
    const end = limit === undefined ? all.length : Math.min(offset + limit, all.length)
    if (!this.resource.order?.newestFirst) return { rows: all.slice(offset, end), count: all.length }
    return {
      rows: all.slice(all.length - end, Math.max(all.length - offset, 0)).reverse(),
      count: all.length,
    }
  }

  /** Returns the records of a page that have a value and pass the filter, in the order of the resource. */
  list(
    attribute: string,
    value: unknown,
    page: Page,
    accepts?: (record: WireRecord) => boolean,
  ): { page: WireRecord[]; count: number } {
    const { rows, count } = this.page({
      ...page,
      where: { attribute, value },
      accepts,
    })
    return { page: rows.map(({ record }) => record), count }
  }

  /** Returns the id of the next record. Ids count up and are never used twice. */
  get nextId(): number {
    return this.#store.nextId
  }

  set nextId(id: number) {
    this.#own().countFrom(id)
    this.host.changed(this.name)
  }

  /** Every record, in the order of the rows. */
  records(): WireRecord[] {
    return this.#store.rows.items.map(({ record }) => record)
  }

  /** Returns the number of records. */
  count(): number {
    return this.#store.rows.items.length
  }

  /**
   * Adds a record, and fills in missing attributes.
   *
   * @throws if the values do not match the schema, the key exists, or a reference points nowhere.
   */
  insert(given: WireRecord): WireRecord {
    const { resource } = this
    const { nextId: id } = this.#store
    const isCounted = given.id === undefined && resource.key === 'id'
    // Not by spreading, which takes five times as long here (`bench -- --only throughput`).
    const identified = isCounted ? Object.assign({}, given, { id }) : given
    const { seed } = this.host
    const values = resource.complete?.(identified, { id, now: this.host.now(), seed }) ?? identified
    const record = validateRecord(resource, values, this.host)
    const key = keyOf(resource, record)
    // A counted id is new, so a lookup is not necessary.
    if (!isCounted && this.#store.byKey.has(key)) {
      const { key: path } = resource
      const expected = 'a value that no other record has'
      refuseRecord(resource, 'create', [{ path, expected, found: quote(record[path]) }])
    }
    this.host.checkReferences(resource, record, undefined)
    const bytes = this.#own().add(key, record)
    this.host.wrote(resource, key, undefined, record, bytes)
    return record
  }

  /** Replaces a record by a changed one. */
  change(record: WireRecord, changes: WireRecord): WireRecord {
    const row = this.rowOf(record)
    const { record: previous, key } = row
    const next = validateRecord(this.resource, changes, this.host, previous)
    const found = this.keyOf(next)
    if (found !== key) {
      const expected = `${quote(key)}, which cannot change`
      refuseRecord(this.resource, 'update', [{ path: this.resource.key, expected, found: quote(found) }])
    }
    this.host.checkReferences(this.resource, next, previous)
    const bytes = this.#own().replace(row, next)
    this.host.wrote(this.resource, key, previous, next, bytes)
    return next
  }

  /** Removes a record, and the records that require it. */
  remove(record: WireRecord): WireRecord {
    // First the records that refer to it, so that no reference ever dangles.
    this.host.release(this.resource, record)
    const row = this.rowOf(record)
    const bytes = this.#own().remove(row)
    this.host.wrote(this.resource, row.key, row.record, undefined, bytes)
    return row.record
  }

  /** Drops the texts of a row, after a change of a record in them. */
  dropTexts(key: string): WireRecord | undefined {
    const row = this.row(key)
    if (row === undefined) return undefined
    // Also for a shared row without a text: another world may cache a text there that is correct only in that world.
    const own = this.#own().own(row)
    own.texts = undefined
    return own.record
  }

  /** The current rows. Read them at once, because the next write changes them. */
  get store(): Store {
    return this.#store
  }

  /** Returns the present rows, to restore later. The next write, in either table, makes a copy first. */
  state(): Store {
    this.#store.isShared = true
    return this.#store
  }

  /** Replaces all rows by those of an earlier state, or removes all rows. */
  restore(state: Store = new Store(this.resource)): void {
    this.#store = state
  }

  /** Returns the row of a record, or throws `NOT_FOUND`. */
  rowOf(record: WireRecord): Row {
    const row = this.#store.byKey.get(this.keyOf(record))
    if (row) return row
    const { singular, key } = this.resource
    throw new UnderstudyError(
      'NOT_FOUND',
      `No ${singular} has the ${key} ${this.shownKey(this.keyOf(record))}.`,
    )
  }

  /** Returns a key for output; hides credentials. */
  shownKey(key: string): string {
    return this.resource.secrets?.includes(this.resource.key) ? hidden : key
  }

  /** The rows whose record has a value, in their order. */
  bucket(attribute: string, value: unknown): readonly Row[] {
    return (
      this.#store.indexes.rows(attribute, value) ??
      this.#store.rows.items.filter(({ record }) => record[attribute] === value)
    )
  }

  /** Returns the store, or a copy if others share it. */
  #own(): Store {
    if (this.#store.isShared) this.#store = this.#store.copy()
    return this.#store
  }
}
