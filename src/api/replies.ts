import type * as z from 'zod/mini'
import type { AttributeOf, Opened, OpenOf, Plural, SchemaOf } from '../resources/records.ts'
import type {
  AddedBy,
  DerivedNameOf,
  OperationBy,
  OperationId,
  PluralOf,
  PresentedBy,
  PresentedUsually,
  SchemaOfDerived,
  SingularOf,
  WrittenBy,
} from '../resources/table-types.ts'
import type { ErrorMembers, ListMetadata } from '../shared/http.ts'

/** Value of an attribute in a reply: the stored value, a computed one, or records of another resource. */
type PresentedValue<P extends Plural, A> = Opened<P, A, ClosedValue<P, A>>

/** The same, with the values of the mock. A real server may have others where the specification leaves them open. */
type ClosedValue<P extends Plural, A> =
  A extends DerivedNameOf<P>
    ? SchemaOfDerived<P, A> extends { listOf: infer Listed extends Plural }
      ? RecordInside<Listed>[]
      : SchemaOfDerived<P, A> extends z.core.$ZodType
        ? z.output<SchemaOfDerived<P, A>>
        : never
    : A extends AttributeOf<P>
      ? z.output<SchemaOf<P>>[A]
      : never

/** Record nested in another record's reply. */
type RecordInside<P extends Plural> = Flat<{ [A in PresentedUsually<P>]: PresentedValue<P, A> }>

type Flat<Value> = { [Key in keyof Value]: Value[Key] }

/**
 * The record in the reply of an operation; of a list, one of its items.
 *
 * @example
 * type Created = OperationRecord<'createBlock'>
 */
export type OperationRecord<Id extends OperationId> = Flat<
  { [A in PresentedBy<Id>]: PresentedValue<PluralOf<Id>, A> } & {
    [A in AddedBy<Id>]?: PresentedValue<PluralOf<Id>, A>
  }
>

/**
 * Body of a successful reply: the record under its singular name, or a list under the plural with its
 * metadata (spec, conventions, rule 3).
 *
 * @example
 * const { backfills, metadata }: OperationReply<'listBackfills'> = await response.json()
 */
export type OperationReply<Id extends OperationId> = OperationBy<Id>['action'] extends 'list'
  ? ListEnvelope<
      PluralOf<Id>,
      OperationRecord<Id>,
      OperationBy<Id> extends { metadata: 'empty' } ? Record<string, never> : ListMetadata
    >
  : { [Singular in SingularOf<PluralOf<Id>>]: OperationRecord<Id> }

/**
 * Body of a request: the attributes to write under the singular name of the resource, and an API key. A
 * trigger takes any object. Operations without a body take nothing.
 *
 * @example
 * const body: OperationBody<'updateBackfill'> = { backfill: { status: 'initial' } }
 */
export type OperationBody<Id extends OperationId> =
  OperationBy<Id> extends { body: 'free-form' }
    ? Record<string, unknown>
    : string extends keyof WrittenBy<Id>
      ? never
      : { [Singular in SingularOf<PluralOf<Id>>]: WrittenTo<PluralOf<Id>, WrittenBy<Id>> } & {
          api_key?: string
        }

type WrittenTo<P extends Plural, Written> = {
  [Name in keyof Written]: Name extends OpenOf<P> ? Opened<P, Name, Written[Name]> : Written[Name]
}

/** A page of records under a plural name, with its metadata. */
export type ListEnvelope<Name extends string, Item, Metadata = ListMetadata> = {
  [Key in Name]: Item[]
} & { metadata: Metadata }

/** Body of every failed reply. The HTTP status is still 200. */
export interface ErrorEnvelope {
  error: { -readonly [Name in keyof ErrorMembers]: ErrorMembers[Name] }
  status: 200
}
