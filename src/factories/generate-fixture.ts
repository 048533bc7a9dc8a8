import { pipelineTypes } from '../resources/pipeline.ts'
import type { Fixture } from './fixture.ts'

export interface GenerateOptions {
  readonly pipelines: number
  readonly backfills: number
  readonly seed: number
}

const statuses = [null, 'initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** Makes a fixture of any volume, the same for the same options. */
export function generateFixture({ pipelines, backfills, seed }: GenerateOptions): Fixture {
  const random = createRandom(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  return {
    users: [{ id: 1, username: 'admin', email: 'admin@example.com', password: 'admin' }],
    api_keys: ['understudy-api-key'],
    pipelines: Array.from({ length: pipelines }, (_, index) => ({
      uuid: `pipeline_${index + 1}`,
      name: `pipeline ${index + 1}`,
      type: pick(pipelineTypes),
      blocks: [
        { name: 'load', type: 'data_loader' },
        { name: 'transform', type: 'transformer', upstream_blocks: ['load'] },
      ],
    })),
    backfills: Array.from({ length: backfills }, (_, index) => ({
      id: index + 1,
      name: `backfill ${index + 1}`,
      pipeline_uuid: `pipeline_${1 + Math.floor(random() * pipelines)}`,
      status: pick(statuses),
      created_at: `-${backfills - index}m`,
    })),
  }
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
