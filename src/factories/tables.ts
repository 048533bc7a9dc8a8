import type * as z from 'zod/mini'
import type { ResourceTable } from '../resources/index.ts'
import type { RecordOf, SchemaOf, StoredPlural, ValuesOf } from '../resources/records.ts'
import type { TraitName } from '../resources/traits.ts'
import type { Collection } from './collection-types.ts'
import type { Factory } from './factory.ts'

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${CamelCase<Capitalize<Rest>>}`
  : Name

/** The factories, by singular in camel case. */
export type Factories = {
  readonly [P in StoredPlural as CamelCase<ResourceTable[P]['singular']>]: Factory<
    Partial<z.input<SchemaOf<P>>>,
    RecordOf<P>,
    TraitName<P>
  >
}

/** The collections, by plural; also those of resources that a fixture added, with any attributes. */
export type Tables = { readonly [P in StoredPlural]: Collection<ValuesOf<P>, RecordOf<P>> }
