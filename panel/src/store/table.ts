import type { PagedRecords, RecordOf, StoredPlural, WorldControls } from '../library.ts'

export type AnyRecord = Readonly<Record<string, unknown>>
/** The records of a plural, which may be that of a resource that a fixture added. */
export type RowOf<Plural extends string> = Plural extends StoredPlural ? RecordOf<Plural> : AnyRecord

interface AnyQuery {
  where(values: object): AnyQuery
}
type Query = (query: AnyQuery) => AnyQuery

/** A collection of any resource. */
export interface AnyTable<Row> {
  all(): Promise<readonly Row[]> | readonly Row[]
  count(where?: object): Promise<number> | number
  page(options: object): Promise<PagedRecords<Row>>
  newest(attribute: string, options: object): Promise<Readonly<Record<string, readonly Row[]>>>
  create(values: object): Promise<Row>
  update(query: Query, options: object): Promise<Row>
  delete(query: Query, options?: object): unknown
  deletion(query: Query, options?: object): Promise<{ readonly text: string } | undefined>
}

export function tableOf<Plural extends string>(
  { model }: WorldControls,
  plural: Plural,
): AnyTable<RowOf<Plural>> {
  // The panel has the plurals only as texts; those that its code names have typed rows.
  const table: AnyTable<RowOf<Plural>> | undefined = Reflect.get(model, plural)
  if (table === undefined) throw new Error(`There is no resource ${plural}.`)
  return table
}
