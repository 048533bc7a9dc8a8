/**
 * Initial state: records by plural name, with the attribute names of the API. Missing attributes get their
 * defaults. Times may be relative to the clock (`"-2d"`, `"+20s"`, `"now"`). A pipeline may contain its blocks.
 */
export interface Fixture {
  /** The URL of the JSON Schema, for editors. Loading ignores it. */
  readonly $schema?: string
  /** Start time of a frozen clock. */
  readonly clock?: string
  readonly api_keys?: readonly string[]
  /** Resources beyond the specification's, each a list of records. */
  readonly custom?: Readonly<Record<string, readonly object[]>>
  /** The attribute that identifies the records of a custom resource, if it is not `id`. */
  readonly custom_keys?: Readonly<Record<string, string>>
  /** The next id of a table, if it is not the highest plus one. */
  readonly next_ids?: Readonly<Record<string, number>>
  readonly [plural: string]: unknown
}
