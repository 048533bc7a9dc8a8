import { createUnderstudy, type Understudy } from '../../src/index.ts'
import type { Profile } from '../../src/profiles/index.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

export type { Profile }

const start = Date.UTC(2026, 0, 1)

/** What the model answers. */
export interface Predicted {
  readonly isError: boolean
  readonly httpStatus: number
  readonly body: ReceivedRecord
}

/** The in-memory mock that receives the same requests as the target; it contains only the records of one sequence. */
export class SequenceModel {
  readonly #understudy: Understudy
  #asked = 0
  readonly #uuids = new Map<string, Set<string>>()

  constructor(profile?: Profile) {
    // Time stands still in it: what becomes of runs and backfills by themselves is the target's own.
    this.#understudy = createUnderstudy(
      profile === undefined
        ? { journal: false, clock: 'frozen' }
        : // What a real server orders by the time of its creation is not all made at one.
          { journal: false, profile, clock: { now: () => start + this.#asked } },
    )
  }

  /** Answers a request that is no more than a method, a path and a record. */
  async ask(method: string, path: string, body?: unknown): Promise<Predicted> {
    this.#asked++
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const reply = await this.#understudy.dispatch({ method, url: path, headers, body: text })
    const httpStatus = reply?.status ?? 0
    // A profile may answer without a body.
    if (method === 'DELETE') this.#forgetGone()
    const parsed: unknown = reply === undefined || reply.body === '' ? undefined : JSON.parse(reply.body)
    if (!isObject(parsed)) return { isError: true, httpStatus, body: {} }
    return { isError: parsed.error !== undefined, httpStatus, body: parsed }
  }

  /** The uuid of the block that was created last in a pipeline: the reply of its creation does not carry it. */
  async uuidOfNewest(pipeline: string): Promise<string | undefined> {
    const blocks = this.#understudy.model.blocks.findMany((query) => query.where({ pipeline_uuid: pipeline }))
    const known = this.#uuids.get(pipeline) ?? new Set()
    const newest = blocks.find(({ uuid }) => !known.has(uuid))
    this.#uuids.set(pipeline, new Set(blocks.map(({ uuid }) => uuid)))
    return newest?.uuid
  }

  /** The uuid of a block that was deleted is free for another. */
  #forgetGone(): void {
    for (const pipeline of this.#uuids.keys()) {
      const blocks = this.#understudy.model.blocks.findMany((query) =>
        query.where({ pipeline_uuid: pipeline }),
      )
      const there = new Set(blocks.map(({ uuid }) => uuid))
      for (const uuid of this.#uuids.get(pipeline) ?? [])
        if (!there.has(uuid)) this.#uuids.get(pipeline)?.delete(uuid)
    }
  }

  /** Remembers how everything is. */
  remember(): void {
    this.#understudy.snapshot('before')
  }

  /** Goes back to what was remembered: the target did otherwise. */
  goBack(): void {
    this.#understudy.restore('before')
  }
}
