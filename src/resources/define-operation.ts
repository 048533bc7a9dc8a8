import type * as z from 'zod/mini'
import type { Timestamp, TimestampFormat } from '../shared/timestamps.ts'
import type { AttributeOf, Plural, RecordModel, RecordOf, ReferencesOf } from './records.ts'
import type {
  Action,
  ActionContext,
  ListResult,
  Operation,
  QueryParameter,
  Route,
  WireRecord,
} from './resource.ts'

/** The names of the parameters in a path: `uuid` of `/api/pipelines/:uuid`. */
export type PathParameter<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** The record that a path nests under, as its references say; `undefined` where it stands under none. */
type ParentAt<P extends Plural, Path extends string> = [PathParameter<Path> & keyof ReferencesOf<P>] extends [
  never,
]
  ? undefined
  : ReferencesOf<P>[PathParameter<Path> & keyof ReferencesOf<P>] extends {
        plural: infer Parent extends Plural
      }
    ? RecordOf<Parent>
    : undefined
type ParentOf<P extends Plural, R extends Route> = R extends { path: infer Path extends string }
  ? ParentAt<P, Path>
  : never

/** A query parameter as a resource writes it. */
export type QueryParameterOf<P extends Plural, Derived extends string = never> = Omit<
  QueryParameter<AttributeOf<P>, AttributeOf<P> | Derived>,
  'filter'
> & { readonly filter?: FilterOf<P> }
/** What a list is filtered by: an attribute that equals a value, or one that holds it. */
type FilterOf<P extends Plural> = {
  [A in AttributeOf<P>]: RecordOf<P>[A] extends readonly unknown[]
    ? { readonly attribute: A; readonly match: 'any' }
    : RecordOf<P>[A] extends string | number | boolean | null
      ? { readonly attribute: A; readonly match: 'equal' | 'any' }
      : never
}[AttributeOf<P>]

type QueryOf<Parameter> = {
  readonly [Each in Parameter as Each extends { name: infer Name extends string }
    ? Name
    : never]?: Each extends {
    filter: { match: 'any' }
  }
    ? readonly string[]
    : string
}

/** What an action is given, typed by its operation. */
export interface TypedContext<P extends Plural, A extends Action, R extends Route, Query, Written, Finds> {
  readonly model: RecordModel
  readonly now: Timestamp
  readonly parameters: { readonly [Name in PathParameter<R['path']>]?: string }
  readonly query: Query
  readonly attributes: Written
  readonly parent: Finds extends true ? undefined : ParentOf<P, R>
  readonly record: Finds extends true ? undefined : A extends 'create' | 'list' ? undefined : RecordOf<P>
  readonly user: RecordOf<'users'> | undefined
  readonly bearer: string | undefined
}

/** What tells whether the credential in a path is good. */
export type AdmittedAt<Path extends string> = Pick<ActionContext, 'model' | 'bearer'> & {
  readonly parameters: { readonly [Name in PathParameter<Path>]?: string }
}

type ResultOf<P extends Plural, A extends Action> = A extends 'list' ? ListResult : RecordOf<P>

/** An operation as a resource writes it: names of attributes, parameters and parents are checked. */
interface OperationDefinition<
  P extends Plural,
  Derived extends string,
  Id extends string,
  A extends Action,
  Routes extends readonly Route[],
  Parameters extends readonly QueryParameterOf<P, Derived>[],
  Policy extends z.ZodMiniObject,
  Presents extends readonly (AttributeOf<P> | Derived)[],
  Body extends NonNullable<Operation['body']>,
  Finds extends boolean,
  Format extends TimestampFormat,
  Metadata extends NonNullable<Operation['metadata']>,
> extends Omit<Operation, 'admits' | 'most' | 'run' | 'narrows' | 'refuses' | 'fails'> {
  readonly id: Id
  readonly action: A
  readonly routes: Routes
  readonly parameters?: Parameters
  readonly writes?: Policy
  readonly most?: { readonly [A in keyof z.input<Policy>]?: number }
  admits?(context: AdmittedAt<Routes[number]['path']>): boolean
  readonly presents?: Presents
  readonly body?: Body
  readonly findsItself?: Finds
  readonly signsTokens?: boolean
  readonly timestamps?: Format
  readonly metadata?: Metadata
  run?(
    context: TypedContext<
      P,
      A,
      Routes[number],
      QueryOf<Parameters[number]>,
      Body extends 'free-form' ? WireRecord : z.output<Policy>,
      Finds
    >,
  ): ResultOf<P, A>
}

/**
 * Begins the operations of a resource: what it gives defines one, its columns checked against the resource's records.
 * `Derived` are the attributes that are presented and not stored, `Written` those that are written and not stored.
 *
 * @example
 * const operation = operationsOf<'backfills', 'total_run_count'>()
 * const readBackfill = operation({ id: 'readBackfill', action: 'detail', … })
 */
export function operationsOf<
  P extends Plural,
  Derived extends string = never,
  Written extends string = never,
>() {
  return <
    const Id extends string,
    const A extends Action,
    const Routes extends readonly Route[],
    const Parameters extends readonly QueryParameterOf<P, Derived>[] = readonly [],
    Policy extends z.ZodMiniObject = NoPolicy,
    const Presents extends readonly (AttributeOf<P> | Derived)[] = readonly [],
    const Body extends NonNullable<Operation['body']> = 'record',
    const Finds extends boolean = false,
    const Format extends TimestampFormat = 'microseconds',
    const Metadata extends NonNullable<Operation['metadata']> = 'page',
  >(
    definition: Unwritable<Policy, P, Written> &
      OperationDefinition<
        P,
        Derived,
        Id,
        A,
        Routes,
        Parameters,
        Policy,
        Presents,
        Body,
        Finds,
        Format,
        Metadata
      >,
  ) =>
    // The table holds operations of every record type; the engine gives each only contexts it has built for it.
    definition as unknown as Operation &
      TypedOperation<
        P,
        Id,
        A,
        Parameters,
        Policy,
        Presents,
        Body,
        Metadata,
        Derived,
        Finds extends true ? never : PathParameter<Routes[number]['path']>
      >
}

/** Refuses a policy that takes an attribute which the resource does not have, or a value which that cannot hold. */
type Unwritable<
  Policy extends z.ZodMiniObject,
  P extends Plural,
  Written extends string,
> = string extends keyof z.input<Policy>
  ? unknown
  : [Unfitting<P, Written, z.output<Policy>>] extends [never]
    ? unknown
    : { readonly writes: { readonly unfittingAttribute: Unfitting<P, Written, z.output<Policy>> } }
type Unfitting<P extends Plural, Written extends string, Taken> = {
  [A in keyof Taken]-?: A extends AttributeOf<P>
    ? Taken[A] extends RecordOf<P>[A] | undefined
      ? never
      : A
    : Exclude<A, Written>
}[keyof Taken]

/** The policy of an operation that writes nothing. */
type NoPolicy = z.ZodMiniObject<Record<never, never>>

/** What of an operation is known by its type, from which the types of requests and replies are derived. */
export interface TypedOperation<
  P extends Plural,
  Id extends string,
  A extends Action,
  Parameters,
  Policy,
  Presents,
  Body,
  Metadata,
  Derived,
  InPath,
> {
  readonly id: Id
  readonly action: A
  /** The plural of its resource, as a type alone. */
  readonly plural?: P
  /** Never there: it carries types. */
  readonly typed?: {
    parameters: Parameters
    writes: Policy
    presents: Presents
    body: Body
    metadata: Metadata
    derived: Derived
    inPath: InPath
  }
}
