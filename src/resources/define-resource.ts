import type * as z from 'zod/mini'
import type { Timestamp } from '../shared/timestamps.ts'
import { momentsIn } from './attributes.ts'
import type {
  AttributeOf,
  ChangesOf,
  Exactly,
  MomentOf,
  Plural,
  RecordModel,
  RecordOf,
  ReferencesOf,
  SchemaOf,
  StoredPlural,
  ValuesOf,
} from './records.ts'
import type {
  Authenticated,
  CompletionContext,
  FixtureEntry,
  ListedRecords,
  Operation,
  PlanContext,
  Resource,
} from './resource.ts'

/** The records that another one lists, typed by their resource. */
interface ListedOf<P extends StoredPlural> extends ListedRecords {
  readonly listOf: P
  readonly by: AttributeOf<P>
  keeps?(record: RecordOf<P>): boolean
}

/** An attribute that is presented and not stored, typed by its resource. */
export interface DerivedOf<P extends Plural> {
  readonly is: z.ZodMiniType | { [Listed in StoredPlural]: ListedOf<Listed> }[StoredPlural]
  derive?(
    record: RecordOf<P>,
    model: RecordModel,
    present: <Shown extends StoredPlural>(plural: Shown, record: RecordOf<Shown>) => string,
  ): string | undefined
}

/** The attributes of a resource that are presented and not stored, by name. */
export type DerivedAttributes<P extends Plural> = Readonly<Record<string, DerivedOf<P>>>

/** A named variation of a resource's records. */
export interface TraitOf<P extends Plural> {
  readonly values?: ValuesOf<P>
  after?(record: RecordOf<P>, model: RecordModel): void
}

/** The named variations of a resource's records. */
export type Traits<P extends Plural> = Readonly<Record<string, TraitOf<P>>>

/** The attributes that hold a whole number or nothing, and no other record's key. */
type CountOf<P extends Plural> = {
  [A in Exclude<AttributeOf<P>, keyof ReferencesOf<P>>]: null extends RecordOf<P>[A]
    ? number extends RecordOf<P>[A]
      ? A
      : never
    : never
}[Exclude<AttributeOf<P>, keyof ReferencesOf<P>>]
/** The attributes that records can be ordered by. */
type SortableOf<P extends Plural> = {
  [A in AttributeOf<P>]: RecordOf<P>[A] extends string | number ? A : never
}[AttributeOf<P>]

/** What a fixture says of a record: nothing has been checked yet but where it stands. */
export type UncheckedOf<P extends Plural> = { readonly [A in AttributeOf<P>]?: unknown }

/** How a fixture may write the records of a resource, typed by it. */
export interface FixtureFormOf<P extends Plural> {
  readonly nested?: {
    readonly reference: keyof ReferencesOf<P> & string
    readonly under: string
    readonly at: (index: number) => ValuesOf<P>
  }
  readonly link?: (
    entries: readonly FixtureEntry<UncheckedOf<P>>[],
    refuse: (path: string, expected: string, found: unknown) => never,
  ) => readonly FixtureEntry<UncheckedOf<P>>[]
}

/** Whether the model keeps records of a resource, as `StoredPlural` says. */
type KeepingOf<P extends Plural> = P extends StoredPlural
  ? { readonly stored?: true }
  : { readonly stored: false }

/** The order of lists; what expires does so at the moment it is ordered by. */
type OrderOf<P extends Plural> =
  | {
      readonly expires?: false
      readonly order?: { readonly by?: SortableOf<P>; readonly newestFirst?: boolean }
    }
  | { readonly expires: true; readonly order: { readonly by: MomentOf<P>; readonly newestFirst?: boolean } }

/** What the paths of a resource's operations may name: its own key, and the records it refers to. */
type NamedInPath<P extends Plural, Singular extends string, Key extends string> =
  | Key
  | `${Singular}_${Key}`
  | (keyof ReferencesOf<P> & string)

/** What operations name in their paths and compute for their replies. */
type NamedBy<Each> = Each extends { readonly typed?: infer Types }
  ? NonNullable<Types> extends { derived: infer Derived; inPath: infer InPath }
    ? Derived | InPath
    : never
  : never
/**
 * Refuses operations that name what their row does not have. No constraint says it: what does not meet one loses its type, and
 * sixty errors would say what follows from that.
 */
type FittingOf<Operations extends readonly unknown[], Known> = [
  Exclude<NamedBy<Operations[number]>, Known>,
] extends [never]
  ? unknown
  : { readonly operations: { readonly unknownName: Exclude<NamedBy<Operations[number]>, Known> } }

/** A resource as its folder writes it: names of attributes and of other resources are checked. */
interface ResourceDefinition<
  P extends Plural,
  Singular extends string,
  Key extends AttributeOf<P>,
  Derived extends DerivedAttributes<P>,
  Presents extends readonly (AttributeOf<P> | (keyof Derived & string))[],
  Variations extends Traits<P>,
  Controls extends NonNullable<Resource['controls']>,
  Operations extends readonly Operation[],
  Completed extends ValuesOf<P>,
  Remembered extends ValuesOf<P>,
  Invented extends ValuesOf<P>,
  Planned extends ChangesOf<P>,
  Foreseen extends ChangesOf<P>,
