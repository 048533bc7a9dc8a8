/** Predicate that selects a value. */
type Test<Value> = (value: Value) => unknown

/**
 * Condition on a value: the value itself, conditions on its members, or a predicate. A list matches if any
 * item does.
 */
type RecordCondition<Value> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? RecordCondition<Item> | Test<Value> | Extract<Item, null | undefined>
    : Value extends object
      ? { readonly [Name in keyof Value]?: RecordConditionOn<Value[Name]> }
      : never
type RecordConditionOn<Value> =
  NonNullable<Value> extends readonly (infer Item)[]
    ? RecordCondition<Item> | Test<Value> | Extract<Value, null | undefined>
    : NonNullable<Value> extends object
      ? RecordCondition<NonNullable<Value>> | Extract<Value, null | undefined>
      : Value | Test<Value>

/** Query of `@msw/data`, with types that do not need that package. */
export interface ModelQuery<Stored> {
  test(record: Stored): boolean
  where(condition: RecordCondition<Stored> | Test<Stored>): ModelQuery<Stored>
  and(...conditions: (ModelQuery<Stored> | RecordCondition<Stored> | Test<Stored>)[]): ModelQuery<Stored>
  or(...conditions: (ModelQuery<Stored> | RecordCondition<Stored> | Test<Stored>)[]): ModelQuery<Stored>
}

import type { Deletion } from './deletion.ts'

/** Mode of a collection: synchronous, or asynchronous for a remote one. */
type Answers = 'at once' | 'later'
type NowOrLater<When extends Answers, Value> = When extends 'later' ? Promise<Value> : Value

/** A query, or a function that creates one: `(q) => q.where({ status: 'failed' })`. */
export type Predicate<Stored> = ModelQuery<Stored> | ((query: ModelQuery<Stored>) => ModelQuery<Stored>)

/** The values of the attributes of matching records. */
export type Where<Stored> = { readonly [Name in keyof Stored]?: Stored[Name] | undefined }

/** Number of records for each value. */
export type Counts = Readonly<Record<string, number>>

/** Sort order by attributes or nested members. The first one that differs is used. */
export type Criteria<Value> = {
  readonly [Name in keyof Value]?: NonNullable<Value[Name]> extends object
    ? Criteria<NonNullable<Value[Name]>>
    : 'asc' | 'desc'
}

/** Options of a method for one record. */
export interface FirstOptions<Strict extends boolean = boolean> {
  /** True to throw if no record matches. */
  readonly strict?: Strict | undefined
}

/** Options of a method for several records. */
export interface ManyOptions<Stored> extends FirstOptions {
  readonly orderBy?: Criteria<Stored> | readonly Criteria<Stored>[] | undefined
}

/** Options of a selection: a part of the matching records. */
export interface SelectionOptions<Stored> extends ManyOptions<Stored> {
  /** The record to start from. */
  readonly cursor?: Stored | undefined
  readonly skip?: number | undefined
  /** Number of records. A negative number counts back from the last record, or from the cursor. */
  readonly take?: number | undefined
}

/** A selection of records, and their order. */
export interface RowOptions<Stored> {
  /** The values of their attributes. */
  readonly where?: Where<Stored> | undefined
  /**
   * Search as a person types it: `status:failed`, `took:>1h`, and texts that may occur anywhere. All parts
   * must match.
   */
  readonly search?: string | undefined
  /** The attributes to sort by. Records without a value come last. Default: the order of the resource. */
  readonly orderBy?: { readonly [Name in keyof Stored]?: 'asc' | 'desc' | undefined } | undefined
  /** True to begin with the last record. */
  readonly reverse?: boolean | undefined
}

/** A page of the selected records. */
export interface PageOptions<Stored> extends RowOptions<Stored> {
  /** Number of records to skip. Default 0. */
  readonly offset?: number | undefined
  /** Maximum number of records: default 50, up to 1,000. */
  readonly limit?: number | undefined
}

/** Options of a distribution. */
export interface SpreadOptions<Stored> extends RowOptions<Stored> {
  /** The number of parts: default 100, up to 1,000; never more than the number of records. */
  readonly parts?: number | undefined
}

/** Options of the newest records of each value. */
export interface NewestOptions<Stored> {
  readonly where?: Where<Stored> | undefined
  /** Maximum number of records per value. Default 1. */
  readonly limit?: number | undefined
}

/** A page of records, and the number of records without `offset` and `limit`. */
export interface PagedRecords<Stored> {
  readonly records: readonly Stored[]
  readonly count: number
}

/** Changes to a record: `data` writes to a copy of it. */
export interface Edit<Stored> {
  readonly data: (draft: { -readonly [Name in keyof Stored]: Stored[Name] }) => void | Promise<void>
}

type First<Stored, Strict extends boolean> = Strict extends true ? Stored : Stored | undefined

