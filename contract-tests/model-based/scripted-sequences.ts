import * as corner from './boundary-values.ts'
import type { Command } from './commands.ts'
import { beginning, beginningIn } from './generate.ts'
import { type GuardedOperation, guarded, guardedOperations } from './guarded.ts'
import { invalidRequests } from './invalid-requests.ts'
import {
  blockRounds,
  plannedFilters,
  plannedPages,
  plannedStatuses,
  plannedUpdates,
} from './planned-steps.ts'
import {
  afterRefusals,
  amongGuarded,
  amongInvalid,
  atOnce,
  block,
  create,
  newBlock,
  newName,
  remove,
  sendInvalid,
  twice,
  update,
} from './scripted-steps.ts'
import type { GroupName } from './sequence-groups.ts'
import type { RefusedCreation } from './write-commands.ts'

/** A sequence of every run: together they send every operation and every value of the dictionaries. */
export interface ScriptedSequence {
  readonly name: string
  readonly group: GroupName
  /** True if no other sequence runs meanwhile, so that the order of all requests is certain. */
  readonly isAlone?: boolean
  /** True if it runs only with the conventions. */
  readonly needsConventions?: boolean
  /** True if its records remain until the end of the run. */
  readonly isStored?: boolean
  /** True if it may damage the target, so that it runs once and is not confirmed. */
  readonly isHarmful?: boolean
  /** The number of commands before the first invalid request, and the numbers of invalid requests between commands. */
  readonly invalid?: readonly [skipped: number, from: number, to: number]
  /** Operations that receive wrong credentials before a range of commands; the range includes invalid requests. */
  readonly refuses?: readonly [from: number, to: number, ...operations: readonly GuardedOperation[]]
  readonly commands: readonly Command[]
}

/** Each optional attribute of a block. */
const everyValue = {
  content: corner.everyContent,
  config: corner.everyMember,
  configuration: corner.everyConfiguration,
  language: 'sql',
}

/** Each attribute of a backfill, except for its status. */
const everyAttribute = {
  name: 'every attribute',
  interval_type: 'month',
  interval_units: 4,
  variables: { every: 'attribute' },
  start_datetime: '2024-02-29 10:00:00',
  // One date: the target may have started the backfill.
  end_datetime: '2024-02-29 10:00:00',
} as const

/** Values of backfills that are not listed. */
const unlistedUpdates = [
  ['status', ['no_such_status', ...corner.nearListed('failed')]],
  ['interval_type', ['fortnight', ...corner.nearListed('day')]],
] as const

/** Invalid creations of pipelines. */
const refusedPipelines: readonly RefusedCreation[] = [
  { what: 'pipeline', values: { type: 'python' } },
  { what: 'pipeline', values: { name: 'without-a-type', description: null } },
  ...['no-such-type', ...corner.nearListed('python')].map(
    (type): RefusedCreation => ({ what: 'pipeline', values: { name: 'unlisted', type }, unlisted: 'type' }),
  ),
]

/** Invalid creations of blocks. */
const refusedBlocks: readonly RefusedCreation[] = [
  { what: 'block', values: { type: 'custom', language: 'python' } },
  { what: 'block', values: { name: 'without a type' } },
  ...['no_such_type', ...corner.nearListed('custom')].map(
    (type): RefusedCreation => ({ what: 'block', values: { name: `as ${type}`, type }, unlisted: 'type' }),
  ),
  ...['cobol', ...corner.nearListed('python')].map((language): RefusedCreation => {
    const values = { name: `in ${language}`, type: 'custom', language }
    return { what: 'block', values, unlisted: 'language' }
  }),
]

const moreNames = corner.literalNames.slice(7, 13)

