import { isObject } from '../../contract-tests/runner/is-object.ts'
import { sentence } from '../mutants/mutant.ts'
import type { Start } from '../mutants/serve-mutant.ts'
import { deep, type HarmlessVariant, verbatim } from './variant.ts'

/** The attributes that hold the id of a record. */
const keys = ['id', 'pipeline_schedule_id', 'backfill_id']

/** A server whose ids are others: a one-to-one change of them, and back. */
const numbered =
  (there: (id: number) => number, back: (id: number) => number): Start =>
  () =>
  async (heard, ask) => {
    // A digit may be written by its code.
    const number = /(?<=\/(?:backfills|pipeline_schedules)\/)(?:\d|%3\d)+(?=\/|$)/
    const path = heard.path.replace(number, (id) => String(back(Number(decodeURIComponent(id)))))
    const reply = await ask({ path: `${path}${heard.search}` })
    const body = deep(
      reply.body,
      (record) =>
        Object.fromEntries(
          Object.entries(record).map(([name, value]) => [
            name,
            keys.includes(name) && typeof value === 'number' ? there(value) : value,
          ]),
        ),
      verbatim,
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
/** The number that undoes the factor, modulo the prime. */
const inverse = 658_671

/** Ids that are no small numbers in a row. */
export const harmlessIds: readonly HarmlessVariant[] = [
  ...Object.entries({
    'ids-near-the-limit-of-numbers': shifted(9_007_199_254_000_000),
    'ids-falling': numbered(
      (id) => 2_000_000_000 - id,
      (id) => 2_000_000_000 - id,
    ),
    // What is beyond the prime is nobody's.
    'ids-scattered': numbered(
      (id) => (id * factor) % prime,
      (id) => (id < prime ? (id * inverse) % prime : id),
    ),
  }).map(([name, start]): HarmlessVariant => ({ name, leaves: sentence('Backfill', '`id`'), start })),
  {
    name: 'schedule-tokens-with-symbols',
    leaves: sentence('Pipeline schedule', '`token`'),
    start: () => async (heard, ask) => {
      const [route, token] = heard.path.split('/pipeline_runs/')
      const isOurs = token !== undefined && decodeURIComponent(token).endsWith('+/=?')
      const path = isOurs
        ? `${route}/pipeline_runs/${decodeURIComponent(token).slice(0, -4)}`
        : token === undefined
          ? heard.path
          : `${route}/pipeline_runs/no-such-token`
      const reply = await ask({ path: `${path}${heard.search}` })
      const body = deep(reply.body, (record) =>
        'schedule_type' in record ? { ...record, token: `${record.token}+/=?` } : record,
      )
      return isObject(reply.body) ? { ...reply, body } : reply
    },
  },
]
