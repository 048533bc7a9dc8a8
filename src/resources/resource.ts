import type * as z from 'zod/mini'
import type { Switches } from '../assumptions/switches.ts'
import type { Section } from '../shared/sections.ts'
import type { Timestamp, TimestampFormat } from '../shared/timestamps.ts'
import type { Page, RecordModel, RecordOf, StoredPlural } from './records.ts'

/*
 * The columns of the table, each declared once. `Names` declares the names that a column may contain. Generic code reads
 * rows with any names. `defineResource` and `defineOperation` check a row against the names of its own resource.
 */

/** A stored record: wire names and JSON values. It is never modified in place. */
export type WireRecord = Readonly<Record<string, unknown>>

/** The names and values that the columns of a resource may contain. */
export interface Names {
  readonly plural: string
  readonly attribute: string
  /** Attributes that replies may contain: stored or computed. */
  readonly presentable: string
  readonly listed: ListedRecords
  readonly record: object
  readonly values: object
  readonly changes: object
}

/** The names of any resource. */
export interface AnyNames extends Names {
  readonly record: WireRecord
  readonly values: WireRecord
  readonly changes: WireRecord
}

/** The five actions of the specification's generic layout (conventions, rule 4). */
export type Action = 'create' | 'list' | 'detail' | 'update' | 'delete'

/**
 * Why an operation exists: `documented` (one of the 14 in the specification's summary), `convention` (follows from its
 * rules 4 to 6), or `custom` (a resource that a fixture added).
 */
export type OperationBasis = 'documented' | 'convention' | 'custom'

/** The attributes of a reply. */
export type Presented = readonly string[] | 'all'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A method and a path of an operation, with parameters written as `:name`. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly basis: OperationBasis
  /** Note on this route alone, if the notes of its resource have none (used by profiles). */
  readonly note?: string
}

/** A query parameter of an operation. */
export interface QueryParameter<N extends Names = AnyNames> {
  readonly name: string
  readonly type: 'integer' | 'boolean' | 'string'
  /** Description with a sample value, if the notes on its resource have none (used by profiles). */
  readonly description?: string
  readonly example?: string | number | boolean
  /** Selects the records whose attribute equals the parameter, or any of its repeated values. */
  readonly filter?: { readonly attribute: N['attribute']; readonly match: 'equal' | 'any' }
  /** Adds attributes to the reply when it has one of these values. */
  readonly adds?: { readonly attributes: readonly N['presentable'][]; readonly when: readonly string[] }
  /** The accepted values. Default: any value of its type. */
  readonly allowed?: readonly string[]
}

/**
 * Arguments of an action, with valid values only. `parent` and `record` are present if the path contains their keys.
 */
export interface ActionContext {
  readonly model: RecordModel
  readonly now: Timestamp
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly attributes: WireRecord
  readonly parent: WireRecord | undefined
  readonly record: WireRecord | undefined
  readonly user: WireRecord | undefined
  /** The credential of an `Authorization: Bearer` header. */
  readonly bearer: string | undefined
}

/** The result of an action: a page of records, one record, or a complete value that the presenter does not change. */
export type ActionResult = WireRecord | ListResult
/** The records of a page, and the total number of records. */
export interface ListResult {
  readonly page: readonly WireRecord[]
  readonly count: number
}

