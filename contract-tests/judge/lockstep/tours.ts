import type { Command } from './commands.ts'
import * as corner from './corner-values.ts'
import { beginning } from './draw.ts'
import type { Nothing } from './refused-commands.ts'

/** A story that is always told: together they come to every operation and every value of the dictionaries. */
export interface Tour {
  readonly name: string
  /** Whether nothing else is told meanwhile: what comes after what is then sure. */
  readonly isAlone?: boolean
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
const newBlock = (name: string, type = 'custom') => ({ name, type, values: {}, upstream: [] })
const remove = (number: number, query = ''): Command => ({ do: 'delete block', block: number, query })

/** What is not there: far from what is and near it, with what may be asked for besides. */
const nothings: readonly Nothing[] = [
  { what: 'pipeline' }, { what: 'pipeline', near: 0, query: '?include_schedules=1' }, { what: 'pipeline', near: 1 },
  { what: 'block' }, { what: 'block', near: 0 }, { what: 'block', near: 1 }, { what: 'block', near: 2 },
  { what: 'delete block' }, { what: 'delete block', near: 0, query: '?force=True' },
  { what: 'delete block', near: 1, query: '?block_type=custom' }, { what: 'delete block', query: '?force=True&block_type=custom' },
  { what: 'create block' }, { what: 'create block', near: 0 }, { what: 'create backfill' },
  { what: 'create backfill', near: 0 }, { what: 'create backfill', near: 1 },
  { what: 'update' }, { what: 'update', near: 0 }, { what: 'update', near: 2 },
  { what: 'delete' }, { what: 'delete', near: 0 }, { what: 'delete', near: 1 },
] // biome-ignore format: a list of what is asked for

/** What is right, each after a refusal. */
const rightAfter: readonly Command[] = [
  block(0, 'made after a refusal', 'custom', { content: 'Ünï ☃\n', config: { a: [0, null] }, configuration: { data_provider: 'x' }, priority: 0 }),
  create(0, 'Ünï made after a refusal '),
  update({ name: 'Ünï changed', variables: { a: null }, interval_units: 3 }),
  { do: 'list backfills', pipeline: 0, limit: 1, offset: 1 },
  block(0, 'depends on it', 'transformer', { content: 'b' }, [1]),
  { do: 'create pipeline', word: 'a-b-c', type: 'streaming' },
  update({ start_datetime: '2024-02-29 23:59:59', end_datetime: '2024-03-01 00:00:01', interval_type: 'custom' }, 2),
  remove(1),
  { do: 'list pipelines' },
  create(1, 'another'),
  { do: 'update each at once', pipeline: 0, all: [{ name: 'ä' }, { interval_units: 2 }] },
  { do: 'list everything' },
  { do: 'create at once', pipeline: 0, names: ['a', 'b'] },
  { do: 'delete backfill', backfill: 3 },
  { do: 'update and delete at once', backfill: 2, values: { name: 'late' } },
  remove(2),
] // biome-ignore format: one step a line

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
    name: 'backfills of every name, and pages of them',
    commands: [
      ...beginning,
      { do: 'list backfills', pipeline: 0, limit: 1 },
      ...corner.backfillNames.map((name, index) => create(index % 3 === 2 ? 1 : 0, name)),
      ...[
        { limit: 1 }, { limit: 2, offset: 2 }, { limit: 2, offset: 4 }, { limit: 3, offset: 10 }, { limit: 12 }, { limit: 13 },
        { limit: 0 }, { offset: 0 }, { offset: 1 }, { offset: 12 }, { offset: 19 }, { limit: 2, offset: 19 },
        { limit: 5, offset: 1 }, { limit: 1, offset: 11 }, { limit: 2, withCount: true }, { offset: 2, withCount: true },
        { limit: 4, offset: 7, withCount: true }, { withCount: true },
      ].map((page): Command => ({ do: 'list backfills', pipeline: 0, ...page })), // biome-ignore format: a list of pages
      { do: 'delete backfill', backfill: 2 },
      { do: 'list backfills', pipeline: 0, limit: 2, offset: 2 },
      ...corner.nearFilters.map((_, near): Command => ({ do: 'filter nearly', pipeline: 0, near })),
      { do: 'list everything' },
      { do: 'page everything' },
    ],
  },
  {
    name: 'one attribute after the other, and states in several orders',
    commands: [
      ...beginning,
      create(0, 'second'),
      create(0, 'third'),
      update({ start_datetime: corner.datetimes[0] }),
      update({ end_datetime: corner.datetimes[1] }, 2),
      update({ interval_type: 'custom' }),
      update({ interval_units: 365 }, 2),
      update({ name: 'renamed ☃' }),
      ...corner.variables.map((variables, index) => update({ variables }, index % 2 === 0 ? 0 : 2)),
      ...corner.intervalTypes.map((interval_type, index) =>
        update({ interval_type, interval_units: corner.intervalUnits[index % 5] }, index % 3),
      ),
      // Few dates in many years: a target may be long at many.
      update({ interval_type: 'year', interval_units: 7 }),
      update({ interval_type: 'year', interval_units: 7 }, 2),
      // Both get every value, alone and together.
      ...corner.datetimes.map((start_datetime, index) => {
        const end_datetime = corner.datetimes[(index + 2) % corner.datetimes.length]
        return update({ ...(index % 3 !== 2 && { start_datetime }), end_datetime }, index % 2 === 0 ? 0 : 2)
      }),
      ...corner.nulls.map((values, index) => update(values, index % 2 === 0 ? 0 : 2)),
      // One that has a date can be started.
      update(
        {
          start_datetime: '2024-02-29 23:59:59',
          end_datetime: '2024-02-29 23:59:59',
          interval_type: 'day',
          interval_units: 1,
        },
        3,
      ),
      update({ status: 'initial' }, 3),
      ...['completed', 'failed', 'cancelled', 'running', 'failed', 'initial', 'cancelled', 'completed'].map(
        (status, index) => update({ status }, index % 3 === 2 ? 3 : 1),
      ),
      update({ status: 'cancelled' }, 3),
      update({ status: 'failed', name: 'with a name', interval_units: 2, variables: { a: 1 } }, 3),
      update({ name: 'after a status' }, 3),
      { do: 'list backfills', pipeline: 0, withCount: true },
      // Whether it is taken is not said, and the story ends with it.
      update({ interval_units: -3 }),
    ],
  },
  {
    name: 'blocks of every type',
    commands: [
      ...beginning,
      ...corner.blockTypes.map((type, index) =>
        block(index % 2, `${corner.blockNames[index % 9]} ${index}`, type, corner.blockValues[index % 11]),
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
      {
        do: 'create block',
        pipeline: 1,
        ...newBlock('in both pipelines'),
        values: { priority: 0 },
        also: [0],
      },
      block(0, 'comes first', 'data_loader', { priority: 0 }),
      block(0, 'comes third', 'custom', { priority: 2, color: 'red' }),
      { do: 'ask elsewhere', pipeline: 1 },
      { do: 'read everything again' },
      remove(0),
      remove(2, '?block_type=transformer'),
      remove(4, '?force=False'),
      remove(2, '?force=True'),
      remove(0),
      remove(0, '?force=True&block_type=data_loader'),
      { do: 'list pipelines' },
    ],
  },
  {
    name: 'what is not there and what is refused, and what is right after each of them',
    isAlone: true,
    commands: [
      ...beginning,
      block(0, 'stays', 'custom'),
      ...nothings.flatMap((nothing, index): Command[] => [
        { do: 'ask for nothing', pipeline: 0, ...nothing },
        ...rightAfter.slice(index, index + 1),
      ]),
      ...corner.oddRequests.map((_, odd): Command => ({ do: 'ask oddly', pipeline: 0, odd })),
      { do: 'send refused', pipeline: 0, what: 'block', values: { type: 'custom', content: 'nameless' } },
      { do: 'send refused', pipeline: 0, what: 'pipeline', values: { type: 'python' } },
      { do: 'send refused', pipeline: 0, what: 'block', values: { name: 'no type' } },
      { do: 'read everything again' },
      { do: 'read everything again' },
      ...[0, 5, 10].map((first): Command => ({ do: 'send malformed', pipeline: 0, first })),
      // What only the conventions describe comes last: without them the story is over.
      { do: 'create schedule', pipeline: 0, tags: ['red', 'blue'] },
      { do: 'create schedule', pipeline: 0, tags: [] },
      { do: 'ask for nothing', pipeline: 0, what: 'block' },
      { do: 'list schedules', pipeline: 0, tags: ['blue'] },
      { do: 'trigger nearly', schedule: 0, near: 1 },
      { do: 'ask for nothing', pipeline: 0, what: 'pipeline' },
      { do: 'trigger', schedule: 0, body: { after: { a: ['refusal'] } } },
      { do: 'ask for nothing', pipeline: 0, what: 'pipeline' },
      { do: 'list schedules', pipeline: 0, tags: [] },
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
      ...[[], ['red'], ['Red'], ['re'], ['green'], ['red green'], ['blue', 'red'], ['ü & ö=1'], ['none', '100%', 'red'], ['none', 'red', 'blue'], ['none'], ['next'], ['blue', 'red green']].map(
        (tags): Command => ({ do: 'list schedules', pipeline: 0, tags }),
      ), // biome-ignore format: a list of lists
      { do: 'list schedules', pipeline: 1, tags: ['red'] },
      block(0, 'in a scheduled pipeline', 'data_loader'),
      { do: 'read triggers', pipeline: 0 },
      { do: 'read triggers', pipeline: 1 },
      { do: 'list pipelines' },
      ...corner.eventVariables.map((body, index): Command => ({ do: 'trigger', schedule: index % 5, body })),
      ...corner.nearTokens.map((_, near): Command => ({ do: 'trigger nearly', schedule: near % 3, near })),
      { do: 'trigger', schedule: 1, body: { after: 'refusals' } },
      { do: 'trigger each at once', pipeline: 0, bodies: [{ a: 1 }, { b: 2 }, {}] },
      { do: 'list schedules', pipeline: 0, tags: [] },
    ],
  },
  {
    name: 'several at once, and deletions',
    commands: [
      ...beginning,
      { do: 'create at once', pipeline: 0, names: ['one', 'two', 'three'] },
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
      {
        do: 'update each at once',
        pipeline: 0,
        all: [{ name: 'one of three' }, { interval_units: 2 }, { variables: {} }],
      },
      update({ name: 'changed before it goes', interval_units: 2, variables: { a: null } }, 0),
      { do: 'delete backfill', backfill: 0 },
      { do: 'delete twice at once', backfill: 2 },
      create(0, 'born afterwards'),
      { do: 'update and delete at once', backfill: 0, values: { name: 'too late' } },
      {
        do: 'create blocks at once',
        pipeline: 0,
        blocks: [newBlock('one'), newBlock('two', 'dbt'), newBlock('three')],
      },
      { do: 'read with and without credentials at once', pipeline: 0 },
    ],
  },
  {
    name: 'credentials',
    commands: [
      ...beginning,
      block(0, 'guarded', 'custom'),
      { do: 'sign in', pipeline: 0 },
      { do: 'sign in nearly' },
      { do: 'sign in', pipeline: 0 },
      { do: 'page tokens' },
      { do: 'page logs', pipeline: 0 },
      { do: 'present nearly', pipeline: 0, of: 'key' },
      { do: 'present nearly', pipeline: 0, of: 'token' },
    ],
  },
]
