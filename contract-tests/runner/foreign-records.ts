import type { Exchange } from './client.ts'
import { operationOf } from './operation-of.ts'
import { isError, listIn, recordIn } from './replies.ts'
import { carriesName } from './run-id.ts'
import { readWhole } from './whole-list.ts'

const plurals: readonly string[] = ['backfills', 'pipeline_schedules']

/** A request was not sent, because it would change or delete a record that may belong to another client. */
export class ForeignWrite extends Error {}

/**
 * Records of other clients: a list has shown them in a pipeline that existed before this run, and their names do not
 * have its prefix. Later replies do not change this. The record that a creation returns may be another client's too, until a
 * list shows it in the pipeline of the creation.
 */
export class ForeignRecords {
  readonly #paths = new Set<string>()
  /** The pipelines of created records, by the paths of the records. */
  readonly #homes = new Map<string, string>()
  /** The created records that a list has shown in their pipelines. */
  readonly #shown = new Set<string>()
  readonly #before: ReadonlySet<string>
  readonly #prefix: string

  constructor(before: ReadonlySet<string>, prefix: string) {
    this.#before = before
    this.#prefix = prefix
  }

  /** Adds the foreign records of a list, and the record of a creation. */
  note(exchange: Exchange): void {
    if (exchange.method !== 'GET') {
      this.#noteCreation(exchange)
      return
    }
    for (const plural of plurals)
      for (const { id, name, pipeline_uuid: home } of listIn(exchange, plural) ?? []) {
        const path = `/api/${plural}/${id}`
        if (typeof home === 'string' && this.#before.has(home) && !carriesName(name, this.#prefix))
          this.#paths.add(path)
        const own = this.#homes.get(path)
        if (own !== undefined && (home === own || (home === undefined && isListOf(exchange.path, own))))
          this.#shown.add(path)
      }
  }

  #noteCreation(exchange: Exchange): void {
    const reached = operationOf(exchange.method, exchange.path)
    const home = reached?.parameters.pipeline_uuid
    if (reached?.facts.action !== 'create' || home === undefined || isError(exchange)) return
    const { singular, plural } = reached.facts
    const id = recordIn(exchange, singular)?.id
    if (plurals.includes(plural) && id !== undefined) this.#homes.set(`/api/${plural}/${id}`, home)
  }

  /** Returns whether the record of a path belongs to another client. */
  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /**
   * Refuses a request that changes or deletes a foreign record. Returns undefined if the request may go out at once; first
   * searches for a created record that no list has shown.
   *
   * @throws ForeignWrite if the record may be another client's.
   */
  guard(method: string, path: string, get: (path: string) => Promise<Exchange>): Promise<void> | undefined {
    if (method !== 'PUT' && method !== 'DELETE') return undefined
    const [, plural, id] = /\/(backfills|pipeline_schedules)\/([^/?]+)/.exec(path) ?? []
    if (plural === undefined) return undefined
    const record = `/api/${plural}/${id}`
    if (this.#paths.has(record)) throw new ForeignWrite(`${method} ${path}`)
    const home = this.#homes.get(record)
    if (home === undefined || this.#shown.has(record)) return undefined
    return this.#find(record, plural, home, get)
  }

  async #find(
    record: string,
    plural: string,
    home: string,
    get: (path: string) => Promise<Exchange>,
  ): Promise<void> {
    const uuid = encodeURIComponent(home)
    const isBackfill = plural === 'backfills'
    await readWhole(
      get,
      isBackfill ? `/api/backfills?pipeline_uuid=${uuid}` : `/api/pipelines/${uuid}/${plural}`,
      plural,
    )
    if (this.#paths.has(record) || !this.#shown.has(record)) throw new ForeignWrite(record)
  }
}

/** Returns whether a path lists the records of a pipeline. */
function isListOf(path: string, home: string): boolean {
  return path.split(/[/?&=]/).includes(encodeURIComponent(home))
}