/** One operation: an action of a resource, its routes, and a column for each of its quirks. */
export interface Operation<N extends Names = AnyNames> {
  /** The plural of its resource. */
  readonly plural: N['plural']
  readonly id: string
  readonly action: Action
  /** The heading of the specification that describes it. Default: that of the conventions that it follows. */
  readonly section?: Section
  readonly routes: readonly Route[]
  readonly parameters?: readonly QueryParameter<N>[]
  /** Set if the body may be any JSON object. Default: the written attributes under the singular key. */
  readonly body?: 'free-form'
  /** The credentials that a request may need: `none` if the path contains its own. Default: both. */
  readonly credentials?: 'api-key' | 'none'
  /** Reports whether the credential in the path is valid, if `credentials` is `none`. */
  authorizePathToken?(context: Pick<ActionContext, 'model' | 'parameters' | 'bearer'>): boolean
  /** True if the action itself finds the records of its path. Default: the engine does. */
  readonly findsItself?: boolean
  /** The policy: the attributes that a client may write. Required ones are not optional in the schema. */
  readonly writes?: z.ZodMiniObject
  /** Maximum number of elements of a written list. The policy rejects a longer list before it validates the elements. */
  readonly most?: Readonly<Record<string, number>>
  /** Removes or changes written attributes before the action (used by profiles). */
  narrows?(attributes: WireRecord, context: ActionContext): WireRecord
  /** Returns an error that rejects the request before the action (used by profiles). */
  refuses?(context: ActionContext): Error | undefined
  /**
   * Returns an error that replaces the record in the reply although the action has run (used by profiles).
   */
  fails?(context: ActionContext): Error | undefined
  /** The presenter: the attributes of the reply. Default: the resource's `presents`. */
  readonly presents?: readonly N['presentable'][] | 'all'
  /** The timestamp format of the reply. Default `microseconds`. */
  readonly timestamps?: TimestampFormat
  /** Set if a list has empty metadata, or if a single record has no metadata, not even null (`single-metadata`). */
  readonly metadata?: 'empty' | 'none'
  /** True if the action signs a raw token: the engine loads the cryptography first. */
  readonly signsTokens?: boolean
  /** Runs the action. Default: the generic action of the engine. */
  run?(context: ActionContext): ActionResult
}

/** Presents another record inside a reply, as JSON. */
export type PresentRecord = <P extends StoredPlural>(plural: P, record: RecordOf<P>) => string

/** The nested records in another record's reply: those that refer to it by an attribute, oldest first. */
export interface ListedRecords {
  readonly listOf: string
  readonly by: string
  accepts?(record: WireRecord): boolean
}

/** An attribute of replies that records do not store. */
export interface DerivedAttribute<N extends Names = AnyNames> {
  /** The schema of the attribute, or the nested records. */
  readonly is: z.core.$ZodType | N['listed']
  /**
   * Computes its value, as JSON; `undefined` omits the attribute. Absent if nested records make the value, or the action returns
   * it with the record.
   */
  derive?(record: N['record'], model: RecordModel, present: PresentRecord): string | undefined
}
/** Computes the value of a derived attribute, as JSON. */
export type Derive = NonNullable<DerivedAttribute['derive']>

/** Data that a plan may use. */
export interface PlanContext {
  now(): Timestamp
  readonly switches: Switches
}

/** Data for completing a new record: its id, its creation time and the seed of generated values. */
export interface CompletionContext {
  readonly id: number
  readonly now: Timestamp
  readonly seed: number
}

/** User of a token, and its expiry time. */
export interface Authenticated {
  readonly user: WireRecord | undefined
  readonly expires: Timestamp
}

/** A named variation of a record: its initial values and its related records. */
export interface Trait<N extends Names = AnyNames> {
  readonly values?: N['values']
  after?(record: N['record'], model: RecordModel): void
}

/** An attribute that refers to the key of another resource. */
export interface Reference {
  readonly plural: string
  /** Effect on this record of deleting the referenced one. */
  readonly whenDeleted: 'delete' | 'clear'
  /** Maximum number of records that refer to one record, whose reply contains them all. */
  readonly most?: number
}

/** A record of a fixture and its position there. */
export interface FixtureEntry {
  readonly path: string
  readonly values: WireRecord
}

/** Accepted forms of a resource's records in a fixture. */
export interface FixtureForm<N extends Names = AnyNames> {
  /** The attribute of the owner that may contain nested records, in order. */
  readonly nested?: {
    readonly reference: N['attribute']
    readonly under: string
    /** Default values of a nested record by its position. */
    at(index: number): N['values']
  }
  /** Determines what one record implies for the others; rejects references to missing records. */
  link?(
    entries: readonly FixtureEntry[],
    refuse: (path: string, expected: string, found: unknown) => never,
  ): readonly FixtureEntry[]
}

