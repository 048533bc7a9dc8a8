import type { AttributeOf, ChangesOf, Plural, RecordOf, StoredPlural, ValuesOf } from './records.ts'
import type { DerivedAttribute, FixtureForm, ListedRecords, Names, Trait } from './resource.ts'

/** The names of a resource, derived from its schema; TypeScript checks the columns of its row against them. */
export interface StoredNames<P extends Plural> extends Names {
  readonly plural: P
  readonly attribute: AttributeOf<P>
  readonly record: RecordOf<P>
  readonly values: ValuesOf<P>
  readonly changes: ChangesOf<P>
  readonly listed: { [Listed in StoredPlural]: ListedOf<Listed> }[StoredPlural]
}
/** The records of a resource that another one lists. */
interface ListedOf<P extends StoredPlural> extends ListedRecords {
  readonly listOf: P
  readonly by: AttributeOf<P>
  accepts?(record: RecordOf<P>): boolean
}

/** The derived attributes of a resource, by name. */
export type DerivedAttributes<P extends Plural> = Readonly<Record<string, DerivedAttribute<StoredNames<P>>>>
/** The named variations of a resource's records. */
export type Traits<P extends Plural> = Readonly<Record<string, Trait<StoredNames<P>>>>
/** Accepted forms of a resource's records in a fixture. */
export type FixtureFormOf<P extends Plural> = FixtureForm<StoredNames<P>>
