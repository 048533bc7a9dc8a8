import type * as z from 'zod/mini'
import type { NestedIn, Opened, SchemaOf, StoredPlural } from '../resources/records.ts'
import type { Fixture } from './fixture-type.ts'

/** Record of a fixture: missing attributes get their defaults, and a pipeline may contain its blocks. */
export type FixtureRecord<P extends StoredPlural> = {
  readonly [Name in keyof z.input<SchemaOf<P>>]?: Opened<P, Name, z.input<SchemaOf<P>>[Name]> | undefined
} & {
  readonly [Inner in NestedIn<P> as Inner['under']]?: readonly FixtureRecord<Inner['plural']>[]
}

/** Keys of a fixture other than those of its records. */
type OwnKey = '$schema' | 'clock' | 'api_keys' | 'custom' | 'custom_keys' | 'next_ids'

/**
 * A fixture in code. A misspelt name or value does not compile.
 *
 * @example
 * export const fixture = { pipelines: [{ name: 'daily sales' }] } satisfies FixtureContents
 */
export type FixtureContents = {
  readonly [Name in OwnKey]?: Fixture[Name]
} & {
  readonly [P in StoredPlural]?: readonly FixtureRecord<P>[]
}

/** Type of a value from JSON: any text in place of certain texts, and each member optional. */
type FromJson<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly FromJson<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]?: FromJson<Value[Name]> | undefined }
      : Value
/** A fixture from code or from JSON. A misspelt name does not compile. */
export type FixtureInput = {
  readonly [Name in OwnKey]?: Fixture[Name]
} & {
  readonly [P in StoredPlural]?: readonly FromJson<FixtureRecord<P>>[]
}
