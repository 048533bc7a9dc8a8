import * as fc from 'fast-check'
import type { Command } from './commands.ts'
import * as corner from './corner-values.ts'

const number = fc.nat({ max: 5 })
const from = <Value>(values: readonly Value[]) => fc.constantFrom(...values)

/** What an update writes: one attribute, or several. */
const update = fc
  .record(
    {
      name: from(corner.backfillNames),
      start_datetime: from(corner.datetimes),
      end_datetime: from(corner.datetimes),
      interval_type: from(corner.intervalTypes),
      interval_units: from(corner.intervalUnits),
      variables: from(corner.variables),
      status: from(corner.statuses),
    },
    { requiredKeys: [] },
  )
  .filter((values) => Object.keys(values).length > 0)

const upstream = fc.array(number, { maxLength: 3 })

/** Each step with how often it is drawn. */
const steps: readonly (readonly [weight: number, step: fc.Arbitrary<Command>])[] = [
  [3, fc.record({ do: fc.constant('create backfill'), pipeline: number, name: from(corner.backfillNames) })],
  [6, fc.record({ do: fc.constant('update backfill'), backfill: number, values: update })],
  [2, fc.record({ do: fc.constant('delete backfill'), backfill: number })],
  [
    3,
    fc.record(
      {
        do: fc.constant('list backfills' as const),
        pipeline: number,
        limit: fc.nat({ max: 5 }),
        offset: fc.nat({ max: 6 }),
        withCount: fc.boolean(),
      },
      { requiredKeys: ['do', 'pipeline'] },
    ),
  ],
  [
    5,
    fc.record({
      do: fc.constant('create block'),
      pipeline: number,
      name: from(corner.blockNames),
      type: from(corner.blockTypes),
      values: from(corner.blockValues),
      upstream,
    }),
  ],
  [
    3,
    fc.record({
      do: fc.constant('delete block'),
      block: number,
      query: from(['', '?force=True', '?block_type=custom']),
    }),
  ],
  [1, fc.record({ do: fc.constant('filter nearly'), pipeline: number, near: fc.nat({ max: 6 }) })],
  [
    1,
    fc.record({
      do: fc.constant('create schedule'),
      pipeline: number,
      tags: fc.subarray([...corner.tags], { maxLength: 3 }),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('list schedules'),
      pipeline: number,
      tags: fc.subarray([...corner.tags], { maxLength: 2 }),
    }),
  ],
  [1, fc.record({ do: fc.constant('trigger'), schedule: number, body: from(corner.eventVariables) })],
  [1, fc.record({ do: fc.constant('trigger nearly'), schedule: number, near: number })],
  [
    1,
    fc.record({
      do: fc.constant('create pipeline'),
      word: from(corner.pipelineWords),
      type: from(corner.pipelineTypes),
    }),
  ],
]

/** Two pipelines with a backfill each, and then whatever comes. */
const drawnStory: fc.Arbitrary<readonly Command[]> = fc
  .array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 6,
    maxLength: 14,
    size: 'max',
  })
  .map((drawn) => [...beginning, ...drawn])

/** What every story begins with: two pipelines, so that each has a neighbour. */
export const beginning: readonly Command[] = [
  { do: 'create pipeline', word: 'home', type: 'python' },
  { do: 'create pipeline', word: 'next-door', type: 'integration' },
  { do: 'create backfill', pipeline: 0, name: 'first' },
  { do: 'create backfill', pipeline: 1, name: 'of the neighbour' },
]

/** How many stories are drawn together, and what leads from the seed of one batch to that of the next. */
const [batchSize, stride] = [10, 0x9e3779b1]

/** Draws stories without end; the same seed draws the same ones, however many are taken. */
export function* drawStories(seed: number): Generator<readonly Command[], never> {
  for (let batch = seed | 0; ; batch = (batch + stride) | 0)
    yield* fc.sample(drawnStory, { seed: batch, numRuns: batchSize })
}