/** Behavior of a resource, as functions of its records. */
export interface Behavior<N extends Names = AnyNames> {
  /** Fills in missing attributes without a constant default. */
  complete?(record: N['values'], context: CompletionContext): N['values']
  /** Returns the changes that follow from a write to a record. `previous` is absent if the record is new. */
  plan?(next: N['record'], previous: N['record'] | undefined, context: PlanContext): N['changes'] | undefined
  /** Scheduled event at the time in an attribute. */
  readonly due?: {
    readonly at: N['attribute']
    run(record: N['record'], model: RecordModel): void
    /** Returns the predicted changes to the record; `undefined` if there are none. */
    predicts(record: N['record'], model: RecordModel): N['changes'] | undefined
    /** Skips the events of a record until a time, if one request would apply too many of them. */
    skip?(record: N['record'], model: RecordModel, until: Timestamp): void
  }
  /** Returns the user of a decoded OAuth token, if records of this resource are credentials. */
  authenticates?(token: string, model: RecordModel): Authenticated | undefined
  /** Returns the past changes that a fixture's record implies. */
  impliesPast?(values: N['values'], now: Timestamp): N['values']
  /** Handles a counted read of a record; `shows` reports the returned attributes. */
  onRead?(record: N['record'], model: RecordModel, shows: (attribute: N['presentable']) => boolean): void
  /**
   * Returns default values of a factory, except keys and parents; `given` has the values of the user and the
   * traits.
   */
  factoryDefaults?(given: N['values'], model: RecordModel, number: number): N['values']
}

/** A resource of the API, as data. */
export interface Resource<N extends Names = AnyNames> extends Behavior<N> {
  readonly singular: string
  readonly plural: N['plural']
  /** The attribute that identifies a record in a path. */
  readonly key: N['attribute']
  /** True if the model stores its records. Default true. */
  readonly stored?: boolean
  /** The attribute with the name of a record for people. A factory generates one. */
  readonly displayName?: N['attribute']
  /** The attribute within whose value `key` is unique, if it is not unique by itself. */
  readonly scope?: N['attribute']
  /** The schema of a stored record, with its defaults. */
  readonly attributes: z.ZodMiniObject
  readonly references?: Readonly<Record<string, Reference>>
  /**
   * The attribute with the records in another record's reply; a write here changes that
   * reply.
   */
  readonly shownIn?: N['attribute']
  /** The order of lists. */
  readonly order?: { readonly by?: N['attribute']; readonly newestFirst?: boolean }
  /** The default attributes of replies; `all` if the records have no fixed attributes. */
  readonly presents: readonly N['presentable'][] | 'all'
  /**
   * Attributes of a nested record in another record's reply (used by profiles). Default: `presents`.
   */
  readonly presentsWithin?: Presented
  /** The attributes of replies that records do not store. */
  readonly derived?: Readonly<Record<string, DerivedAttribute<N>>>
  /** Formats of timestamps that differ from that of the operation (used by profiles). */
  readonly formats?: Readonly<Record<string, TimestampFormat>>
  /** The attribute with the time at which a record expires. Expiry writes nothing. */
  readonly expiresAt?: N['attribute']
  /** The attributes with credentials. Output for people hides them. */
  readonly secrets?: readonly N['attribute'][]
  /** The attribute that counts reads, or is null. */
  readonly counts?: N['attribute']
  /** Accepted forms of its records in a fixture. */
  readonly fixture?: FixtureForm<N>
  /** The attribute whose value a record of a factory shares with its parents. */
  readonly sharesWithParents?: N['attribute']
  readonly operations: readonly (Operation & { readonly plural: N['plural'] })[]
  /** The attributes with timestamps, from the schema. */
  readonly times: readonly string[]
}

/** The parameters `_limit` and `_offset` of most lists (spec, "Limits"). */
export const paging = [
  { name: '_limit', type: 'integer' },
  { name: '_offset', type: 'integer' },
] as const satisfies readonly QueryParameter[]

/** Returns the page that the validated `_limit` and `_offset` request. */
export function pageOf({ _limit, _offset }: { readonly _limit?: unknown; readonly _offset?: unknown }): Page {
  return { offset: Number(_offset ?? 0), limit: _limit === undefined ? undefined : Number(_limit) }
}

/** The accepted spellings of true (`force-values`, `run-count`). */
export const setValues = ['True', 'true', '1'] as const
/** The spellings of a boolean that is not set. */
export const unsetValues = ['False', 'false', '0', ''] as const
