import type { Exchange } from './client.ts'
import { listIn } from './replies.ts'
import { carriesName } from './run-id.ts'

const plurals = ['backfills', 'pipeline_schedules'] as const

/**
 * Records of other clients: a list has shown them in a pipeline that existed before this run, and their names do not
 * have its prefix. Later replies do not change this.
 */
export class ForeignRecords {
  readonly #paths = new Set<string>()
  readonly #before: ReadonlySet<string>
  readonly #prefix: string

  constructor(before: ReadonlySet<string>, prefix: string) {
    this.#before = before
    this.#prefix = prefix
  }

  /** Adds the foreign records of a list. */
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
