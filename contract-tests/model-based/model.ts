import { createUnderstudy, type Understudy } from '../../src/index.ts'
import type { Profile } from '../../src/profiles/index.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

export type { Profile }

const start = Date.UTC(2026, 0, 1)

/** A reply of the model. */
export interface Predicted {
  readonly isError: boolean
  readonly httpStatus: number
  readonly body: ReceivedRecord
}

/** The in-memory mock that receives the same requests as the target; it contains only the records of one sequence. */
export class SequenceModel {
  readonly #understudy: Understudy
  #requests = 0

  constructor(profile?: Profile) {
    // Its clock is frozen, because the progress of runs and backfills is the choice of the target.
    this.#understudy = createUnderstudy(
      profile === undefined
        ? { journal: false, clock: 'frozen' }
        : // A real server orders some lists by creation time, so each request has a time of its own.
          { journal: false, profile, clock: { now: () => start + this.#requests } },
    )
  }

  /** Answers a request. */
  async predict(method: string, path: string, body?: unknown): Promise<Predicted> {
    this.#requests++
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'content-type': 'application/json' }
    const reply = await this.#understudy.dispatch({ method, url: path, headers, body: text })
    const httpStatus = reply?.status ?? 0
    // A profile may answer without a body.
    const parsed: unknown = reply === undefined || reply.body === '' ? undefined : JSON.parse(reply.body)
    if (!isObject(parsed)) return { isError: true, httpStatus, body: {} }
    return { isError: parsed.error !== undefined, httpStatus, body: parsed }
  }

  /** Returns the uuid of the block with a name in a pipeline, which the reply to its creation does not contain. */
  uuidOfBlock(pipeline: string, name: string): string | undefined {
    const [block] = this.#understudy.model.blocks.findMany((query) =>
      query.where({ pipeline_uuid: pipeline, name }),
    )
    return block?.uuid
  }

  /** Takes a snapshot. */
  takeSnapshot(): void {
    this.#understudy.snapshot('before')
  }

  /** Restores the snapshot, because the target did something else. */
  restoreSnapshot(): void {
    this.#understudy.restore('before')
  }
}
