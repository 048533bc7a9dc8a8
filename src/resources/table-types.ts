import type * as z from 'zod/mini'
import type { ResourceTable } from './index.ts'
import type { DerivedOf } from './presenters.ts'
import type { Plural } from './records.ts'

type OperationOf<P extends Plural> = ResourceTable[P]['operations'][number]
/** The known names of an object that may have others; for a union, those of any member. */
export type NameWithin<Held> = Held extends unknown
  ? keyof { [Name in keyof Held as string extends Name ? never : Name]: true } & string
  : never

/** The singular of a resource. */
export type Singular = ResourceTable[Plural]['singular']
export type SingularOf<P extends Plural> = ResourceTable[P]['singular']
/** The id of an operation of the API, such as `updateBackfill`. */
export type OperationId = OperationOf<Plural>['id']
/**
 * The operations of custom resources. Add members to make their ids known.
 *
 * @example
 * declare module 'pipeline-understudy' {
 *   interface CustomOperations { listProjects: true }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to
export interface CustomOperations {}
/** The id of an operation: of the API, or of a custom resource. */
export type OperationName = OperationId | (keyof CustomOperations & string)
/** The ids of the operations of a resource. */
export type OperationIdOf<P extends Plural> = OperationOf<P>['id']
/** An operation, by its id. */
export type OperationBy<Id extends OperationId> = Extract<OperationOf<Plural>, { readonly id: Id }>
/** The plural of the resource that an operation belongs to. */
export type PluralOf<Id extends OperationId> = OperationBy<Id>['plural']

/** The types in a column of a row, or the default if the row does not have the column. */
type Column<Row, Name extends string, Default = never> = Row extends { readonly [N in Name]: infer Value }
  ? Value
  : Default

/** Attributes that a request of an operation may write. */
export type WrittenBy<Id extends OperationId> =
  Column<OperationBy<Id>, 'writes', z.ZodMiniObject> extends infer Policy extends z.ZodMiniObject
    ? z.input<Policy>
    : never
/** The attributes that some request of a resource writes. */
export type WrittenOf<P extends Plural> = {
  [Id in OperationIdOf<P>]: NameWithin<WrittenBy<Id>>
}[OperationIdOf<P>]

/** The attributes that a resource's replies contain by default. */
export type PresentedUsually<P extends Plural> = ResourceTable[P]['presents'][number]
/** The attributes that the reply of an operation contains. */
export type PresentedBy<Id extends OperationId> = Column<
  OperationBy<Id>,
  'presents',
  ResourceTable[PluralOf<Id>]['presents']
>[number]
/** The attributes of all replies of a resource. */
export type PresentedOf<P extends Plural> =
  | PresentedUsually<P>
  | DerivedNameOf<P>
  | Column<OperationOf<P>, 'presents', readonly never[]>[number]

/** The query parameters of operations. */
type ParameterOf<O> =
  Column<O, 'parameters', readonly never[]> extends readonly (infer Parameter extends {
    readonly name: string
  })[]
    ? Parameter
    : never
/** The names of the query parameters of the operations of a resource. */
export type ParametersOf<P extends Plural> = ParameterOf<OperationOf<P>>['name']
export type ParametersBy<Id extends OperationId> = ParameterOf<OperationBy<Id>>['name']
/** The attributes that query parameters of an operation add to its reply. */
export type AddedBy<Id extends OperationId> =
  ParameterOf<OperationBy<Id>> extends infer Parameter
    ? Parameter extends { adds: { attributes: readonly (infer Added extends string)[] } }
      ? Added
      : never
    : never

/** The derived attributes of a resource. */
export type DerivedNameOf<P extends Plural> = keyof DerivedOf<P> & string
/** Schema of a derived attribute, or the plural of the records that it lists. */
export type SchemaOfDerived<P extends Plural, A> =
  DerivedOf<P> extends { readonly [Name in A & string]: { readonly is: infer Is } } ? Is : never
