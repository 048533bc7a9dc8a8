import { seededRandom } from '../../src/shared/seeded.ts'
import type { ReceivedRecord } from '../runner/replies.ts'
import * as corner from './boundary-values.ts'
import type { Command } from './commands.ts'
import { wholeQueries } from './read-back.ts'
import { atOnce, create } from './scripted-steps.ts'

/** Chooses the parts of generated commands at random, from a seeded generator. */
class Draw {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** Returns a whole number from 0 to a maximum. */
  number(most = 5): number {
    return Math.floor(this.#random() * (most + 1))
  }

  from<Value>(values: readonly Value[]): Value {
    // Each list of values has elements.
    return values[this.number(values.length - 1)] as Value
  }

  /** Returns distinct values of a list, at most this many. */
  some<Value>(values: readonly Value[], most: number): Value[] {
    return [...new Set(Array.from({ length: this.number(most) }, () => this.from(values)))]
  }

  numbers(most: number): number[] {
    return Array.from({ length: this.number(most) }, () => this.number())
  }

  /** The values of an update: one attribute, or several. */
  update(): ReceivedRecord {
    const all: ReceivedRecord = {
      name: this.from(corner.backfillNames),
      start_datetime: this.from(corner.datetimes),
      end_datetime: this.from(corner.datetimes),
      interval_type: this.from(corner.intervalTypes),
      interval_units: this.from(corner.intervalUnits),
      variables: this.from(corner.variables),
      status: this.from(corner.statuses),
    }
    const names = [this.from(Object.keys(all)), ...Object.keys(all).filter(() => this.number(1) === 0)]
    return Object.fromEntries(names.map((name) => [name, all[name]]))
  }
}

const unknownRecords = [
  'pipeline', 'block', 'delete block', 'create block', 'create backfill', 'update', 'delete',
] as const // biome-ignore format: one list
const deletions = ['', '?force=True', '?force=False', '?block_type=custom']
const queries = ['', '?force=True', '?include_schedules=1', '?_limit=1']

/** Generators of commands, each with its relative frequency. */
const commands: readonly (readonly [weight: number, command: (draw: Draw) => Command])[] = [
  [3, (draw) => create(draw.number(), draw.from(corner.backfillNames))],
  [6, (draw) => ({ do: 'update backfill', backfill: draw.number(), values: draw.update() })],
  [1, (draw) => ({ do: 'update backfill', backfill: draw.number(), values: draw.from(corner.nulls) })],
  [2, (draw) => ({ do: 'delete backfill', backfill: draw.number() })],
  [
    1,
    (draw) => {
      const backfill = draw.number()
      return atOnce({ do: 'delete backfill', backfill }, { do: 'delete backfill', backfill })
    },
  ],
  [
    1,
    (draw) => {
      const backfill = draw.number()
      const values = draw.update()
      return atOnce({ do: 'update backfill', backfill, values }, { do: 'delete backfill', backfill })
    },
  ],
  [
    1,
    (draw) =>
      atOnce(
        ...Array.from({ length: 2 + draw.number(1) }, (_, backfill) => ({
          do: 'update backfill' as const,
          backfill,
          values: draw.update(),
        })),
      ),
  ],
  [
    2,
    (draw) => ({
      do: 'request unknown',
      pipeline: draw.number(),
      what: draw.from(unknownRecords),
      ...(draw.number(1) === 0 && { near: draw.number() }),
      query: draw.from(queries),
    }),
  ],
  [1, (draw) => ({ do: 'request elsewhere', pipeline: draw.number() })],
  [
    3,
    (draw) => ({
      do: 'list backfills',
      pipeline: draw.number(),
      limit: draw.from([undefined, draw.number()]),
      offset: draw.from([undefined, draw.number(6)]),
      withCount: draw.from([undefined, true, false]),
    }),
  ],
  [
    5,
    (draw) => ({
      do: 'create block',
      pipeline: draw.number(),
      name: draw.from(corner.blockNames),
      type: draw.from(corner.blockTypes),
      values: draw.from(corner.blockValues),
      upstream: draw.numbers(3),
      also: draw.numbers(1),
    }),
  ],
  [3, (draw) => ({ do: 'delete block', block: draw.number(), query: draw.from(deletions) })],
  [
    1,
    (draw) => ({
      do: 'filter by similar uuid',
      pipeline: draw.number(),
      near: draw.number(6),
      query: draw.from(wholeQueries),
    }),
  ],
  [1, () => ({ do: 'list everything' })],
  [1, () => ({ do: 'list pipelines' })],
  [1, (draw) => ({ do: 'read triggers', pipeline: draw.number() })],
  [1, (draw) => ({ do: 'create schedules', pipeline: draw.number(), tags: draw.some(corner.tags, 3) })],
  [1, (draw) => ({ do: 'list schedules', pipeline: draw.number(), tags: draw.some(corner.tags, 2) })],
  [1, (draw) => ({ do: 'trigger', schedule: draw.number(), body: draw.from(corner.eventVariables) })],
  [1, (draw) => ({ do: 'trigger wrongly', schedule: draw.number(), near: draw.number() })],
  [
    1,
    (draw) => ({
      do: 'create pipeline',
      word: draw.from(corner.pipelineWords),
      type: draw.from(corner.pipelineTypes),
    }),
  ],
]

/** The generators, each repeated by its frequency. */
const weighted = commands.flatMap(([weight, command]) => Array.from({ length: weight }, () => command))

/** The first commands of a sequence: two pipelines of some types, each with a backfill. */
export const beginningIn = (home: string, next: string, nextWord = 'home-next-door'): readonly Command[] => [
  { do: 'create pipeline', word: 'home', type: home, isFamiliar: true },
  { do: 'create pipeline', word: nextWord, type: next, isFamiliar: true },
  create(0, 'first'),
  create(1, 'of the other pipeline'),
]
export const beginning = beginningIn('python', 'integration')

/** Generates sequences of commands without end. The same seed generates the same ones. */
export function* generateSequences(seed: number): Generator<readonly Command[], never> {
  const draw = new Draw(seededRandom(seed, 'sequences'))
  for (;;)
    yield [...beginning, ...Array.from({ length: 5 + draw.number(2) }, () => draw.from(weighted)(draw))]
}
