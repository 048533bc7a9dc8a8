import { isDeepStrictEqual } from 'node:util'
import type { RemoteWorld } from '../../src/admin/client/types.ts'
import { createUnderstudy, type Fault, type Understudy } from '../../src/index.ts'
import { seededRandom } from '../../src/shared/seeded.ts'
import { required } from '../../src/shared/values.ts'

/** Initial data of every compared world. Its server needs `--clock frozen`, so that timestamps agree. */
export const comparedFixture = {
  pipelines: [{ name: 'common', blocks: [{ name: 'load', type: 'data_loader' }] }],
  backfills: [
    { pipeline_uuid: 'common', name: 'common 1' },
    { pipeline_uuid: 'common', name: 'common 2' },
  ],
}

/** Sends a request in a world. */
export type WorldRequest = (
  method: string,
  path: string,
  json?: object,
) => Promise<{ readonly status: number; readonly body: unknown }>

/** A difference between a server and the mock in this process. */
export interface WorldDifference {
  /** `foreign` if a reply contains a record of another world. */
  readonly kind: 'foreign' | 'wrong'
  readonly text: string
}

export interface ComparedWorldOptions {
  readonly name: string
  readonly seed: number
  readonly request: WorldRequest
  /** The world in the admin API. Default: sends only API requests. */
  readonly controls?: RemoteWorld
  readonly onDifference: (difference: WorldDifference) => void
}

type Step = readonly [method: string, path: string, json?: object]

const most = { pipelines: 6, blocks: 4, backfills: 15 }
const controlNames = ['reset', 'snapshot', 'restore', 'advance', 'fault'] as const
const operations = [
  'createPipeline',
  'readPipeline',
  'updateBackfill',
  'listBackfills',
  'createBlock',
] as const

/**
 * A world on a server under load. Sends each step to the server and to a mock in this process; both replies must be equal.
 */
export class ComparedWorld {
  readonly name: string
  readonly #options: ComparedWorldOptions
  readonly #local: Understudy = createUnderstudy({ fixture: comparedFixture })
  readonly #random: () => number
  #count = 0

  constructor(options: ComparedWorldOptions) {
    this.name = options.name
    this.#options = options
    this.#random = seededRandom(options.seed, options.name)
  }

  /** Sends one random request, or rarely controls the world. */
  async step(): Promise<void> {
    const { controls } = this.#options
    if (controls !== undefined && this.#random() < 0.01) await this.#control(controls)
    else await this.send(...this.#nextStep())
  }

  /** Sends a request to the server and to this process, and compares the replies. */
  async send(method: string, path: string, json?: object): Promise<void> {
    const { status, body } = await this.#options.request(method, path, json)
    const reply = await this.#local.dispatch({ method, url: path, ...(json && { body: json }) })
    const expected: unknown = JSON.parse(reply?.body ?? 'null')
    if (status === 200 && isDeepStrictEqual(body, expected)) return
    const found = JSON.stringify(body)
    const isForeign = (found.match(/mark-of-[\w-]+/g) ?? []).some((mark) => mark !== `mark-of-${this.name}`)
    this.#options.onDifference({
      kind: isForeign ? 'foreign' : 'wrong',
      text: `${this.name}: ${method} ${path}: expected ${excerpt(reply?.body)}; found HTTP ${status} ${excerpt(found)}`,
    })
  }

  async #control(controls: RemoteWorld): Promise<void> {
    const name = required(this.#pick(controlNames), 'a control')
    for (const world of [controls, this.#local]) {
      if (name === 'reset') await world.reset()
      if (name === 'snapshot') await world.snapshot('before')
      if (name === 'restore' && this.#local.snapshots().includes('before')) await world.restore('before')
      if (name === 'advance') await world.clock.advance('1m')
    }
    if (name === 'fault') {
      const error = { code: 503, type: 'unavailable', message: this.#mark() }
      const fault: Fault = { operation: required(this.#pick(operations), 'an operation'), times: 1, error }
      await controls.faults.add(fault)
      this.#local.faults.add(fault)
    }
  }

  #nextStep(): Step {
    const { pipelines, blocks, backfills } = this.#local.model
    const uuids = pipelines.all().map(({ uuid }) => uuid)
    const ids = backfills.all().map(({ id }) => id)
    const [uuid, id] = [this.#pick(uuids), this.#pick(ids)]
    const own = blocks.all().filter((each) => each.pipeline_uuid === uuid)
    const block = this.#pick(own)?.uuid
    const name = this.#mark()
    const steps: readonly Step[] = [
      uuids.length < most.pipelines
        ? ['POST', '/api/pipelines', { pipeline: { name, type: 'python', description: name } }]
        : ['DELETE', `/api/pipelines/${uuid}`],
      // One pipeline remains, because backfills need it.
      uuids.length > 1
        ? ['DELETE', `/api/pipelines/${uuid}`]
        : ['PUT', `/api/pipelines/${uuid}`, { pipeline: { description: name } }],
      own.length < most.blocks
        ? ['POST', `/api/pipelines/${uuid}/blocks`, { block: { name, type: 'custom', content: name } }]
        : ['DELETE', `/api/pipelines/${uuid}/blocks/${block}`],
      ids.length < most.backfills
        ? ['POST', `/api/pipelines/${uuid}/backfills`, { backfill: { name, variables: { name } } }]
        : ['DELETE', `/api/backfills/${id}`],
      ['PUT', `/api/pipelines/${uuid}`, { pipeline: { description: name } }],
      ['PUT', `/api/backfills/${id}`, { backfill: { name, variables: { name } } }],
    ]
    const reads: readonly Step[] = [
      ['GET', '/api/pipelines'],
      ['GET', `/api/pipelines/${uuid}`],
      ['GET', `/api/pipelines/${uuid}/blocks/${block}`],
      ['GET', `/api/backfills/${id}`],
      ['GET', '/api/backfills'],
    ]
    return required(this.#pick(this.#random() < 0.5 ? steps : reads), 'a step')
  }

  #pick<Item>(list: readonly Item[]): Item | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  #mark(): string {
    return `mark-of-${this.name} ${++this.#count}`
  }
}

/** Counts differences by kind, and prints the first ones of each. */
export function countDifferences() {
  const differences = { foreign: 0, wrong: 0 }
  const onDifference = ({ kind, text }: WorldDifference): void => {
    if (differences[kind]++ < 5) console.error(`${kind}: ${text}`)
  }
  return { differences, onDifference }
}

function excerpt(text = ''): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
