import type { WorldControls } from '../../../src/admin/client/types.ts'
import type { Counts, PagedRecords } from '../../../src/factories/collection-types.ts'

interface AnyQuery {
  where(values: object): AnyQuery
}
/** A collection of whichever resource, as the panel uses it. */
export interface AnyTable {
  all(): Promise<readonly AnyRecord[]> | readonly AnyRecord[]
  count(where?: object): Promise<number> | number
  countBy(attribute: string): Promise<Counts> | Counts
  page(options: object): Promise<PagedRecords<AnyRecord>>
  spread(attribute: string, options: object): Promise<readonly Counts[]>
  newest(attribute: string, options: object): Promise<Readonly<Record<string, readonly AnyRecord[]>>>
  create(values: object): Promise<AnyRecord>
  update(query: (query: AnyQuery) => AnyQuery, options: object): Promise<AnyRecord>
  delete(query: (query: AnyQuery) => AnyQuery, options?: object): unknown
  deletion(
    query: (query: AnyQuery) => AnyQuery,
    options?: object,
  ): Promise<{ readonly text: string } | undefined>
}
/** A record of whichever resource. */
export type AnyRecord = Readonly<Record<string, unknown>>

/** The collection of a plural, which may be that of a resource that a fixture added. */
export function tableOf(world: WorldControls, plural: string): AnyTable {
  return (world.model as unknown as Readonly<Record<string, AnyTable>>)[plural]!
}
