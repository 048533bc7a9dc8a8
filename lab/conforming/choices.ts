import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import type { Fixture } from '../../src/index.ts'
import { sentence } from '../mutants/mutant.ts'
import { defineVariants, forEach, type VariantRow } from './variant.ts'

const clocks: Readonly<Record<string, number>> = {
  'seven-hours-ahead': 7,
  'eleven-hours-behind': -11,
  'a-year-ahead': 365 * 24,
  'nine-years-behind': -9 * 365 * 24,
  'thirty-years-ahead': 30 * 365 * 24,
  // Tokens with a longer lifetime have expired by the client's clock, but not by the target's.
  'ten-days-behind': -10 * 24,
  'ten-days-ahead': 10 * 24,
  'thirty-five-days-behind': -35 * 24,
}
const start = Date.now()
const silence = sentence('Limits', 'token lifetime')
const many = (count: number) => Array.from({ length: count }, (_, index) => index)

const rateLimits = sentence('Limits', 'rate limits')
const otherPipelines = Array.isArray(targetFixture.pipelines) ? targetFixture.pipelines : []
const shared = sentence('Read backfills', 'Pipeline whose backfills are read')
const clock = (now: () => number): VariantRow => [silence, { options: { clock: { now } } }]
const holding = (records: Fixture) => ({ options: { fixture: { ...targetFixture, ...records } } })

/** Mocks with other assumptions, another clock or more records. */
export const choices = defineVariants({
  'metadata-null': ['single-metadata', { options: { assumptions: { 'single-metadata': 'null' } } }],
  'count-of-page': ['list-count', { options: { assumptions: { 'list-count': 'items' } } }],
  'count-unrelated': ['list-count', { options: { assumptions: { 'list-count': 'unrelated' } } }],
  'unknown-attributes-refused': [
    'unknown-attributes',
    { options: { assumptions: { 'unknown-attributes': 'refused' } } },
  ],
  'content-type-unchecked': ['content-type', { options: { assumptions: { 'content-type': 'ignored' } } }],
  'bearer-decoded-only': ['bearer', { options: { assumptions: { bearer: 'decoded' } } }],
  'runs-end-at-once': ['run-lifecycle', { options: { assumptions: { 'run-lifecycle': '1ms' } } }],
  'runs-never-end': ['run-lifecycle', { options: { assumptions: { 'run-lifecycle': '1h' } } }],
  ...forEach(Object.keys(clocks), (name) => [
    `clock-${name}`,
    clock(() => Date.now() + (clocks[name] ?? 0) * 3_600_000),
  ]),
  'clock-in-whole-seconds': clock(() => Math.floor(Date.now() / 1_000) * 1_000),
  'clock-rounded-up': clock(() => Math.ceil(Date.now() / 1_000) * 1_000),
  'clock-a-little-fast': clock(() => start + (Date.now() - start) * 1.01),
  'clock-60-times-as-fast': [silence, { options: { clock: { speed: 60 } } }],
  'open-to-everybody': ['auth-mode', { options: { auth: 'open' } }],
  'keys-only': ['auth-mode', { options: { auth: 'key' } }],
  'other-seed': [silence, { options: { seed: 4_711 } }],
  'ids-far-from-one': [
    sentence('Backfill', '`id`'),
    holding({ backfills: [{ id: 987_654_321, name: 'old', pipeline_uuid: 'standing' }] }),
  ],
  'busy-for-years': [
    shared,
    holding({
      pipelines: [...otherPipelines, ...many(300).map((n) => ({ uuid: `old_${n}`, name: `old ${n}` }))],
      backfills: many(120).map((n) => ({ id: n * 3 + 5, name: `old ${n}`, pipeline_uuid: `old_${n}` })),
    }),
  ],
  'full-of-backfills': [
    shared,
    holding({
      backfills: many(10_000).map((n) => ({ id: n + 1, name: `old ${n}`, pipeline_uuid: 'standing' })),
    }),
  ],
  'slow-by-a-few-milliseconds': [rateLimits, { delay: (nth) => (nth % 3 === 0 ? 4 : 0) }],
  'slow-now-and-then': [rateLimits, { delay: (nth) => (nth % 50 === 0 ? 60 : 0) }],
})