/**
 * The records of a resource, with the methods of an `@msw/data` collection: records go in, frozen records come out.
 *
 * @example
 * understudy.model.backfills.findMany((q) => q.where({ status: 'failed' }), { orderBy: { id: 'desc' }, take: 10 })
 */
export interface Collection<Values, Stored, When extends Answers = 'at once'> {
  /** Returns the first record that matches; the first of all without a query. */
  findFirst<Strict extends boolean = false>(
    predicate?: Predicate<Stored>,
    options?: FirstOptions<Strict>,
  ): NowOrLater<When, First<Stored, Strict>>
  /** Returns the matching records, in the order of the resource. */
  findMany(predicate?: Predicate<Stored>, options?: SelectionOptions<Stored>): NowOrLater<When, Stored[]>
  /**
   * Returns the records with a value of an attribute, in the order of the resource. References have an index.
   *
   * @throws UnderstudyError where there is no such attribute.
   * @example
   * understudy.model.pipeline_runs.where('pipeline_uuid', 'sales')
   */
  where<Name extends keyof Stored & string>(
    attribute: Name,
    value: Stored[Name] & (string | number | boolean | null),
  ): NowOrLater<When, Stored[]>
  /**
   * Counts the records: all, those with these values, or those that match a query. A remote collection
   * fetches no records unless there is a query.
   *
   * @example
   * understudy.model.pipeline_runs.count({ status: 'failed' })
   */
  count(where?: Where<Stored> | Predicate<Stored>): NowOrLater<When, number>
  /**
   * Counts the records by value of an attribute. Keys are texts, or the JSON of other values.
   *
   * @example
   * understudy.model.pipeline_runs.countBy('status', { pipeline_uuid: 'sales' }) // { completed: 40, failed: 2 }
   */
  countBy(attribute: keyof Stored & string, where?: Where<Stored>): NowOrLater<When, Counts>
  /**
   * Returns a page of records. A server filters and sorts, so a client fetches only the page.
   *
   * @throws UnderstudyError if an attribute is unknown or a number is out of its bounds.
   * @example
   * const { records, count } = await understudy.model.pipeline_runs.page({ search: 'status:failed took:>1h', reverse: true, limit: 20 })
   */
  page(options?: PageOptions<Stored>): Promise<PagedRecords<Stored>>
  /**
   * Returns the distribution of an attribute's values. It divides the records into parts and counts each
   * value in each part.
   *
   * @example
   * await understudy.model.pipeline_runs.spread('status', { parts: 2 }) // [{ completed: 9 }, { completed: 7, failed: 1 }]
   */
  spread(attribute: keyof Stored & string, options?: SpreadOptions<Stored>): Promise<Counts[]>
  /**
   * Returns the newest records of each value of an attribute, oldest first; at most 20,000 in total.
   *
   * @example
   * const { daily_sales } = await understudy.model.pipeline_runs.newest('pipeline_uuid', { limit: 16 })
   */
  newest(
    attribute: keyof Stored & string,
    options?: NewestOptions<Stored>,
  ): Promise<Readonly<Record<string, readonly Stored[]>>>
  all(): NowOrLater<When, Stored[]>
  /** Adds a record, with defaults for missing attributes. */
  create(values: Values): Promise<Stored>
  createMany(count: number, values: (index: number) => Values): Promise<Stored[]>
  /** Changes the first record that matches, or a given record. */
  update<Strict extends boolean = false>(
    predicate: Predicate<Stored> | Stored,
    options: Edit<Stored> & FirstOptions<Strict>,
  ): Promise<First<Stored, Strict>>
  updateMany(
    predicate: Predicate<Stored> | undefined,
    options: Edit<Stored> & ManyOptions<Stored>,
  ): Promise<Stored[]>
  /** Deletes the first record that matches, or a given record, and its dependent records. */
  delete<Strict extends boolean = false>(
    predicate: Predicate<Stored> | Stored,
    options?: FirstOptions<Strict>,
  ): NowOrLater<When, First<Stored, Strict>>
  /**
   * Returns the effects of `delete` on other records, without deleting anything.
   *
   * @example
   * const { along, stays } = await understudy.model.pipelines.deletion((q) => q.where({ uuid: 'sales' }), { strict: true })
   */
  deletion<Strict extends boolean = false>(
    predicate: Predicate<Stored> | Stored,
    options?: FirstOptions<Strict>,
  ): Promise<First<Deletion, Strict>>
  deleteMany(
    predicate: Predicate<Stored> | undefined,
    options?: ManyOptions<Stored>,
  ): NowOrLater<When, Stored[]>
  /** Removes every record. */
  clear(): NowOrLater<When, void>
}

/** Methods of a collection, without the effect of `strict` on their types. */
export type Methods<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (...given: infer Given) => unknown
    ? (...given: Given) => unknown
    : never
}
