import { fromJournal, type LoggedExchange } from './from-journal.ts'
import { UsageCollector, type UsageMap } from './usage-map.ts'

/** An entry of the journal, with the operation that the request reached. */
type LoggedOperation = LoggedExchange & { readonly operation: string | undefined }

/** A mock server, a world or a client. */
export interface UsageSource {
  readonly journal: { entries(): readonly LoggedOperation[] | Promise<readonly LoggedOperation[]> }
}

/**
 * Returns the parts of the API that the stored requests of a mock server, a world or a client use: a usage map for
 * `pipeline-understudy verify --used-by`.
 *
 * @example
 * await writeFile('usage.json', JSON.stringify(await usageOf(understudy)))
 */
export async function usageOf(source: UsageSource): Promise<UsageMap> {
  const collector = new UsageCollector()
  for (const entry of await source.journal.entries())
    if (entry.operation !== undefined) collector.add(entry.operation, fromJournal(entry))
  return collector.map
}
