import { type Profile, SequenceModel } from '../model-based/model.ts'
import type { OperationId } from '../rules/operation-id.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

/** Uuid of the pipeline that the predicted records belong to. */
const home = 'understudy_predictions'

/**
 * Asks the model what a new record is like. The model contains nothing else, so the prediction omits what depends on the
 * state of the server.
 */
export class CreationModel {
  /** True if the model emulates a real server. */
  readonly hasProfile: boolean
  readonly #model: SequenceModel
  /** The path that triggers the schedule of the model. */
  #trigger: Promise<string> | undefined
  #home: Promise<unknown> | undefined

  constructor(profile: Profile | undefined) {
    this.hasProfile = profile !== undefined
    this.#model = new SequenceModel(profile)
  }

  /**
   * Predicts the record that a request creates; `undefined` where the model refuses the request, or has no such operation.
   *
   * @param sent the sent record; for a trigger, the whole body.
   */
  async predict(operation: OperationId, sent: unknown): Promise<ReceivedRecord | undefined> {
    this.#home ??= this.#model.predict('POST', '/api/pipelines', { pipeline: { name: home, type: 'python' } })
    await this.#home
    if (operation === 'triggerPipeline') return this.#create(await this.#triggerPath(), sent, 'pipeline_run')
    if (!isObject(sent)) return undefined
    switch (operation) {
      case 'createPipeline': {
        const { name, type, ...others } = sent
        // A clone has what its source has.
        return Object.keys(others).length > 0
          ? undefined
          : this.#create('/api/pipelines', { pipeline: { name, type } }, 'pipeline')
      }
      case 'createBackfill':
        return this.#create(`/api/pipelines/${home}/backfills`, { backfill: sent }, 'backfill')
      case 'createBlock': {
        const { upstream_blocks: upstream = [], pipelines: _, priority: __, ...rest } = sent
        const made = await this.#create(`/api/pipelines/${home}/blocks`, { block: rest }, 'block')
        if (made === undefined) return undefined
        const { priority: ___, ...known } = made
        return { ...known, upstream_blocks: upstream }
      }
      default:
        return undefined
    }
  }

  /** Creates a record, and deletes it again. */
  async #create(path: string, body: unknown, singular: string): Promise<ReceivedRecord | undefined> {
    const { isError, body: reply } = await this.#model.predict('POST', path, body)
    const made = reply[singular]
    if (isError || !isObject(made)) return undefined
    if (singular === 'block') {
      const uuid = this.#model.uuidOfBlock(home, String(made.name))
      await this.#model.predict('DELETE', `${path}/${uuid}?block_type=${made.type}&force=true`)
    } else {
      await this.#model.predict('DELETE', `/api/${singular}s/${made.id ?? made.uuid}`)
    }
    return made
  }

  #triggerPath(): Promise<string> {
    this.#trigger ??= this.#model
      .predict('POST', `/api/pipelines/${home}/pipeline_schedules`, {
        pipeline_schedule: { name: home, schedule_type: 'api' },
      })
      .then(({ body }) => {
        const schedule = isObject(body.pipeline_schedule) ? body.pipeline_schedule : {}
        return `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`
      })
    return this.#trigger
  }
}
