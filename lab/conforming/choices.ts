import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import { sentence } from '../mutants/mutant.ts'
import type { HarmlessVariant } from './variant.ts'

const clocks: Readonly<Record<string, number>> = {
  'seven-hours-ahead': 7,
  'eleven-hours-behind': -11,
  'a-year-ahead': 365 * 24,
  'nine-years-behind': -9 * 365 * 24,
  'thirty-years-ahead': 30 * 365 * 24,
  // Tokens that live longer than this are past on the client's clock, and not on the target's.
  'ten-days-behind': -10 * 24,
  'ten-days-ahead': 10 * 24,
  'thirty-five-days-behind': -35 * 24,
}
const start = Date.now()
const silence = sentence('Limits', 'token lifetime')
const many = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Understudies that choose otherwise, have another clock, or hold more. */
export const choices: readonly HarmlessVariant[] = [
  {
    name: 'metadata-null',
    leaves: 'single-metadata',
    options: { assumptions: { 'single-metadata': 'null' } },
  },
  { name: 'count-of-page', leaves: 'list-count', options: { assumptions: { 'list-count': 'items' } } },
  { name: 'count-unrelated', leaves: 'list-count', options: { assumptions: { 'list-count': 'unrelated' } } },
  {
    name: 'unknown-attributes-refused',
    leaves: 'unknown-attributes',
    options: { assumptions: { 'unknown-attributes': 'refused' } },
  },
  {
    name: 'content-type-unchecked',
    leaves: 'content-type',
    options: { assumptions: { 'content-type': 'ignored' } },
  },
  { name: 'bearer-decoded-only', leaves: 'bearer', options: { assumptions: { bearer: 'decoded' } } },
  { name: 'runs-end-at-once', leaves: 'run-lifecycle', options: { assumptions: { 'run-lifecycle': '1ms' } } },
  { name: 'runs-never-end', leaves: 'run-lifecycle', options: { assumptions: { 'run-lifecycle': '1h' } } },
  ...Object.entries(clocks).map(
    ([name, hours]): HarmlessVariant => ({
      name: `clock-${name}`,
      leaves: silence,
      options: { clock: { now: () => Date.now() + hours * 3_600_000 } },
    }),
  ),
  {
    name: 'clock-in-whole-seconds',
    leaves: silence,
    options: { clock: { now: () => Math.floor(Date.now() / 1_000) * 1_000 } },
  },
  {
    name: 'clock-rounded-up',
    leaves: silence,
    options: { clock: { now: () => Math.ceil(Date.now() / 1_000) * 1_000 } },
  },
  {
    name: 'clock-a-little-fast',
    leaves: silence,
    options: { clock: { now: () => start + (Date.now() - start) * 1.01 } },
  },
  { name: 'open-to-everybody', leaves: 'auth-mode', options: { auth: 'open' } },
  { name: 'keys-only', leaves: 'auth-mode', options: { auth: 'key' } },
  { name: 'other-seed', leaves: silence, options: { seed: 4_711 } },
  {
    name: 'ids-far-from-one',
    leaves: sentence('Backfill', '`id`'),
    options: {
      fixture: { ...targetFixture, backfills: [{ id: 987_654_321, name: 'old', pipeline_uuid: 'standing' }] },
    },
  },
  {
    name: 'busy-for-years',
    leaves: sentence('Read backfills', 'Pipeline whose backfills are read'),
    options: {
      fixture: {
        ...targetFixture,
        pipelines: [
          ...(Array.isArray(targetFixture.pipelines) ? targetFixture.pipelines : []),
          ...many(300).map((n) => ({ uuid: `old_${n}`, name: `old ${n}` })),
        ],
        backfills: many(120).map((n) => ({ id: n * 3 + 5, name: `old ${n}`, pipeline_uuid: `old_${n}` })),
      },
    },
  },
  {
    name: 'full-of-backfills',
    leaves: sentence('Read backfills', 'Pipeline whose backfills are read'),
    options: {
      fixture: {
        ...targetFixture,
        backfills: many(10_000).map((n) => ({ id: n + 1, name: `old ${n}`, pipeline_uuid: 'standing' })),
      },
    },
  },
  {
    name: 'slow-by-a-few-milliseconds',
    leaves: sentence('Limits', 'rate limits'),
    delay: (nth) => (nth % 3 === 0 ? 4 : 0),
  },
  {
    name: 'slow-now-and-then',
    leaves: sentence('Limits', 'rate limits'),
    delay: (nth) => (nth % 50 === 0 ? 60 : 0),
  },
]
