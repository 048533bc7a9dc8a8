import type { Scenario } from '../engine/scenarios/scenario.ts'
import type { FixtureContents, FixtureRecord } from '../factories/fixture-contents.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { generateFixture } from '../fixtures/generate-fixture.ts'

type Token = FixtureRecord<'oauth_access_tokens'>

/** Backfill of twelve days: six of its runs have completed, one fails in ten seconds, five end half a minute later. */
const halfWay = {
  pipeline_schedules: [
    { id: 101, pipeline_uuid: 'payments_import', name: 'Backfill twelve days', created_at: '-10m' },
  ],
  backfills: [
    {
      id: 101,
      name: 'twelve days',
      pipeline_uuid: 'payments_import',
      pipeline_schedule_id: 101,
      status: 'running',
      start_datetime: '-12d',
      end_datetime: '-1d',
      interval_type: 'day',
      interval_units: 1,
      created_at: '-10m',
      started_at: '-10m',
      due_at: '+40s',
    },
  ],
  pipeline_runs: Array.from(
    { length: 12 },
    (_, index): FixtureRecord<'pipeline_runs'> => ({
      id: 1_001 + index,
      pipeline_uuid: 'payments_import',
      pipeline_schedule_id: 101,
      backfill_id: 101,
      execution_date: `-${12 - index}d`,
      created_at: '-10m',
      ...(index < 6
        ? { status: 'completed', completed_at: `-${9 - index}m` }
        : index === 6
          ? { status: 'running', ends_at: '+10s', ends_as: 'failed' }
          : { status: 'running', ends_at: '+40s' }),
    }),
  ),
} satisfies FixtureContents

function withMore(fixture: Fixture, more: Fixture): Fixture {
  const all = Object.entries(more).map(([plural, records]) => [
    plural,
    [fixture[plural] ?? [], records].flat(),
  ])
  return { ...fixture, ...Object.fromEntries(all) }
}

/** Creates the built-in scenarios. They load a fixture when they start. */
export function createScenarios({
  demo,
  empty,
}: {
  readonly demo: () => Fixture
  readonly empty: () => Fixture
}) {
  return {
    empty: {
      description: 'One user, one API key, and nothing else.',
      fixture: empty,
    },
    demo: {
      description: 'Ten pipelines, two weeks of runs and two users.',
      fixture: demo,
    },
    'everything-fails-tonight': {
      description: 'The demo at eight in the evening: every run that starts from now on fails.',
      fixture: () => ({ ...demo(), clock: '2026-01-01T20:00:00Z' }),
      scripts: [{ target: 'later', script: 'running for 20s, then failed' }],
    },
    slow: {
      description: 'Every reply takes its time, most of them a second or two.',
      faults: [{ latency: { lognormal: { median: '1.5s', sigma: 0.5 } } }],
    },
    flaky: {
      description:
        'Three requests in ten go wrong: an HTTP 503, an error in the envelope, or a reply after three seconds.',
      faults: [
        { probability: 0.1, status: 503, body: 'Service Unavailable' },
        { probability: 0.1, error: { code: 500, message: 'The warehouse does not answer.' } },
        { probability: 0.1, latency: '3s' },
      ],
    },
    'signed-out': {
      description: 'Every token has expired. If the server requires tokens, clients must sign in again.',
      fixture: () => {
        // It is JSON, whose texts are any to the compiler.
        const fixture = demo() as FixtureContents
        const expire = (token: Token): Token => ({ ...token, expires: '-1h' })
        return { ...fixture, oauth_access_tokens: fixture.oauth_access_tokens?.map(expire) ?? [] }
      },
    },
    'a-thousand-pipelines': {
      description: 'A thousand pipelines of two blocks each, and two thousand backfills.',
      fixture: () => generateFixture({ pipelines: 1_000, backfills: 2_000, seed: 1 }),
    },
    'a-backfill-fails-half-way': {
      description:
        'A backfill of twelve days is half done. In ten seconds one of its runs fails. The backfill fails with its last run, 30 seconds later.',
      fixture: () => withMore(demo(), halfWay),
    },
    'all-runs-stuck': {
      description: 'No run ends by itself: neither those that are under way, nor those to come.',
      fixture: demo,
      scripts: [{ target: 'all', script: 'running until advanced' }],
    },
  } as const satisfies Readonly<Record<string, Scenario>>
}
