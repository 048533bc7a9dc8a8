import type * as z from 'zod/mini'
import type { Switches } from '../assumptions/switches.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import type * as backfills from './backfill/schema.ts'
import type * as blocks from './block/schema.ts'
import type * as logs from './log/schema.ts'
import type * as oauth_access_tokens from './oauth-access-token/schema.ts'
import type * as pipelines from './pipeline/schema.ts'
import type * as pipeline_runs from './pipeline-run/schema.ts'
import type * as pipeline_schedules from './pipeline-schedule/schema.ts'
import type * as sessions from './session/schema.ts'
import type * as users from './user/schema.ts'

/**
 * The modules with the schemas and references of each resource, by plural. After an addition here, the compiler reports
 * where else to name the resource: in the table and in the notes.
 */
interface Schemas {
  users: typeof users
  oauth_access_tokens: typeof oauth_access_tokens
  sessions: typeof sessions
  pipelines: typeof pipelines
  blocks: typeof blocks
  pipeline_schedules: typeof pipeline_schedules
  backfills: typeof backfills
  pipeline_runs: typeof pipeline_runs
  logs: typeof logs
}

/** The plural of a resource, as paths and lists spell it. */
export type Plural = keyof Schemas
/** The plural of a resource with stored records. Sessions are not stored. */
export type StoredPlural = Exclude<Plural, 'sessions'>

/** The schema of a resource's records. */
export type SchemaOf<P extends Plural> = Schemas[P]['attributes']
/** A stored record; it is never modified in place. */
export type RecordOf<P extends Plural> = Readonly<z.output<SchemaOf<P>>>
/** Values of a new record; others get their defaults. */
export type ValuesOf<P extends Plural> = {
  readonly [A in keyof z.input<SchemaOf<P>>]?: z.input<SchemaOf<P>>[A] | undefined
}
/** Changes of a record. */
export type ChangesOf<P extends Plural> = { readonly [A in AttributeOf<P>]?: RecordOf<P>[A] | undefined }
/** Given object without unknown names, which the compiler accepts where an object is spread. */
export type Exactly<Name extends string, Given> = Given & {
  readonly [Each in keyof Given]: Each extends Name ? unknown : { readonly unknownName: Each }
}
/** The name of an attribute. */
export type AttributeOf<P extends Plural> = keyof z.output<SchemaOf<P>> & string
/** The attributes that refer to the key of another resource. */
export type ReferencesOf<P extends Plural> = Schemas[P] extends { references: infer References }
  ? References
  : Readonly<Record<never, never>>

/** Attributes for which the specification shows values without excluding others. */
export type OpenOf<P extends Plural> = Schemas[P] extends { open: readonly (infer Name)[] } ? Name : never
/** The attributes that requests write and records do not store. */
export type WriteOnlyOf<P extends Plural> = Schemas[P] extends { writeOnly: readonly (infer Name)[] }
  ? Name
  : never
/** The columns of a resource that its schema module exports. */
export type SchemaColumns<P extends Plural> = Pick<
  Schemas[P],
  keyof Schemas[P] & ('attributes' | 'references')
>

/** The resources whose records refer to those of another by an attribute. */
export type ReferringTo<P extends Plural, Name extends string> = {
  [Other in StoredPlural]: ReferencesOf<Other> extends { readonly [A in Name]: { readonly plural: P } }
    ? Other
    : never
}[StoredPlural]

/** The values of an attribute, and any other text if the specification leaves them open. */
export type Opened<P extends Plural, Name, Value> = Name extends OpenOf<P> ? Value | (string & {}) : Value

/** The resources whose records a fixture may nest in those of this one, and the attribute that contains them. */
export type NestedIn<P extends Plural> = {
  [Inner in StoredPlural]: Schemas[Inner] extends {
    nests: { reference: infer Reference extends keyof ReferencesOf<Inner>; under: infer Under extends string }
  }
    ? ReferencesOf<Inner>[Reference] extends { plural: P }
      ? { readonly plural: Inner; readonly under: Under }
      : never
    : never
}[StoredPlural]

/** A stored run, which several resources act on. */
export type StoredRun = RecordOf<'pipeline_runs'>

/** Start and maximum length of a page. */
export interface Page {
  readonly offset: number
  readonly limit: number | undefined
}

/** The records of one resource, as resources read and write them. */
export interface RecordTable<P extends StoredPlural> {
  /** Name and key of the resource in messages. */
  readonly resource: { readonly singular: string; readonly key: string }
  /** Returns the id of the next record. */
  readonly nextId: number
  /** Returns the record of a key. A key that is unique only within the parent has the form `parent/key`. */
  get(key: string): RecordOf<P> | undefined
  /** Every record, in the order of the rows. */
  records(): RecordOf<P>[]
  /** Returns the records with a value of an attribute, oldest first. */
  where<A extends AttributeOf<P>>(attribute: A, value: RecordOf<P>[A]): RecordOf<P>[]
  /** Returns the newest record with a value of an attribute. */
  last<A extends AttributeOf<P>>(attribute: A, value: RecordOf<P>[A]): RecordOf<P> | undefined
  countWhere<A extends AttributeOf<P>>(attribute: A, value: RecordOf<P>[A]): number
  /** Returns the matching records, in the order of the resource's lists, and the total number of stored ones. */
  list<A extends AttributeOf<P>>(
    attribute: A,
    value: RecordOf<P>[A],
    page: Page,
    accepts?: (record: RecordOf<P>) => boolean,
  ): { readonly page: RecordOf<P>[]; readonly count: number }
  /** Adds a record, with defaults for missing attributes. */
  insert<Given extends ValuesOf<P>>(values: Exactly<AttributeOf<P>, Given>): RecordOf<P>
  /** Replaces a record by a changed one. */
  change<Given extends ChangesOf<P>>(
    record: RecordOf<P>,
    changes: Exactly<AttributeOf<P>, Given>,
  ): RecordOf<P>
  /** Removes a record, and the records that require it. */
  remove(record: RecordOf<P>): RecordOf<P>
}

/** Number of records, by plural, with more due events than one step of the clock applies. */
export type LeftOut = Readonly<Record<string, number>>

/** The model, as resources use it: a table of records for each, by plural. */
export interface RecordModel {
  readonly seed: number
  readonly switches: Switches
  table<P extends StoredPlural>(plural: P): RecordTable<P>
  /** The present time. */
  now(): Timestamp
  /** Applies all events that are due by now. */
  applyDueEvents(): LeftOut
  /** Reports whether one step of the clock may create a number of further records, and counts them. */
  mayCreate(count: number): boolean
  /** Signs the payload of a token as a raw token. */
  signToken(payload: { token: string; expires: number }): string
}
