/**
 * Initial state: records by plural name, with the attribute names of the API. Missing attributes get their
 * defaults. Times may be relative to the clock (`"-2d"`, `"+20s"`, `"now"`). A pipeline may contain its blocks.
 */
export interface Fixture {
  /** For editors; ignored. */
  readonly $schema?: string
  /** Start time of a frozen clock. */
  readonly clock?: string
  readonly api_keys?: readonly string[]
  /** Resources beyond the specification's, each a list of records. */
  readonly custom?: Readonly<Record<string, readonly object[]>>
  /** Which attribute identifies the records of a custom resource, where it is not `id`. */
  readonly custom_keys?: Readonly<Record<string, string>>
  /** The next id of a table, where it is not the highest plus one. */
  readonly next_ids?: Readonly<Record<string, number>>
  readonly [plural: string]: unknown
}
