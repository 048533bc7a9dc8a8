import type * as z from 'zod/mini'
import type { AssumptionId } from '../assumptions/index.ts'
import type { AttributeOf, Plural, RecordOf } from './records.ts'
import type { Method, paging } from './resource.ts'
import type {
  NameWithin,
  OperationIdOf,
  ParametersOf,
  PresentedOf,
  SchemaOfDerived,
  WrittenBy,
  WrittenOf,
} from './table-types.ts'

/** Description of an attribute, with an example value. */
export type Note = readonly [says: string, example?: unknown]

type RouteNotes = { readonly [M in Method]?: string }

/** Documentation of a resource, as generic code reads it. The engine does not use it. */
export interface ResourceNotes {
  /** The name of the tag. */
  readonly title: string
  readonly description: string
  /**
   * Notes on the stored, presented and written attributes; nested ones are `outer.inner` and `outer[].inner`.
   */
  readonly attributes: Readonly<Record<string, Note | undefined>>
  /** Title of each operation. */
  readonly operations?: Readonly<Record<string, string | undefined>>
  /** Note on a single route, by operation and method, such as that only a sample shows it. */
  readonly routes?: Readonly<Record<string, RouteNotes | undefined>>
  /** Note on each query parameter of its operations, except for those of all lists. */
  readonly parameters?: Readonly<Record<string, Note>>
  /** Assumptions of each operation where the specification is silent (`src/assumptions`). */
  readonly assumptions?: Readonly<Record<string, readonly AssumptionId[] | undefined>>
  /** Example of the attributes that a request writes, by operation. */
  readonly requests?: Readonly<Record<string, object | undefined>>
  /** Differences between the example of a reply and those of the attributes, by operation. */
  readonly replies?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

/** Attributes that a request may write, or any object if its operation has no policy. */
type Example<Written> = string extends keyof Written ? object : Partial<Written>

/** The query parameters of all lists. */
export type CommonParameter = (typeof paging)[number]['name']
/** The other query parameters of the operations of a resource. */
type ParameterOf<P extends Plural> = Exclude<ParametersOf<P>, CommonParameter>

/** Value of an attribute, stored or computed. */
type HeldBy<P extends Plural, A> =
  A extends AttributeOf<P>
    ? RecordOf<P>[A]
    : SchemaOfDerived<P, A> extends infer Schema extends z.ZodMiniType
      ? z.output<Schema>
      : never
/** The paths inside an attribute. */
type PathWithin<Path extends string, Held> = Held extends readonly (infer Element)[]
  ? Element extends object
    ? `${Path}[].${NameWithin<Element>}`
    : never
  : Held extends object
    ? `${Path}.${NameWithin<Held>}`
    : never
type NestedOf<P extends Plural> = {
  [A in PresentedOf<P> | AttributeOf<P>]: PathWithin<A, HeldBy<P, A>>
}[PresentedOf<P> | AttributeOf<P>]

/** The notes on a resource: one for each attribute that it stores or presents. */
export interface NotesOf<P extends Plural> extends Pick<ResourceNotes, 'title' | 'description'> {
  readonly attributes: { readonly [A in PresentedOf<P> | AttributeOf<P>]: Note } & {
    readonly [A in Exclude<WrittenOf<P>, PresentedOf<P> | AttributeOf<P>>]?: Note
  } & { readonly [Nested in NestedOf<P>]?: Note }
  readonly parameters?: { readonly [Name in ParameterOf<P>]: Note } & {
    readonly [Name in CommonParameter]?: Note
  }
  readonly operations?: { readonly [Id in OperationIdOf<P>]: string }
  readonly routes?: { readonly [Id in OperationIdOf<P>]?: RouteNotes }
  readonly assumptions?: { readonly [Id in OperationIdOf<P>]?: readonly AssumptionId[] }
  readonly requests?: {
    readonly [Id in OperationIdOf<P>]?: Example<WrittenBy<Id>>
  }
  readonly replies?: {
    readonly [Id in OperationIdOf<P>]?: { readonly [A in PresentedOf<P>]?: unknown }
  }
}
