import * as fc from 'fast-check'
import * as corner from './boundary-values.ts'
import type { Command, PlannedCommand } from './commands.ts'
import { wholeQueries } from './read-back.ts'

const number = fc.nat({ max: 5 })
const from = <Value>(values: readonly Value[]) => fc.constantFrom(...values)

/** The values of an update: one attribute, or several. */
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

const atOnce = (...commands: readonly PlannedCommand[]): Command => ({ do: 'at once', commands })

/** Each step with how often it is drawn. */
const steps: readonly (readonly [weight: number, step: fc.Arbitrary<Command>])[] = [
  [3, fc.record({ do: fc.constant('create backfill'), pipeline: number, name: from(corner.backfillNames) })],
  [6, fc.record({ do: fc.constant('update backfill'), backfill: number, values: update })],
  [1, fc.record({ do: fc.constant('update backfill'), backfill: number, values: from(corner.nulls) })],
  [2, fc.record({ do: fc.constant('delete backfill'), backfill: number })],
  [
    1,
    number.map((backfill) =>
      atOnce({ do: 'delete backfill', backfill }, { do: 'delete backfill', backfill }),
    ),
  ],
  [
    1,
    fc
      .tuple(number, update)
      .map(([backfill, values]) =>
        atOnce({ do: 'update backfill', backfill, values }, { do: 'delete backfill', backfill }),
      ),
  ],
  [
    1,
    fc
      .array(update, { minLength: 2, maxLength: 3 })
      .map((all) =>
        atOnce(...all.map((values, backfill) => ({ do: 'update backfill' as const, backfill, values }))),
      ),
  ],
  [
    2,
    fc.record(
      {
        do: fc.constant('ask for nothing' as const),
        pipeline: number,
        what: from([
          'pipeline',
          'block',
          'delete block',
          'create block',
          'create backfill',
          'update',
          'delete',
        ] as const),
        near: number,
        query: from(['', '?force=True', '?include_schedules=1', '?_limit=1']),
      },
      { requiredKeys: ['do', 'pipeline', 'what'] },
    ),
  ],
  [1, fc.record({ do: fc.constant('ask elsewhere'), pipeline: number })],
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
      also: fc.array(number, { maxLength: 1 }),
    }),
  ],
  [
    3,
    fc.record({
      do: fc.constant('delete block'),
      block: number,
      query: from(['', '?force=True', '?force=False', '?block_type=custom']),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('filter nearly'),
      pipeline: number,
      near: fc.nat({ max: 6 }),
      query: from(wholeQueries),
    }),
  ],
  [1, fc.constant({ do: 'list everything' })],
  [1, fc.constant({ do: 'list pipelines' })],
  [1, fc.record({ do: fc.constant('read triggers'), pipeline: number })],
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

/** Two pipelines with a backfill each, and then drawn commands. */
const drawnCommands: fc.Arbitrary<readonly Command[]> = fc
  .array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    minLength: 5,
    maxLength: 7,
    size: 'max',
  })
  .map((drawn) => [...beginning, ...drawn])

/** The first commands of every sequence: two pipelines, each with a backfill. */
export const beginning: readonly Command[] = [
  { do: 'create pipeline', word: 'home', type: 'python', isFamiliar: true },
  { do: 'create pipeline', word: 'home-next-door', type: 'integration', isFamiliar: true },
  { do: 'create backfill', pipeline: 0, name: 'first' },
  { do: 'create backfill', pipeline: 1, name: 'of the other pipeline' },
]

/** Number of sequences in a batch, and the difference between the seeds of two batches. */
const [batchSize, stride] = [10, 0x9e3779b1]

/** Draws sequences without end; the same seed draws the same ones, however many are taken. */
export function* generateSequences(seed: number): Generator<readonly Command[], never> {
  for (let batch = seed | 0; ; batch = (batch + stride) | 0)
    yield* fc.sample(drawnCommands, { seed: batch, numRuns: batchSize })
}
