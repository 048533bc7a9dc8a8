import { timesIn } from './attributes.ts'
import type { Checked, Flaw, PathParameter } from './define-operation.ts'
import type { StoredNames } from './names.ts'
import type { DerivedColumn, NamesOf } from './presenters.ts'
import type { AttributeOf, Plural, ReferencesOf, SchemaColumns, StoredPlural } from './records.ts'
import type { Behavior, Names, Reference, Resource } from './resource.ts'

/** The data columns of a resource, except for those that follow from others. */
type Columns<N extends Names> = Omit<Resource<N>, keyof Behavior | 'plural' | 'times'>
/** The columns of a resource; its schema, references and derived attributes are those that its modules export. */
interface KnownColumns<P extends Plural> extends Columns<StoredNames<P>> {
  readonly presents: readonly NamesOf<P>['presentable'][] | 'all'
  readonly references?: {
    readonly [A in keyof ReferencesOf<P>]: A extends AttributeOf<P>
      ? Reference & { readonly plural: StoredPlural }
      : never
  }
}
/** The columns that a resource must have, as its modules export them. */
type Exported<P extends Plural> = SchemaColumns<P> &
  DerivedColumn<P> &
  (P extends StoredPlural ? { readonly stored?: true } : { readonly stored: false })

/** The parameters that paths of a resource may have: its key, and the records it refers to. */
type NamedInPath<P extends Plural, R> = R extends {
  singular: infer Singular extends string
  key: infer Key extends string
}
  ? Key | `${Singular}_${Key}` | keyof ReferencesOf<P>
  : never
type NamedBy<O> = O extends { findsItself: true }
  ? never
  : O extends { routes: readonly { path: infer Path extends string }[] }
    ? PathParameter<Path>
    : never

/** The unknown names in the columns of a resource that depend on others. */
interface UnknownIn<P extends Plural, R> {
  operations: R extends { operations: readonly (infer O)[] } ? Exclude<NamedBy<O>, NamedInPath<P, R>> : never
}
/** Rejects unknown names in the results of functions, which TypeScript accepts. */
type CheckedReturns<P extends Plural, B> = {
  readonly [Name in keyof B]: Name extends 'authenticates'
    ? unknown
    : Flaw<UnknownMade<P, B[Name] extends { predicts: infer Predicts } ? Predicts : B[Name]>, unknown>
}
type UnknownMade<P extends Plural, Making> = Making extends (...given: never) => infer Made
  ? Made extends object
    ? Exclude<keyof Made, AttributeOf<P>>
    : never
  : never

/**
 * Defines a resource as data, the source of routes, model, adapters and the OpenAPI document. TypeScript checks its columns
 * against its schema in `records.ts`.
 *
 * @example
 * const user = defineResource('users', { singular: 'user', key: 'id', attributes, presents: ['id'], operations: [] })
 */
export function defineResource<
  P extends Plural,
  const R extends Columns<Names>,
  B extends Behavior<NamesOf<P>> = Behavior<NamesOf<P>>,
>(
  plural: P,
  row: R & Checked<R, KnownColumns<P>, UnknownIn<P, R>> & Exported<P>,
  behavior?: B & CheckedReturns<P, B>,
): R & { readonly plural: P; readonly times: readonly string[] } {
  return { ...behavior, ...row, plural, times: timesIn(row.attributes) }
}
