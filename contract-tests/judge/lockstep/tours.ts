import type { Command } from './commands.ts'
import * as corner from './corner-values.ts'
import { beginning } from './draw.ts'

/** A story that is always told: together they come to every operation and every value of the dictionaries. */
export interface Tour {
  readonly name: string
  readonly commands: readonly Command[]
}

const create = (pipeline: number, name: string): Command => ({ do: 'create backfill', pipeline, name })
const update = (
  values: Command & { do: 'update backfill' } extends { values: infer V } ? V : never,
  backfill = 0,
): Command => ({
  do: 'update backfill',
  backfill,
  values,
})
const block = (
  pipeline: number,
  name: string,
  type: string,
  values: (typeof corner.blockValues)[number] = {},
  upstream: readonly number[] = [],
): Command => ({ do: 'create block', pipeline, name, type, values, upstream })
const remove = (number: number, query = ''): Command => ({ do: 'delete block', block: number, query })

export const tours: readonly Tour[] = [
  {
    name: 'pipelines of every type and name',
    commands: [
      ...corner.pipelineWords.map(
        (word, index): Command => ({
          do: 'create pipeline',
          word,
          type: corner.pipelineTypes[index % corner.pipelineTypes.length]!,
        }),
      ),
      ...corner.oddPipelineWords.map(
        (word): Command => ({ do: 'create pipeline', word, type: 'python', isOdd: true }),
      ),
      { do: 'list pipelines' },
    ],
  },
  {
    name: 'backfills of every name',
    commands: [
      ...beginning,
      ...corner.backfillNames.map((name, index) => create(index % 2, name)),
      { do: 'list everything' },
    ],
  },
  {
    name: 'one attribute after the other',
    commands: [
      ...beginning,
      update({ start_datetime: corner.datetimes[0] }),
      // A few seconds later: each interval has some dates, and none so many that a target would be long at them.
      update({ end_datetime: '2024-03-01 00:00:07' }),
      update({ interval_type: 'custom' }),
      update({ interval_units: 365 }),
      update({ name: 'renamed ☃' }),
      ...corner.variables.map((variables) => update({ variables })),
      ...corner.intervalTypes.map((interval_type, index) =>
        update({ interval_type, interval_units: corner.intervalUnits[index % 5] }),
      ),
      { do: 'list backfills', pipeline: 0, withCount: true },
      update({ interval_type: 'year', interval_units: 7 }),
      ...corner.datetimes.map((start_datetime) =>
        update({ start_datetime, end_datetime: '2027-01-01 00:00:00' }),
      ),
      { do: 'list backfills', pipeline: 0, withCount: true },
    ],
  },
  {
    name: 'states in several orders',
    commands: [
      ...beginning,
      create(0, 'second'),
      ...['completed', 'failed', 'cancelled', 'running', 'failed', 'initial', 'cancelled', 'completed'].map(
        (status) => update({ status }, 1),
      ),
      update({ status: 'failed', name: 'with a name', interval_units: 2 }, 2),
      update({ name: 'after a status' }, 2),
    ],
  },
  {
    name: 'pages',
    commands: [
      ...beginning,
      { do: 'list backfills', pipeline: 0, limit: 1 },
      ...['a', 'b', 'c', 'd'].map((name) => create(0, name)),
      ...[
        { limit: 1 }, { limit: 2 }, { limit: 2, offset: 2 }, { limit: 2, offset: 4 }, { limit: 3, offset: 4 },
        { limit: 5 }, { limit: 6 }, { limit: 0 }, { offset: 0 }, { offset: 1 }, { offset: 3 }, { offset: 5 }, { offset: 9 },
        { limit: 2, offset: 9 }, { limit: 4, offset: 1 }, { limit: 1, offset: 4 }, { limit: 2, withCount: true },
        { offset: 2, withCount: true }, { withCount: true },
      ].map((page): Command => ({ do: 'list backfills', pipeline: 0, ...page })), // biome-ignore format: a list of pages
      { do: 'delete backfill', backfill: 2 },
      { do: 'list backfills', pipeline: 0, limit: 2, offset: 2 },
      ...corner.nearUuids.map((_, near): Command => ({ do: 'filter nearly', pipeline: 0, near })),
      { do: 'list everything' },
    ],
  },
  {
    name: 'blocks of every type',
    commands: [
      ...beginning,
      ...corner.blockTypes.map((type, index) =>
        block(index % 2, `${corner.blockNames[index % 7]} ${index}`, type, corner.blockValues[index % 8]),
      ),
      ...corner.blockTypes.map(() => remove(0)),
    ],
  },
  {
    name: 'a graph of blocks',
    commands: [
      ...beginning,
      block(0, 'load users', 'data_loader', { content: 'a' }),
      block(0, 'load orders', 'data_loader', { content: 'b' }),
      block(0, 'join both', 'transformer', { content: 'c' }, [0, 1]),
      block(0, 'clean', 'transformer', {}, [2]),
      block(0, 'store', 'data_exporter', {}, [3, 2, 0]),
      block(1, 'load users', 'custom', { content: 'another of the same name' }),
      block(1, 'after it', 'custom', {}, [0]),
      { do: 'ask for nothing', pipeline: 1, what: 'another pipeline' },
      { do: 'read everything again' },
      remove(0),
      remove(2, '?block_type=transformer'),
      remove(4),
      remove(2, '?force=True'),
      remove(0),
      remove(0, '?force=True&block_type=data_loader'),
      { do: 'list pipelines' },
    ],
  },
  {
    name: 'what is not there, and what is refused',
    commands: [
      ...beginning,
      block(0, 'stays', 'custom'),
      ...(['block', 'delete block', 'backfill', 'delete backfill', 'create backfill'] as const).map(
        (what): Command => ({ do: 'ask for nothing', pipeline: 0, what }),
      ),
      ...corner.oddRequests.map((_, odd): Command => ({ do: 'ask oddly', pipeline: 0, odd })),
      { do: 'send refused', pipeline: 0, what: 'block', values: { type: 'custom', content: 'nameless' } },
      { do: 'send refused', pipeline: 0, what: 'pipeline', values: { type: 'python' } },
      { do: 'send refused', pipeline: 0, what: 'block', values: { name: 'no type' } },
    ],
  },
  {
    name: 'deletions',
    commands: [
      ...beginning,
      ...['a', 'b', 'c'].map((name) => create(0, name)),
      update({ name: 'changed before it goes', interval_units: 2, variables: { a: null } }, 0),
      { do: 'delete backfill', backfill: 0 },
      { do: 'delete backfill', backfill: 2 },
      create(0, 'born afterwards'),
      { do: 'delete backfill', backfill: 0 },
    ],
  },
  {
    name: 'schedules, tags and triggers',
    commands: [
      ...beginning.slice(0, 2),
      { do: 'list schedules', pipeline: 0, tags: [] },
      { do: 'create schedule', pipeline: 0, tags: ['red'] },
      { do: 'create schedule', pipeline: 0, tags: ['blue', 'red green'] },
      { do: 'create schedule', pipeline: 0, tags: ['ü & ö=1', 'Red', '100%'] },
      { do: 'create schedule', pipeline: 0, tags: [] },
      { do: 'create schedule', pipeline: 1, tags: ['red', 'next'] },
      ...[[], ['red'], ['Red'], ['re'], ['green'], ['red green'], ['blue', 'red'], ['ü & ö=1'], ['100%', 'red', 'none'], ['none'], ['next'], ['blue', 'red green']].map(
        (tags): Command => ({ do: 'list schedules', pipeline: 0, tags }),
      ), // biome-ignore format: a list of lists
      { do: 'list schedules', pipeline: 1, tags: ['red'] },
      { do: 'read triggers', pipeline: 0 },
      { do: 'read triggers', pipeline: 1 },
      ...corner.eventVariables.map((body, index): Command => ({ do: 'trigger', schedule: index % 5, body })),
      ...corner.nearTokens.map((_, near): Command => ({ do: 'trigger nearly', schedule: near % 3, near })),
      { do: 'list schedules', pipeline: 0, tags: [] },
    ],
  },
  {
    name: 'several at once',
    commands: [
      ...beginning,
      { do: 'create at once', pipeline: 0, names: ['one', 'two', 'three', 'four', 'five'] },
      {
        do: 'update at once',
        backfill: 0,
        all: [
          { name: 'a name' },
          { interval_units: 3 },
          { variables: { at: 'once' } },
          { interval_type: 'week' },
        ],
      },
    ],
  },
  {
    name: 'credentials',
    commands: [
      ...beginning,
      block(0, 'guarded', 'custom'),
      ...[0, 1, 2, 6, 7, 8].map((way): Command => ({ do: 'present credentials', pipeline: 0, way })),
      ...[3, 4, 5, 9, 10].map(
        (way): Command => ({
          do: 'present credentials',
          pipeline: 0,
          way,
          only: ['listPipelines', 'updateBackfill', 'deleteBackfill', 'createBlock'],
        }),
      ),
      { do: 'write with the key in the query', pipeline: 0 },
    ],
  },
]
