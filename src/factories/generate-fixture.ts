import { pipelineTypes } from '../resources/pipeline.ts'
import { seededRandom } from '../wire/seeded.ts'
import type { Fixture } from './fixture.ts'

export interface GenerateOptions {
  readonly pipelines: number
  readonly backfills: number
  readonly seed: number
}

const statuses = [null, 'initial', 'running', 'completed', 'failed', 'cancelled'] as const

/** Makes a fixture of any volume, the same for the same options. */
export function generateFixture({ pipelines, backfills, seed }: GenerateOptions): Fixture {
  const random = seededRandom(seed, 'fixture')
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
