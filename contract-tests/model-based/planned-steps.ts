import type { ReceivedRecord } from '../runner/replies.ts'
import {
  backfillNames,
  besideTheGraph,
  blockLanguages,
  blockNames,
  blockTypes,
  blockValues,
  datetimes,
  everyConfiguration,
  everyContent,
  everyMember,
  intervals,
  intervalTypes,
  literalNames,
  nearFilters,
  statuses,
  variables,
} from './boundary-values.ts'
import type { Command, PlannedCommand } from './commands.ts'
import { cover } from './coverage-plan.ts'
import type { BackfillPage } from './read-commands.ts'

/** A page with a choice for each part; the choice may be to omit it. */
type PlannedPage = Required<BackfillPage>

const limits: readonly PlannedPage['limit'][] = [
  undefined,
  0,
  1,
  2,
  { ofRest: -1 },
  { ofRest: 0 },
  { ofRest: 1 },
]
const offsets: readonly PlannedPage['offset'][] = [undefined, 0, 1, { left: 3 }, { left: 0 }, { left: -5 }]
/** The values at the edges: nothing, one, and just within or past the end. */
const [edgeLimits, edgeOffsets] = [
  limits.filter((limit) => limit !== 0 && limit !== 2),
  offsets.filter((offset) => offset !== 0),
]

/**
 * The requested pages of a list of backfills: every limit, every offset, each pair of edges, and each of them with
 * and without the run count.
 */
export function plannedPages(seed: number): Command[] {
  const rows = cover<PlannedPage>(
    {
      factors: { limit: limits, offset: offsets, withCount: [true, false] },
      every: [
        [
          ['limit', 'offset'],
          ({ limit, offset }) => edgeLimits.includes(limit) && edgeOffsets.includes(offset),
        ],
        [
          ['limit', 'offset', 'withCount'],
          ({ limit, offset }) => typeof limit === 'object' && (offset === 1 || isLeft(offset, 3)),
        ],
        [['limit', 'withCount']],
        [['offset', 'withCount']],
      ],
      // Past the end, a limit has no effect.
      isPossible: ({ limit, offset }) =>
        !((isLeft(offset, 0) || isLeft(offset, -5)) && typeof limit === 'object') &&
        !(limit === undefined && offset === undefined),
    },
    seed,
  )
  // Consecutive pages differ in one parameter, if possible.
  const others = ({ offset, withCount }: PlannedPage) => JSON.stringify([withCount, offset ?? null])
  const ordered = rows.toSorted((one, other) => others(one).localeCompare(others(other)))
  const shifted = [{ limit: 2 }, { limit: 2, offset: 1 }, { limit: 2, offset: 2 }]
  return [...ordered, ...shifted].map((page): Command => ({ do: 'list backfills', pipeline: 0, ...page }))
}

const isLeft = (offset: PlannedPage['offset'], left: number) =>
  typeof offset === 'object' && offset.left === left

/** Filters with a text similar to a uuid: each alone, with every other parameter, or with an offset alone. */
export const plannedFilters: readonly Command[] = nearFilters.flatMap((_, near) =>
  ['', near % 3 === 0 ? '&_offset=1' : '&_offset=1&_limit=60&include_run_count=true'].map(
    (query): Command => ({ do: 'filter by similar uuid', pipeline: 0, near, query }),
  ),
)

/**
 * Updates without a status: each attribute comes with each other one and nothing else, and has each of its values. The
 * dates are few in many years: many occupy a target for long.
 */
export const plannedUpdates: readonly ReceivedRecord[] = [
  // An empty object replaces a large one.
  ...[...variables, {}, {}].map((value, index) => ({
    variables: value,
    ...[
      { name: literalNames[1] },
      { interval_units: 2 },
      { interval_type: 'hour' },
      { start_datetime: datetimes[3] },
      { end_datetime: datetimes[4] },
    ][index],
  })),
  ...intervals.map(([interval_type, interval_units], index) => ({
    interval_type,
    interval_units,
    ...(index % 2 === 0 && { name: backfillNames[index] }),
  })),
  { name: backfillNames[8], interval_units: 1 },
  { name: backfillNames[9], interval_type: 'minute' },
  ...['a', 'b'].map(() => ({ interval_type: 'year', interval_units: 7 })),
  ...datetimes.map((value, index) => {
    const start = { start_datetime: value }
    const end = { end_datetime: datetimes[(index + 2) % datetimes.length] }
    const name = { name: backfillNames[index + 10] }
    const others: readonly ReceivedRecord[] = [
      { ...start, ...end },
      { ...start, ...name },
      { ...end, ...name },
      { ...start, interval_type: 'year' },
      { ...end, interval_type: 'year' },
      { ...start, interval_units: 7 },
      // An end before the start.
      { end_datetime: datetimes[3], interval_units: 7 },
    ]
    return others[index % others.length] ?? start
  }),
]

