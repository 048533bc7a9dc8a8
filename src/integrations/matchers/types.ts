import type { OperationBody } from '../../api/replies.ts'
import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import type { DifferenceFrom, World } from '../../engine/worlds/world.ts'
import type { OperationId, OperationName } from '../../resources/table-types.ts'

/** A mock server, a world or a client of either. */
export interface Received {
  readonly journal: {
    entries(): readonly JournalEntry[] | Promise<readonly JournalEntry[]>
    /** Number of requests that it has dropped; `null` if it stores none. */
    lost?(): number | null | Promise<number | null>
  }
  readonly endpoints?: readonly {
    readonly operation: { readonly id: string }
    readonly route?: { readonly path: string }
  }[]
}

/** A mock server, a world or a client with a comparable state. */
export interface Changed {
  diff(from?: DifferenceFrom): Difference | Promise<Difference>
}

/** The changes of a state: the changed records of each kind, by plural. */
export type Difference = Readonly<
  Record<string, Readonly<Record<'created' | 'updated' | 'deleted', readonly unknown[]>>>
>

export type { DifferenceFrom }

/** The number of records, or a pattern for each of them in any order. */
type ExpectedRecords<Changed> = Changed extends readonly (infer Each)[]
  ? number | readonly PartOf<Each>[] | AsymmetricPattern
  : never

/**
 * The expected changes of a state. Omitted resources and kinds may have any changes.
 *
 * @example
 * const one: ExpectedDifference = { backfills: { created: [{ name: 'last week' }], deleted: 0 } }
 */
export type ExpectedDifference = {
  readonly [P in keyof StateDifference]?: {
    readonly [Kind in keyof StateDifference[P]]?: ExpectedRecords<StateDifference[P][Kind]> | undefined
  }
}

type StateDifference = ReturnType<World['diff']>

/** An asymmetric matcher such as `expect.any(Number)`, at any depth of a pattern. */
export interface AsymmetricPattern {
  asymmetricMatch(received: unknown): boolean
}

/** Part of a value, with matchers such as `expect.any(Number)` at any depth. */
type PartOf<Value> =
  | AsymmetricPattern
  | (Value extends readonly (infer Item)[]
      ? readonly PartOf<Item>[]
      : Value extends object
        ? { readonly [Name in keyof Value]?: PartOf<Value[Name]> | undefined }
        : Value)

/** Part of the body of a request; any value for an operation of a resource that a fixture added. */
type BodyPattern<Id extends OperationName> = Id extends OperationId ? PartOf<OperationBody<Id>> : unknown

/**
 * Expected parts of a request to an operation. Omitted parts may have any value.
 *
 * @example
 * const cancels: RequestPattern<'updateBackfill'> = { params: { backfill_id: 7 }, body: { backfill: { status: 'cancelled' } } }
 */
export interface RequestPattern<Id extends OperationName = OperationName> {
  /** Values of the path parameters, compared as text: 7 matches '7'. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** The query, compared as text; a repeated parameter is an array. */
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** Headers; their names are case-insensitive. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  /** The body: objects may have further attributes, arrays have no further items, `undefined` is absent. */
  readonly body?: BodyPattern<Id> | undefined
  /** The logical status: `error.code` of the reply, or 200. */
  readonly status?: number | AsymmetricPattern | undefined
}

/** One request of an order: an operation, or an operation with a pattern. */
export type OrderedRequest =
  | OperationName
  | { [Id in OperationName]: readonly [operation: Id, pattern?: RequestPattern<Id>] }[OperationName]

/** The result of an assertion: a promise for a client, otherwise `R`. */
export type Outcome<T, R = void> = T extends {
  readonly journal: { entries(...filter: never[]): Promise<unknown> }
}
  ? Promise<void>
  : R

/**
 * The assertions that the matchers add to `expect`, each giving `R`.
 *
 * @example
 * declare module 'my-test-runner' {
 *   interface Assertions extends UnderstudyMatchers {}
 * }
 */
export interface UnderstudyMatchers<R = void> {
  /**
   * Expects that a request of the operation matches the pattern.
   *
   * @example
   * expect(understudy).toHaveReceived('updateBackfill', { body: { backfill: { status: 'cancelled' } } })
   */
  toHaveReceived<Id extends OperationName>(operation: Id, pattern?: RequestPattern<Id>): R
  /**
   * Expects that exactly the given number of requests of an operation match the pattern.
   *
   * @example
   * expect(understudy).toHaveReceivedTimes('createBlock', 2)
   */
  toHaveReceivedTimes<Id extends OperationName>(operation: Id, times: number, pattern?: RequestPattern<Id>): R
  /**
   * Expects the requests in this order, with any others between them.
   *
   * @example
   * expect(understudy).toHaveReceivedInOrder(['createPipeline', ['createBlock', { body: { block: { name: 'load' } } }]])
   */
  toHaveReceivedInOrder(requests: readonly OrderedRequest[]): R
  /**
   * Expects that every request reached an operation; preflights do not count.
   *
   * @example
   * afterEach(() => expect(understudy).toHaveNoUnexpectedRequests())
   */
  toHaveNoUnexpectedRequests(): R
  /**
   * Expects that the client that sent the requests does nothing wrong, such as using a member of a reply that is an error.
   *
   * @example
   * afterEach(() => expect(understudy).toHaveNoClientIssues())
   */
  toHaveNoClientIssues(): R
  /**
   * Expects changes of the state since the start, or since a snapshot; without an argument, any change.
   *
   * @example
   * expect(understudy).toHaveChanged({ backfills: { created: 1 } })
   */
  toHaveChanged(expected?: ExpectedDifference, from?: DifferenceFrom): R
}

/** The value of `this` in a matcher of vitest and jest. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined
  readonly utils: {
    diff(expected: unknown, received: unknown): string | null | undefined
    printExpected(value: unknown): string
    printReceived(value: unknown): string
    matcherHint(name: string, received?: string, expected?: string, options?: { isNot?: boolean }): string
  }
}

/** The result of a matcher of vitest and jest. */
export interface MatcherResult {
  readonly pass: boolean
  message(): string
}
