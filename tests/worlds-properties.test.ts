import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createUnderstudy, type World } from '../src/index.ts'
import { company } from './support/company.ts'
import { samples } from './support/depth.ts'
import { expectSameState } from './support/expect-same-state.ts'

/** Printed in every failure; the same runs every time. */
const seed = 20_261_121
const names = ['alice', 'bob', 'carol'] as const

type WorldStep = { readonly world: number } & (
  | { readonly method: string; readonly path: string; readonly json?: object }
  | { readonly act: 'snapshot' | 'restore' | 'reset' | 'advance' }
)

const request = fc.oneof(
  fc
    .constantFrom(
      '/api/pipelines?include_schedules=1',
      '/api/pipelines/daily_sales',
      '/api/pipelines/daily_sales/pipeline_schedules',
      '/api/pipeline_schedules',
      '/api/pipeline_runs',
      '/api/backfills?include_run_count=true',
      '/api/pipelines/daily_sales/logs',
    )
    .map((path) => ({ method: 'GET', path })),
  fc.constantFrom(
    { method: 'POST', path: '/api/pipelines', json: { pipeline: { name: 'new', type: 'python' } } },
    { method: 'POST', path: '/api/pipelines/archive/backfills', json: { backfill: { name: 'b' } } },
    { method: 'POST', path: '/api/pipelines/archive/blocks', json: { block: { name: 'x', type: 'custom' } } },
    { method: 'POST', path: '/api/pipeline_schedules/2/pipeline_runs/hand-token', json: {} },
    { method: 'PUT', path: '/api/pipelines/daily_sales', json: { pipeline: { description: 'other' } } },
    { method: 'PUT', path: '/api/pipeline_schedules/1', json: { pipeline_schedule: { tags: ['t'] } } },
    { method: 'PUT', path: '/api/pipeline_runs/1', json: { pipeline_run: { status: 'failed' } } },
    { method: 'PUT', path: '/api/backfills/1', json: { backfill: { status: 'initial' } } },
    { method: 'DELETE', path: '/api/pipelines/archive' },
    { method: 'DELETE', path: '/api/pipelines/daily_sales/blocks/sum_up?force=True' },
    { method: 'DELETE', path: '/api/pipeline_schedules/1' },
    { method: 'DELETE', path: '/api/backfills/1' },
  ),
)
const act = fc.constantFrom('snapshot', 'restore', 'reset', 'advance').map((act) => ({ act }))
const steps = fc.array(
  fc
    .tuple(
      fc.nat({ max: names.length - 1 }),
      fc.oneof({ weight: 5, arbitrary: request }, { weight: 1, arbitrary: act }),
    )
    .map(([world, step]) => ({ world, ...step }) as WorldStep),
  { minLength: 5, maxLength: 60 },
)

function perform(world: World, step: 'snapshot' | 'restore' | 'reset' | 'advance'): void {
  if (step === 'snapshot') world.snapshot('kept')
  else if (step === 'restore' && world.snapshots().length > 0) world.restore('kept')
  else if (step === 'reset') world.reset()
  else if (step === 'advance') world.clock.advance('4s')
}

it('answers in each world like a separate mock, despite concurrent requests', () => {
  const untouched = createUnderstudy({ fixture: company }).export()

  fc.assert(
    fc.property(steps, (script) => {
      const shared = createUnderstudy({ fixture: company })
      const alone = names.map(() => createUnderstudy({ fixture: company }))
      for (const step of script) {
        const name = names[step.world]!
        if ('act' in step) {
          perform(shared.world(name), step.act)
          perform(alone[step.world]!, step.act)
          continue
        }
        const { method, path: url, json } = step
        const body = json === undefined ? undefined : JSON.stringify(json)
        const sent = { method, url, body }
        const here = shared.dispatch({ ...sent, headers: { 'x-understudy-world': name } })
        const there = alone[step.world]!.dispatch(sent)
        expect((here as { body: string }).body).toBe((there as { body: string }).body)
      }
      for (const [index, name] of names.entries()) {
        expectSameState(shared.world(name).export(), alone[index]!.export())
      }
      expectSameState(shared.export(), untouched)
    }),
    { seed, numRuns: samples(100), verbose: 1 },
  )
})
