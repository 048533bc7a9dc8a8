import type * as z from 'zod/mini'
import type { Timestamp } from '../shared/timestamps.ts'
import type { NamesOf } from './presenters.ts'
import type { AttributeOf, Plural, RecordOf, ReferencesOf, WriteOnlyOf } from './records.ts'
import type { ActionContext, ListResult, Names, Operation, WireRecord } from './resource.ts'

/** The names of the parameters in a path: `uuid` of `/api/pipelines/:uuid`. */
export type PathParameter<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** The columns of an operation, except for its action and the additions of a profile. */
type OperationColumns<N extends Names> = Omit<
  Operation<N>,
  'plural' | 'run' | 'narrows' | 'refuses' | 'fails'
>
type PathOf<C> = C extends { routes: readonly { path: infer Path extends string }[] } ? Path : never
type PolicyOf<C> = C extends { writes: infer Policy extends z.ZodMiniObject }
  ? z.output<Policy>
  : NoAttributes
type NoAttributes = Readonly<Record<never, never>>

/** Credentials of a path, which `authorizePathToken` checks. */
export type PathTokenContext<Path extends string> = Pick<ActionContext, 'model' | 'bearer'> & {
  readonly parameters: { readonly [Name in PathParameter<Path>]?: string }
}

/** The context of an action, typed by the columns of its operation. */
interface ContextOf<P extends Plural, C> extends PathTokenContext<PathOf<C>> {
  readonly now: Timestamp
  readonly query: QueryOf<C>
  readonly attributes: C extends { body: 'free-form' } ? WireRecord : PolicyOf<C>
  readonly parent: C extends { findsItself: true } ? undefined : ParentAt<P, PathOf<C>>
  readonly record: C extends { findsItself: true } | { action: 'create' | 'list' } ? undefined : RecordOf<P>
  readonly user: RecordOf<'users'> | undefined
}
type QueryOf<C> = C extends { parameters: readonly (infer Parameter extends { name: string })[] }
  ? {
      readonly [Each in Parameter as Each['name']]?: Each extends { filter: { match: 'any' } }
        ? readonly string[]
        : string
    }
  : NoAttributes
/** The parent record of a path, by the reference in it; `undefined` if it contains none. */
type ParentAt<P extends Plural, Path extends string> = Path extends unknown
  ? ReferencesOf<P>[PathParameter<Path> & keyof ReferencesOf<P>] extends {
      plural: infer Parent extends Plural
    }
    ? RecordOf<Parent>
    : undefined
  : never

/**
 * Rejects unknown columns, and names and values that a column does not accept. With a constraint instead,
 * TypeScript would lose the type of the row after one error and report hundreds of subsequent errors.
 */
export type Checked<Row, Columns, UnknownNames> = {
  readonly [Column in keyof Row]: Column extends keyof Columns
    ? Row[Column] extends Columns[Column]
      ? Flaw<Column extends keyof UnknownNames ? UnknownNames[Column] : never, unknown>
      : Flaw<UnknownName<Row[Column], Columns[Column]>, { readonly expected: Columns[Column] }>
    : { readonly unknownColumn: Column }
}
/** The unknown names, or the type that a column without names must have. */
export type Flaw<Name, Otherwise> = [Name] extends [never] ? Otherwise : { readonly unknownName: Name }
type UnknownName<Value, Column> = Value extends string
  ? Value
  : Value extends readonly (infer Name extends string)[]
    ? Exclude<Name, Column extends readonly (infer Known)[] ? Known : never>
    : never

/** The unknown names in the columns of an operation: written attributes without a stored one, or with impossible values. */
interface UnknownIn<P extends Plural, C> {
  writes: { [A in keyof PolicyOf<C>]-?: Unfitting<P, A, PolicyOf<C>[A]> }[keyof PolicyOf<C>]
  most: C extends { most: infer Most } ? Exclude<keyof Most, keyof PolicyOf<C>> : never
}
type Unfitting<P extends Plural, A, Value> =
  A extends AttributeOf<P>
    ? Value extends RecordOf<P>[A] | undefined
      ? never
      : A
    : Exclude<A, WriteOnlyOf<P>>

/**
 * Defines an operation of a resource. Checks its columns against the names of the resource, and types its action by its
 * columns.
 *
 * @example
 * const readBackfill = defineOperation('backfills', { id: 'readBackfill', action: 'detail', routes: […] })
 */
export function defineOperation<P extends Plural, const C extends OperationColumns<Names>>(
  plural: P,
  columns: C & Checked<C, OperationColumns<NamesOf<P>>, UnknownIn<P, C>>,
  run?: (context: ContextOf<P, C>) => C extends { action: 'list' } ? ListResult : RecordOf<P>,
): C & { readonly plural: P } {
  // The engine gives each action only the contexts that it has built for its operation.
  return { plural, ...columns, ...(run && { run }) }
}
