import type { ReceivedRecord } from '../runner/replies.ts'
import { intervalTypes, literalNames, nearFilters, statuses } from './boundary-values.ts'
import type { Command } from './commands.ts'
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
  return row.map((status, index) => ({
    do: 'update backfill',
    backfill,
    values: {
      status,
      ...besideStatus[index % besideStatus.length]?.(Math.floor(index / besideStatus.length)),
    },
  }))
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