> {
  readonly singular: Singular
  readonly plural: P
  readonly key: Key
  readonly knownBy?: AttributeOf<P>
  readonly scope?: keyof ReferencesOf<P> & string
  readonly attributes: SchemaOf<P>
  readonly references?: ReferencesOf<P> & {
    readonly [A in Exclude<keyof ReferencesOf<P>, AttributeOf<P>>]: never
  } & {
    readonly [A in AttributeOf<P>]?: {
      readonly plural: StoredPlural
      readonly whenDeleted: 'delete' | 'clear'
      readonly most?: number
    }
  }
  readonly shownIn?: keyof ReferencesOf<P> & string
  readonly changedAt?: MomentOf<P>
  readonly took?: { readonly from: MomentOf<P>; readonly until: MomentOf<P> }
  readonly derived?: Derived
  readonly presents: Presents
  complete?(record: ValuesOf<P>, context: CompletionContext): Exactly<AttributeOf<P>, Completed>
  plan?(
    next: RecordOf<P>,
    previous: RecordOf<P> | undefined,
    context: PlanContext,
  ): Exactly<AttributeOf<P>, Planned> | undefined
  readonly due?: {
    readonly at: MomentOf<P>
    run(record: RecordOf<P>, model: RecordModel): void
    foresees(record: RecordOf<P>, model: RecordModel): Exactly<AttributeOf<P>, Foreseen> | undefined
    readonly limit?: {
      readonly most: number
      readonly mostTogether: number
      skip(record: RecordOf<P>, model: RecordModel, until: Timestamp): void
    }
  }
  readonly secrets?: readonly AttributeOf<P>[]
  authenticates?(token: string, model: RecordModel): Authenticated | undefined
  remembers?(values: ValuesOf<P>, now: Timestamp): Exactly<AttributeOf<P>, Remembered>
  readonly counts?: CountOf<P>
  seen?(
    record: RecordOf<P>,
    model: RecordModel,
    shows: (attribute: AttributeOf<P> | (keyof Derived & string)) => boolean,
  ): void
  readonly fixture?: FixtureFormOf<P>
  invents?(given: ValuesOf<P>, model: RecordModel, number: number): Exactly<AttributeOf<P>, Invented>
  readonly sharesWithParents?: keyof ReferencesOf<P> & string
  readonly traits?: Variations
  readonly controls?: Controls
  readonly operations: Operations
}

/** What of a resource is known by its type, from which other types are derived. */
export interface TypedResource<P, Singular, Derived, Presents, Variations, Controls, Operations> {
  readonly singular: Singular
  readonly plural: P
  readonly operations: Operations
  /** Never there: it carries types. */
  readonly typed?: { derived: Derived; presents: Presents; traits: Variations; controls: Controls }
}

/**
 * Defines a resource: plain data from which routes, model, faces and the OpenAPI document are derived. Its columns are
 * checked against the schema that `records.ts` has under its plural.
 *
 * @example
 * const user = defineResource({ singular: 'user', plural: 'users', key: 'id', attributes, presents: ['id'], operations: [] })
 */
export function defineResource<
  P extends Plural,
  const Singular extends string,
  const Key extends AttributeOf<P>,
  const Derived extends DerivedAttributes<P> = Readonly<Record<never, never>>,
  const Presents extends readonly (AttributeOf<P> | (keyof Derived & string))[] = readonly never[],
  const Variations extends Traits<P> = Readonly<Record<never, never>>,
  const Controls extends NonNullable<Resource['controls']> = Readonly<Record<never, never>>,
  const Operations extends readonly (Operation & { readonly plural?: P })[] = readonly [],
  Completed extends ValuesOf<P> = ValuesOf<P>,
  Remembered extends ValuesOf<P> = ValuesOf<P>,
  Invented extends ValuesOf<P> = ValuesOf<P>,
  Planned extends ChangesOf<P> = ChangesOf<P>,
  Foreseen extends ChangesOf<P> = ChangesOf<P>,
>(
  definition: ResourceDefinition<
    P,
    Singular,
    Key,
    Derived,
    Presents,
    Variations,
    Controls,
    Operations,
    Completed,
    Remembered,
    Invented,
    Planned,
    Foreseen
  > &
    KeepingOf<P> &
    OrderOf<P> &
    FittingOf<Operations, keyof Derived | NamedInPath<P, Singular, Key>>,
) {
  // The table holds resources of every record type; each function is given records of its own resource alone.
  return withMoments(definition as unknown as Omit<Resource, 'moments'>) as Resource &
    TypedResource<P, Singular, Derived, Presents, Variations, Controls, Operations>
}

/** Adds the attributes that hold moments, found in the schema. */
export function withMoments(definition: Omit<Resource, 'moments'>): Resource {
  return { ...definition, moments: momentsIn(definition.attributes) }
}
