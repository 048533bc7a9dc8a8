import type * as z from 'zod/mini'
import type { ResourceTable } from './index.ts'
import type { Plural } from './records.ts'

/** The types that a row of the table carries. */
type TypesOf<Row> = Row extends { readonly typed?: infer Types } ? NonNullable<Types> : never
type OperationOf<P extends Plural> = ResourceTable[P]['operations'][number]
/** The names that an object is known to have, where it may have others; of a union, those that one of its members has. */
export type NameWithin<Held> = Held extends unknown
  ? keyof { [Name in keyof Held as string extends Name ? never : Name]: true } & string
  : never

/** The singular of a resource. */
export type Singular = ResourceTable[Plural]['singular']
export type SingularOf<P extends Plural> = ResourceTable[P]['singular']
/** The id of an operation of the API, such as `updateBackfill`. */
export type OperationId = OperationOf<Plural>['id']
/**
 * The operations of resources that your fixtures add, to have their ids known where an operation is named.
 *
 * @example
 * declare module 'pipeline-understudy' {
 *   interface CustomOperations { listProjects: true }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to
export interface CustomOperations {}
/** The id of an operation that can be reached: of the API, or of a resource that a fixture added. */
export type OperationName = OperationId | (keyof CustomOperations & string)
/** The ids of the operations of a resource. */
export type OperationIdOf<P extends Plural> = OperationOf<P>['id']
/** An operation, by its id. */
export type OperationBy<Id extends OperationId> = Extract<OperationOf<Plural>, { readonly id: Id }>
/** The plural of the resource that an operation belongs to. */
export type PluralOf<Id extends OperationId> = {
  [P in Plural]: Id extends OperationIdOf<P> ? P : never
}[Plural]

/** What a request of an operation may write. */
export type WrittenBy<Id extends OperationId> =
  TypesOf<OperationBy<Id>> extends { writes: infer Policy extends z.ZodMiniObject } ? z.input<Policy> : never
/** What the body of an operation holds: the record under its singular name, or any object. */
export type BodyOf<Id extends OperationId> = TypesOf<OperationBy<Id>>['body']
/** What stands beside the records of a list. */
export type MetadataOf<Id extends OperationId> = TypesOf<OperationBy<Id>>['metadata']
/** The attributes that some request of a resource writes. */
export type WrittenOf<P extends Plural> = {
  [Id in OperationIdOf<P>]: NameWithin<WrittenBy<Id>>
}[OperationIdOf<P>]

/** The attributes that some reply of a resource carries. */
export type PresentedOf<P extends Plural> =
  | (TypesOf<ResourceTable[P]>['presents'][number] & string)
  | DerivedOfTable<P>
  | (TypesOf<OperationOf<P>>['presents'][number] & string)
/** The attributes that the reply of an operation carries, or a record inside another one's reply. */
export type PresentedBy<P extends Plural, Id extends OperationId = never> = [Id] extends [never]
  ? TypesOf<ResourceTable[P]>['presents'][number] & string
  : TypesOf<OperationBy<Id>>['presents'] extends readonly []
    ? TypesOf<ResourceTable[P]>['presents'][number] & string
    : TypesOf<OperationBy<Id>>['presents'][number] & string
/** The names of the query parameters that operations of a resource take, and those of one. */
export type ParametersOf<P extends Plural> = TypesOf<OperationOf<P>>['parameters'][number]['name']
export type ParametersBy<Id extends OperationId> = TypesOf<OperationBy<Id>>['parameters'][number]['name']
/** The attributes that query parameters of an operation add to its reply. */
export type AddedBy<Id extends OperationId> =
  TypesOf<OperationBy<Id>> extends { parameters: infer Parameters }
    ? Parameters extends readonly (infer Parameter)[]
      ? Parameter extends { adds: { attributes: readonly (infer Added extends string)[] } }
        ? Added
        : never
      : never
    : never
/** What a derived attribute is: its schema, or the plural of the records it lists. */
export type SchemaOfDerived<P extends Plural, A> = TypesOf<ResourceTable[P]>['derived'] extends {
  readonly [Name in A & string]: { readonly is: infer Is }
}
  ? Is
  : never
/** The attributes of a resource that are presented and not stored. */
export type DerivedOfTable<P extends Plural> = keyof TypesOf<ResourceTable[P]>['derived'] & string

/** The names of a resource's traits. */
export type TraitName<P extends Plural> = keyof TypesOf<ResourceTable[P]>['traits'] & string

/** What users steer by hand, by name: the members that resources add to a world. */
export type ResourceControls = UnionToIntersection<
  { [P in Plural]: ControlsOf<TypesOf<ResourceTable[P]>['controls']> }[Plural]
>
type ControlsOf<Controls> = {
  readonly [Name in keyof Controls]: Controls[Name] extends (...given: never) => infer Control
    ? Control
    : never
}
type UnionToIntersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
