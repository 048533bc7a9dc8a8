import type { Exchange } from './client.ts'
import { listIn } from './replies.ts'
import { carriesName } from './run-id.ts'

const plurals = ['backfills', 'pipeline_schedules'] as const

/**
 * The records that a list has shown in a pipeline that was there before, under a name that is not of this run: whatever else a
 * target says of them later, they are another client's.
 */
export class ForeignRecords {
  readonly #paths = new Set<string>()
  readonly #before: ReadonlySet<string>
  readonly #prefix: string

  constructor(before: ReadonlySet<string>, prefix: string) {
    this.#before = before
    this.#prefix = prefix
  }

  /** Takes down who stands in a list. */
  note(exchange: Exchange): void {
    if (exchange.method !== 'GET') return
    for (const plural of plurals)
      for (const { id, name, pipeline_uuid: home } of listIn(exchange, plural) ?? [])
        if (typeof home === 'string' && this.#before.has(home) && !carriesName(name, this.#prefix))
          this.#paths.add(`/api/${plural}/${id}`)
  }

  /** Returns whether what a path deletes is another client's. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }
}
