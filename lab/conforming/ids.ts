import { isObject } from '../../contract-tests/runner/is-object.ts'
import { onRecords, returned, sentence } from '../mutants/mutant.ts'
import type { Start } from '../mutants/serve-mutant.ts'
import { deep } from './reply-changes.ts'
import { defineVariants } from './variant.ts'

/** The attributes with the id of a record. */
const keys = ['id', 'pipeline_schedule_id', 'backfill_id']

/** Replaces the ids of a server by others, one to one, in requests and replies. */
const numbered =
  (there: (id: number) => number, back: (id: number) => number): Start =>
  () =>
  async (request, forward) => {
    // A request may encode a digit.
    const number = /(?<=\/(?:backfills|pipeline_schedules)\/)(?:\d|%3\d)+(?=\/|$)/
    const path = request.path.replace(number, (id) => String(back(Number(decodeURIComponent(id)))))
    const reply = await forward({ path: `${path}${request.search}` })
    const body = deep(reply.body, (record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          keys.includes(name) && typeof value === 'number' ? there(value) : value,
        ]),
      ),
    )
    return isObject(reply.body) ? { ...reply, body } : reply
  }

const shifted = (by: number) =>
  numbered(
    (id) => id + by,
    (id) => id - by,
  )
const prime = 1_000_003
const factor = 7_919
/** The inverse of the factor, modulo the prime. */
const inverse = 658_671

/** Tokens of schedules with characters that a path encodes. */
const tokensWithSymbols: Start = () => async (request, forward) => {
  const [route, token] = request.path.split('/pipeline_runs/').map(decodeURIComponent)
  const isOwn = token?.endsWith('+/=?') === true
  const own = isOwn ? token.slice(0, -4) : 'no-such-token'
  const path = token === undefined ? request.path : `${route}/pipeline_runs/${own}`
  const reply = await forward({ path: `${path}${request.search}` })
  const body = deep(reply.body, (record) =>
    'schedule_type' in record ? { ...record, token: `${record.token}+/=?` } : record,
  )
  return isObject(reply.body) ? { ...reply, body } : reply
}
const falling = (id: number) => 2_000_000_000 - id
const id = sentence('Backfill', '`id`')

/** Numbers the runs of each schedule separately. */
const runsOfASchedule: Start = onRecords('triggerPipeline', (run, { request }) => ({
  ...run,
  id:
    1 +
    returned(request, 'triggerPipeline').filter(
      ({ pipeline_schedule_id: schedule }) => schedule === run.pipeline_schedule_id,
    ).length,
}))

/** Ids that are not small consecutive numbers. */
export const idVariants = defineVariants({
  'ids-near-the-limit-of-numbers': [id, shifted(9_007_199_254_000_000)],
  'ids-falling': [id, numbered(falling, falling)],
  // No record has an id beyond the prime.
  'ids-scattered': [
    id,
    numbered(
      (own) => (own * factor) % prime,
      (own) => (own < prime ? (own * inverse) % prime : own),
    ),
  ],
  'run-ids-of-each-schedule': [sentence('Pipeline run', '`id`'), runsOfASchedule],
  'schedule-tokens-with-symbols': [sentence('Pipeline schedule', '`token`'), tokensWithSymbols],
})