/** The optional attributes of blocks: each is with and without each other one. */
const optional: readonly ReceivedRecord[] = [
  { content: everyContent, configuration: everyConfiguration },
  { config: everyMember },
  { configuration: everyConfiguration, config: everyMember },
  { content: everyContent },
]
const defaultLanguage = 'python'
/** A type of block for each language: a target may refuse a language for any other type. */
const typesByLanguage: Readonly<Record<string, string>> = {
  sql: 'data_exporter',
  r: 'transformer',
  yaml: 'custom',
  markdown: 'markdown',
}
/** The values of the last round. Without a position: blocks that are created at once have no order. */
const lastValues = blockValues.map(({ priority: _, ...values }) => values)

const allTypes: readonly string[] = blockTypes
/** The types of blocks in each of two pipelines. */
const typesIn = [0, 1].map((pipeline) => allTypes.filter((_, index) => index % 2 === pipeline))
const rotated = <Item>(items: readonly Item[], by: number) => [...items.slice(by), ...items.slice(0, by)]

/**
 * Rounds of blocks to create at once, in two pipelines: every type in every language, with attributes in rotation. Each
 * block depends on blocks of the previous round, of other types. The default language is not sent.
 */
export const blockRounds = blockLanguages.map((_, round) =>
  typesIn.map((types, pipeline) => {
    const previous = round === 0 ? [] : rotated(types, round - 1)
    const isInGraph = (type: string | undefined) => type !== undefined && !besideTheGraph.includes(type)
    return rotated(types, round).map((type, index): PlannedCommand => {
      const shift = allTypes.indexOf(type) + round
      const number = allTypes.indexOf(type) + round * allTypes.length
      const language = blockLanguages[shift % blockLanguages.length]
      const isOdd =
        language !== undefined && language !== defaultLanguage && typesByLanguage[language] !== type
      // The blocks of the first round have one dependent each.
      const above = [index + 1, index + 2].slice(0, round === 1 ? 1 : 1 + (index % 2))
      const places = above.map((each) => each % types.length).filter((place) => isInGraph(previous[place]))
      return {
        do: 'create block',
        pipeline,
        // A target may refuse an unusual name.
        name: `${isOdd ? blockNames[number % blockNames.length] : 'block'} ${number}`,
        type,
        values: {
          ...(optional[round] ? optional[shift % optional.length] : lastValues[shift % lastValues.length]),
          ...(language !== defaultLanguage && { language }),
          // "Color shown for `custom` blocks only": a target may refuse another.
          ...(type === 'custom' && { color: 'teal' }),
        },
        upstream: isInGraph(type) ? places.map((place) => types.length * (round - 1) + place) : [],
        isOdd,
      }
    })
  }),
)

/** The attributes besides a status in updates, with other values in each round. */
const besideStatus: readonly ((round: number) => ReceivedRecord)[] = [
  (round) => ({ name: literalNames[round % literalNames.length] }),
  () => ({ interval_units: 3 }),
  (round) => ({ variables: { status: `in variables ${round}` } }),
  (round) => ({ interval_type: intervalTypes.at(-1 - (round % intervalTypes.length)) }),
  // No dates: a target may start a backfill that has them.
  () => ({}),
  (round) => ({ name: literalNames.at(-1 - (round % literalNames.length)), interval_units: 12 }),
]

/** Updates of a status, in which each status follows each other one and itself twice, with another attribute in rotation. */
export function plannedStatuses(backfill: number): Command[] {
  const row = everyPair(statuses).flatMap((status, index, all) =>
    status === all[index - 1] ? [status, status] : [status],
  )
  return row.map((status, index) => {
    const earlier = row.slice(0, index).filter((each) => each === status).length
    // Each status begins with another attribute.
    const shift = earlier + statuses.indexOf(status)
    const beside = besideStatus[shift % besideStatus.length]?.(index)
    return { do: 'update backfill', backfill, values: { status, ...beside } }
  })
}

/**
 * Returns the shortest row in which each ordered pair of items is adjacent, including an item and itself.
 *
 * @example
 * everyPair(['a', 'b']) // ['a', 'a', 'b', 'b', 'a']
 */
function everyPair<Item>(items: readonly Item[]): Item[] {
  const [first] = items
  if (first === undefined) return []
  const row = items.flatMap((item, index) => [
    item,
    ...items.slice(index + 1).flatMap((later) => [item, later]),
  ])
  return [...row, first]
}