const sequences = (seed: number): readonly ScriptedSequence[] => [
  {
    name: 'keys, sessions and tokens',
    group: 'credentials',
    isAlone: true,
    commands: [{ do: 'present key' }, { do: 'sign in wrongly' }, { do: 'sign in' }, { do: 'page tokens' }],
  },
  {
    name: 'a run that writes logs',
    group: 'trigger',
    isAlone: true,
    needsConventions: true,
    isStored: true,
    commands: [
      { do: 'create pipeline', word: 'logged', type: 'python', isFamiliar: true },
      { do: 'create pipeline', word: 'without-runs', type: 'python', isFamiliar: true },
      // Blocks without content run fast, and do the same on every target.
      block(0, 'step one', 'data_loader', { language: 'python' }),
      block(0, 'step two', 'data_loader', { language: 'python' }),
      { do: 'create schedules', pipeline: 0, tags: [] },
      { do: 'trigger', schedule: 0, body: {} },
      { do: 'store for logs' },
    ],
  },
  {
    name: 'a schedule that is given',
    group: 'trigger',
    isAlone: true,
    commands: [{ do: 'trigger given' }],
  },
  {
    name: 'schedules of other clients',
    group: 'schedules',
    isAlone: true,
    commands: [{ do: 'read other schedules' }],
  },
  { name: 'logs', group: 'logs', isAlone: true, commands: [{ do: 'page logs' }] },
  {
    name: 'pipelines of every type and name',
    group: 'pipelines',
    refuses: [1, 99, 'readPipeline', 'listPipelines'],
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
      { do: 'create pipeline', word: 'plain', type: 'python', isPlain: true },
      { do: 'read triggers', pipeline: 0 },
      { do: 'list pipelines' },
    ],
  },
  {
    name: 'backfills of every name, and pages of them',
    invalid: [4, 36, 60],
    refuses: [52, 999, 'listBackfills', 'listOauthAccessTokens'],
    group: 'backfills',
    commands: [
      ...beginning,
      ...corner.backfillNames.slice(0, 3).map((name) => create(0, name)),
      // A list of more than twenty.
      atOnce(...corner.backfillNames.slice(3, 9).map((name, index) => create(index === 5 ? 1 : 0, name))),
      atOnce(...corner.backfillNames.slice(9).map((name) => create(0, name))),
      atOnce(...moreNames.map((name) => create(0, name))),
      // A started backfill has more timestamps.
      ...corner.statuses.map((status, index) => update({ status }, 3 + index)),
      atOnce(...corner.statuses.map((_, index) => update(everyAttribute, 3 + index))),
      ...plannedPages(seed),
      // Repeated pages: one of two requests has nothing else in its query.
      ...twice({ do: 'list backfills', pipeline: 0, offset: 1 }),
      { do: 'delete backfill', backfill: 2 },
      ...twice({ do: 'list backfills', pipeline: 0, offset: 1 }),
      ...plannedFilters,
      { do: 'read nested list', pipeline: 0 },
      { do: 'list everything' },
      // Three backfills with one name, one of them in another pipeline: each write is for one of them.
      ...[0, 1, 0].map((pipeline) => create(pipeline, 'of one name')),
      update({ status: 'failed', interval_units: 3 }, -1),
      { do: 'list everything' },
      { do: 'delete backfill', backfill: -1 },
      // Several backfills in one status.
      atOnce(...corner.statuses.map((status, index) => update({ status }, 9 + index))),
      // One backfill of each status: after each deletion, the next one is the third.
      ...twice({ do: 'delete backfill', backfill: 2 }),
      atOnce(...[2, 3, 4].map((backfill) => ({ do: 'delete backfill' as const, backfill }))),
      atOnce(...corner.oddNames.map((name) => create(1, name))),
      // A target may accept or refuse it, and the sequence ends.
      update({ interval_units: 0 }),
    ],
  },
  {
    name: 'one attribute after the other, and states in several orders',
    invalid: [6, 14, 36],
    refuses: [54, 999, 'listPipelineSchedules', 'listLogs'],
    group: 'backfills',
    commands: [
      // With a uuid that is longer than most columns.
      ...beginningIn('pyspark', 'streaming', `${'next-'.repeat(14)}door`),
      create(0, '007'),
      create(0, '0'),
      update({ start_datetime: corner.datetimes[0] }),
      update({ end_datetime: corner.datetimes[1] }, 2),
      update({ interval_type: 'custom' }),
      update({ interval_units: 365 }, 2),
      ...corner.backfillNames.slice(-1).map((name) => update({ name })),
      ...plannedUpdates.map((values, index) => update(values, index % 2 === 0 ? 0 : 2)),
      ...corner.nulls.map((values, index) => update(values, index % 2 === 0 ? 0 : 2)),
      ...corner.oddUpdates.map(
        (values): Command => ({ do: 'update backfill', backfill: 2, values, isOdd: true }),
      ),
      // A target can start a backfill that has a date.
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
      ...plannedStatuses(1),
      update({ status: 'failed', ...newName(15) }, 3),
      update({ status: 'failed', name: 'with a name', interval_units: 2, variables: { a: 1 } }, 3),
      update({ status: 'cancelled', name: 'cancelled with a name' }, 3),
      // No other status follows this one.
      update({}, 3),
      update({ name: 'after a status', interval_type: 'week' }, 3),
      { do: 'list backfills', pipeline: 0, withCount: true },
      { do: 'read everything again' },
      // A target may accept or refuse it, and the sequence ends.
      update({ interval_units: -3 }),
    ],
  },
  {
    name: 'blocks of every type',
    group: 'blocks',
    invalid: [2, 0, 14],
    refuses: [8, 30, 'readBlock'],
    commands: [
      ...beginningIn('streaming', 'pyspark').slice(0, 2),
      ...blockRounds.flatMap((rounds) => rounds.map((blocks) => atOnce(...blocks))),
      // Each type of block has one dependent, of another type.
      atOnce(...corner.blockTypes.map((_, index) => remove(index))),
      block(0, 'after all', 'custom', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
      {
        do: 'create block',
        pipeline: 0,
        ...newBlock(''),
        values: { content: 'a' },
        isNumeric: true,
        isOdd: true,
      },
      remove(-1),
      // Several blocks depend on it.
      remove(0, '?block_type=data_loader'),
      remove(-1),
      // No block depends on those of the last round.
      atOnce(...corner.blockTypes.map((_, index) => remove(-1 - index, '?block_type={type}'))),
      // Last: the sequence ends if a path cannot contain the uuid.
      {
        do: 'create block',
        pipeline: 0,
        name: 'in a/path',
        type: 'custom',
        values: {},
        upstream: [],
        isOdd: true,
      },
    ],
  },
  {
    name: 'a graph of blocks',
    group: 'blocks',
    commands: [
      ...beginningIn('integration', 'python'),
      { do: 'create pipeline', word: 'third', type: 'streaming', isFamiliar: true },
      block(0, 'load users', 'data_loader', {
        content: corner.literalContents[0],
        language: 'python',
        configuration: { data_provider: 'postgres' },
      }),
      block(0, 'load orders', 'data_loader', { content: corner.literalContents[1] }),
      block(0, 'join both', 'transformer', { content: 'ünï ☃' }, [0, 1]),
      block(0, 'clean', 'transformer', { content: corner.literalContents[2] }, [2]),
      block(0, 'store', 'data_exporter', {}, [3, 2, 0]),
      block(1, 'load users', 'custom', {
        content: 'another of the same name',
        language: 'sql',
        configuration: { data_provider: 'mysql' },
      }),
      block(1, 'after it', 'custom', {}, [0]),
      block(1, 'after it as well', 'custom', {}, [0]),
      remove(5, '?force=True'),
      {
        do: 'create block',
        pipeline: 1,
        ...newBlock('in all pipelines'),
        values: {
          priority: 0,
          content: 'the same ☃ in all',
          language: 'sql',
          configuration: { data_provider: 'x' },
        },
        also: [0, 1],
      },
      block(0, 'comes first', 'data_loader', { priority: 0 }),
      block(0, 'comes third', 'custom', { priority: 2, color: 'red' }),
      { do: 'request elsewhere', pipeline: 1 },
      { do: 'read everything again' },
      remove(0),
      remove(2, '?block_type=transformer'),
      remove(4, '?force=False'),
      remove(2, '?force=True'),
      remove(0),
      remove(0, '?force=True&block_type=data_loader'),
      // A block in two pipelines, deleted from one of them.
      {
        do: 'create block',
        pipeline: 0,
        ...newBlock('stays next door'),
        values: { content: 'in two', language: 'r' },
        upstream: [1],
        also: [0],
      },
      remove(-1),
      { do: 'list pipelines' },
    ],
  },
  {
    // A diamond contains a chain, a fork and a join.
    name: 'refused deletions in a diamond of blocks',
    group: 'blocks',
    commands: [
      ...beginning.slice(0, 1),
      block(0, 'top', 'data_loader', { content: corner.literalContents[3] }),
      // The name of a deleted block is free again, and the new one inherits nothing.
      {
        do: 'create block',
        pipeline: 0,
        name: 'made twice',
        type: 'custom',
        values: { ...everyValue, content: corner.longContent },
        upstream: [0],
        isOdd: true,
      },
      remove(-1),
      {
        do: 'create block',
        pipeline: 0,
        ...newBlock('made twice'),
        values: { language: 'python', configuration: { data_provider: 'mysql' } },
        isAgain: true,
      },
      // An unnecessary forced deletion: the target must still refuse the next requests.
      remove(-1, '?force=True'),
      block(0, 'left', 'transformer', { content: corner.literalContents[4] }, [0]),
      block(
        0,
        'right',
        'transformer',
        { content: corner.literalContents[5], configuration: { data_provider: 'x' } },
        [0],
      ),
      block(0, 'bottom', 'data_exporter', {}, [1, 2]),
      ...twice(remove(0)),
      remove(1),
      ...twice(remove(2)),
      { do: 'read everything again' },
      remove(3),
      // First two blocks depend on it, and then one.
      remove(0),
      remove(2),
      remove(0),
      block(0, 'after refusals', 'custom', {}, [1]),
      remove(1),
      // The target refuses it without force, and deletes it with force.
      remove(1, '?force=True'),
      remove(1),
      remove(0),
      { do: 'read everything again' },
    ],
  },
  {
    name: 'credentials',
    group: 'sequences',
    commands: [
      ...beginning.slice(0, 3),
      block(0, 'guarded', 'custom'),
      ...guardedOperations
        .filter((to) => guarded[to].method !== 'GET')
        .map((to): Command => ({ do: 'send wrong credentials', pipeline: 0, to })),
    ],
  },
  {
    name: 'unknown records and refusals, and valid requests after each of them',
    group: 'sequences',
    isAlone: true,
    commands: [
      ...beginning,
      block(0, 'stays', 'custom'),
      // No other sequence writes meanwhile.
      { do: 'page everything' },
      { do: 'request elsewhere', pipeline: 1 },
      ...afterRefusals,
      ...invalidRequests.slice(60).map(sendInvalid),
      { do: 'send refused', pipeline: 0, what: 'block', values: { type: 'custom', content: 'nameless' } },
      { do: 'send refused', pipeline: 0, what: 'pipeline', values: { type: 'python' } },
      // First unknown, then known.
      sendInvalid({ method: 'GET', path: '/api/pipelines/{prefix}_right_after_it' }),
      { do: 'create pipeline', word: 'right-after-it', type: 'python' },
      { do: 'send refused', pipeline: 0, what: 'block', values: { name: 'no type' } },
      sendInvalid({ method: 'GET', path: '/api/pipelines/{pipeline}/blocks/right_after_it_{prefix}' }),
      block(0, 'right after it', 'custom'),
      { do: 'read concurrently', pipeline: 0, of: 'records' },
      // A correct request after each refusal.
      ...[0, 6].flatMap((first, index): Command[] => [
        { do: 'send malformed', pipeline: 0, first },
        update({ interval_units: index + 1 }),
        create(0, 'bare'),
      ]),
      // Operations that only the conventions describe come last: without them, the sequence ends here.
      { do: 'create schedules', pipeline: 0, tags: ['red', 'blue'] },
      { do: 'create schedules', pipeline: 0, tags: [] },
      { do: 'request unknown', pipeline: 0, what: 'block', near: 4 },
      { do: 'list schedules', pipeline: 0, tags: ['blue'] },
      { do: 'trigger', schedule: 0, body: {} },
      { do: 'trigger wrongly', schedule: 0, near: 1 },
      { do: 'request unknown', pipeline: 0, what: 'pipeline', near: 3 },
      { do: 'trigger', schedule: 0, body: { after: { a: ['refusal'] } } },
      { do: 'read everything again' },
      { do: 'request unknown', pipeline: 0, what: 'pipeline', near: 4 },
      { do: 'list schedules', pipeline: 0, tags: [] },
      { do: 'read concurrently', pipeline: 0, of: 'schedules' },
    ],
  },
  {
    name: 'schedules, tags and triggers',
    group: 'trigger',
    commands: [
      ...beginning.slice(0, 2),
      { do: 'list schedules', pipeline: 0, tags: [] },
      { do: 'create schedules', pipeline: 0, tags: ['red'] },
      { do: 'create schedules', pipeline: 0, tags: ['blue', 'red green'] },
      { do: 'create schedules', pipeline: 0, tags: ['ü & ö=1', 'Red', '100%', 'a+b', '42', `it's "q"`] },
      { do: 'create schedules', pipeline: 0, tags: [] },
      { do: 'create schedules', pipeline: 1, tags: ['red', 'next'] },
      { do: 'create schedules', pipeline: 1, tags: [] },
      ...[[], ['red'], ['Red'], ['re'], ['red green'], ['blue', 'red'], ['ü & ö=1'], ['none', '100%', 'red', 'red'], ['none'], ['next'], ['r_d'], ['%'], ['a+b'], [`it's "q"`], ['none', 'nor', 'neither', 'Red', 'no', '42'], ['red,blue'], ['u & o=1'], ['red ']].map(
        (tags): Command => ({ do: 'list schedules', pipeline: 0, tags }),
      ), // biome-ignore format: a list of lists
      { do: 'list schedules', pipeline: 1, tags: ['red'] },
      block(0, 'in a scheduled pipeline', 'data_loader'),
      { do: 'read triggers', pipeline: 0 },
      { do: 'read triggers', pipeline: 1 },
      { do: 'list pipelines' },
      // Sends each body also after a refusal, and concurrently with others.
      ...corner.nearTriggers.flatMap((_, near): Command[] => [
        { do: 'trigger wrongly', schedule: near % 3, near },
        {
          do: 'trigger',
          schedule: near % 5,
          body: corner.eventVariables[near % corner.eventVariables.length]!,
        },
      ]),
      { do: 'trigger', schedule: 1, body: { after: 'refusals' } },
      // The same names with other values.
      { do: 'trigger', schedule: 1, body: { after: ['it', 2] } },
      atOnce(
        ...corner.eventVariables.map((body, schedule) => ({
          do: 'trigger' as const,
          schedule: schedule % 3,
          body,
        })),
      ),
      // The only type that the specification shows.
      { do: 'create schedules', pipeline: 1, tags: [], type: 'time' },
      { do: 'trigger', schedule: 6, body: { type: 'time' } },
      // More than ten of one pipeline.
      { do: 'create schedules', pipeline: 0, tags: [], count: 8 },
      { do: 'list schedules', pipeline: 0, tags: [] },
      // A list, read before and after a change.
      { do: 'create schedules', pipeline: 0, tags: ['red'] },
      { do: 'list schedules', pipeline: 0, tags: ['red'] },
    ],
  },
  {
    name: 'several at once, and deletions',
    group: 'sequences',
    commands: [
      ...beginning,
      atOnce(
        { do: 'request unknown', pipeline: 0, what: 'delete' },
        ...corner.literalNames.slice(2, 7).map((name) => create(0, name)),
      ),
      atOnce(
        update({ name: 'a name' }),
        update({ interval_units: 3 }),
        update({ variables: { at: 'once' } }),
        update({ interval_type: 'week' }),
        update({ start_datetime: '2026-01-01 00:00:00' }),
        update({ end_datetime: '2026-01-02 00:00:00' }),
      ),
      atOnce(
        update({ name: 'one of three' }),
        update({ name: 'two of three', interval_units: 2 }, 2),
        update({ variables: {} }, 3),
      ),
      update({ name: 'changed before it goes', interval_units: 2, variables: { a: null } }, 0),
      { do: 'delete backfill', backfill: 0 },
      atOnce({ do: 'delete backfill', backfill: 2 }, { do: 'delete backfill', backfill: 2 }),
      atOnce({ do: 'delete backfill', backfill: 2 }, { do: 'delete backfill', backfill: 3 }),
      atOnce(
        ...['at-once', 'as-well'].map((word) => ({ do: 'create pipeline' as const, word, type: 'python' })),
      ),
      // A new backfill inherits nothing from a deleted one of the same name.
      create(0, 'changed before it goes'),
      atOnce(update({ name: 'too late' }), { do: 'delete backfill', backfill: 0 }),
      atOnce(...['one', 'two', 'three', 'four', 'five', 'six'].map((name) => block(0, name, 'custom'))),
      atOnce(remove(-1), remove(-2)),
      atOnce(block(0, 'seven', 'custom'), remove(-1)),
      { do: 'read everything again' },
    ],
  },
  {
    // Last: a target may store an invalid record, and fail on it later.
    name: 'refused pipelines',
    group: 'pipelines',
    isAlone: true,
    commands: [
      ...beginning.slice(0, 1),
      { do: 'request unknown', pipeline: 0, what: 'pipeline' },
      ...refusedPipelines.map((refused): Command => ({ do: 'send refused', pipeline: 0, ...refused })),
      { do: 'create pipeline', word: 'without-a-type', type: 'python' },
    ],
  },
  {
    name: 'refused blocks',
    group: 'blocks',
    isAlone: true,
    commands: [
      // If the target accepts an invalid block, the sequence continues with the next pipeline.
      ...['home', 'next'].map(
        (word): Command => ({ do: 'create pipeline', word, type: 'python', isFamiliar: true }),
      ),
      { do: 'request unknown', pipeline: 0, what: 'block' },
      { do: 'request unknown', pipeline: 0, what: 'delete block' },
      { do: 'request unknown', pipeline: 0, what: 'create block' },
      ...refusedBlocks.map((refused): Command => ({ do: 'send refused', pipeline: 0, ...refused })),
      block(0, 'without a type', 'custom'),
    ],
  },
  {
    // Alone: the second deletion comes right after an error.
    name: 'refused backfills',
    group: 'backfills',
    isAlone: true,
    commands: [
      ...beginning.slice(0, 3),
      { do: 'request unknown', pipeline: 0, what: 'create backfill' },
      { do: 'request unknown', pipeline: 0, what: 'update' },
      { do: 'create backfill', pipeline: 0, name: 'by the sample', isSample: true },
      { do: 'delete backfill', backfill: 0 },
      // The last record, right after its creation: no other write comes between.
      create(0, 'deleted at once'),
      { do: 'delete backfill', backfill: -1 },
      { do: 'list everything' },
    ],
  },
  {
    name: 'attributes of other JSON types',
    group: 'damage',
    isAlone: true,
    isHarmful: true,
    commands: [
      // Each in a separate pipeline, if the target accepts one.
      ...beginning,
      { do: 'create pipeline', word: 'third', type: 'python', isFamiliar: true },
      ...(['createPipeline', 'createBackfill', 'updateBackfill', 'createBlock'] as const).map(
        (to): Command => ({ do: 'send mistyped', pipeline: 0, to }),
      ),
    ],
  },
  ...unlistedUpdates.map(
    ([attribute, unlisted]): ScriptedSequence => ({
      // In a separate pipeline: a damaged record may break the whole list of its pipeline.
      name: `unlisted values of ${attribute}`,
      group: 'damage',
      isAlone: true,
      isHarmful: true,
      commands: [
        ...beginning.slice(0, 1),
        create(0, 'damaged'),
        { do: 'update unlisted', backfill: 0, attribute, unlisted },
      ],
    }),
  ),
]

/** The scripted sequences of a run; the seed selects among equal combinations, and their order. */
export const scriptedSequences = (seed: number): readonly ScriptedSequence[] =>
  sequences(seed).map((sequence) => {
    const { commands, invalid, refuses } = sequence
    const among = invalid === undefined ? commands : amongInvalid(commands, ...invalid)
    return { ...sequence, commands: refuses === undefined ? among : amongGuarded(among, ...refuses) }
  })
