import fc from 'fast-check'
import { it } from 'vitest'
import { createUnderstudy, type Fixture, type Understudy } from '../src/index.ts'
import { samples } from './support/depth.ts'
import { expectSameState } from './support/expect-same-state.ts'

/** Printed in every failure; the same runs every time. */
const seed = 20_260_301

const script = fc.constantFrom(
  null,
  'running for 0s, then completed',
  'running for 7m, then failed',
  'running for 1h',
  'initial for 30s, then running for 10m, then cancelled',
  'running, then initial for 1m, then running for 90s, then failed',
  'running until advanced, then failed',
  { ends_as: 'failed', after: '13m' } as const,
  { ends_as: 'never' } as const,
)

const schedule = fc.record(
  {
    schedule_interval: fc.constantFrom(
      '@once', '@hourly', '@daily', '@weekly', '@monthly', '@always_on', '*/10 * * * *', '30 */2 * * *',
      '15 59 23 L * *',
    ), // biome-ignore format: a list
    status: fc.constantFrom('active', 'active', 'inactive'),
    start_time: fc.constantFrom('-1d', 'now', '+90m', '+1d'),
    settings: fc.record({ skip_if_previous_running: fc.boolean() }),
    run_script: script,
  },
  { requiredKeys: ['schedule_interval', 'status', 'settings', 'run_script'] },
)

const backfill = fc.record({
  status: fc.constantFrom(null, 'initial'),
  due_at: fc.constantFrom('+1s', '+3h'),
  start_datetime: fc.constant('2026-01-01 00:00:00'),
  end_datetime: fc.constantFrom('2026-01-01 00:00:00', '2026-01-04 00:00:00'),
  interval_type: fc.constant('day'),
  run_script: script,
})

/** Units of a step: seconds or minutes, over the end of February. */
const unit = fc.constantFrom(1_000, 60_000)

const world = fc.record({
  unit,
  pipelines: script.map((run_script) => [{ name: 'p', run_script, blocks: [{ name: 'b', type: 'custom' }] }]),
  pipeline_schedules: fc.array(schedule, { minLength: 1, maxLength: 4 }),
  backfills: fc.array(backfill, { maxLength: 2 }),
})

/** Time between two reads: some minutes to some days in all. */
const steps = fc.array(fc.integer({ min: 1, max: 420 }), { minLength: 2, maxLength: 8 })

type DrawnWorld = typeof world extends fc.Arbitrary<infer Value> ? Value : never

function fixtureOf({ unit, pipelines, pipeline_schedules, backfills }: DrawnWorld): Fixture {
  return {
    clock: '2026-02-28T21:17:03Z',
    pipelines,
    pipeline_schedules: pipeline_schedules.map((values) => ({
      pipeline_uuid: 'p',
      ...values,
      // Over days, runs of seconds would come to more than one step may fire: the one thing that depends on steps.
      ...(unit > 1_000 && values.schedule_interval === '@always_on' && { run_script: 'running for 25m' }),
    })),
    backfills: backfills.map((values) => ({ pipeline_uuid: 'p', ...values })),
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((whole, each) => whole + each, 0)

const cut = { seed, numRuns: samples(60) } as const

it('reaches the same state in one step as in many small ones', async () => {
  await fc.assert(
    fc.asyncProperty(world, steps, async (given, amounts) => {
      const fixture = fixtureOf(given)
      const inOneStep = createUnderstudy({ fixture })
      inOneStep.clock.advance(sum(amounts) * given.unit)
      const inMany = createUnderstudy({ fixture })
      for (const each of amounts) {
        inMany.clock.advance(each * given.unit)
        await inMany.dispatch({ method: 'GET', url: '/api/pipelines', headers: {}, body: undefined })
      }

      expectSameState(inMany.export(), inOneStep.export())
    }),
    cut,
  )
})

it('reaches the same state with and without an export, a restore or a reset', () => {
  fc.assert(
    fc.property(world, steps, fc.nat(7), (given, amounts, at) => {
      const fixture = fixtureOf(given)
      const pass = (understudy: Understudy, amounts: readonly number[]) => {
        understudy.clock.advance(sum(amounts) * given.unit)
        understudy.model.pipelines.count()
      }
      const leftAlone = createUnderstudy({ fixture })
      pass(leftAlone, amounts)

      const restored = createUnderstudy({ fixture })
      pass(restored, amounts)
      restored.reset()
      pass(restored, amounts.slice(0, at))
      restored.snapshot('on the way')
      const time = new Date(restored.clock.now())
      const exported = createUnderstudy({ fixture: restored.export() })
      pass(restored, amounts)
      restored.restore('on the way')
      restored.clock.freeze(time)
      for (const understudy of [restored, exported]) {
        pass(understudy, amounts.slice(at))
        expectSameState(understudy.export(), leftAlone.export())
      }
    }),
    cut,
  )
})
