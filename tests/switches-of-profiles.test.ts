import { expect, it } from 'vitest'
import type { AssumptionSwitches } from '../src/assumptions/switches.ts'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { mageAi0979 } from '../src/profiles/index.ts'

/** Creates a mock with a pipeline of three blocks, a schedule and a backfill, and a function that sends requests. */
function createApi(assumptions: AssumptionSwitches) {
  const understudy = createUnderstudy({
    assumptions,
    fixture: {
      pipelines: [
        {
          name: 'daily sales',
          blocks: [
            { name: 'load', type: 'data_loader' },
            { name: 'clean', type: 'transformer', upstream_blocks: ['load'] },
            { name: 'store', type: 'data_exporter', upstream_blocks: ['clean'] },
          ],
        },
      ],
      pipeline_schedules: [
        { pipeline_uuid: 'daily_sales', token: 'a-token', status: 'inactive', schedule_type: 'api' },
      ],
      backfills: [{ pipeline_uuid: 'daily_sales', name: 'may' }],
    },
  })
  const send = async (method: string, url: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await understudy.dispatch({ method, url, headers, body: JSON.stringify(body) })
    return JSON.parse(reply?.body ?? '{}')
  }
  return { understudy, send }
}

it('connects the dependents of a block that was deleted with force to its upstream blocks', async () => {
  const { send } = createApi({ 'force-effect': 'joined' })
  await send('DELETE', '/api/pipelines/daily_sales/blocks/clean?force=True')
  const { block } = await send('GET', '/api/pipelines/daily_sales/blocks/store')

  expect(block.upstream_blocks).toEqual(['load'])
})

it('moves a pipeline and its records to the uuid of its new name', async () => {
  const { send } = createApi({ 'pipeline-rename': 'uuid follows' })
  const { pipeline } = await send('PUT', '/api/pipelines/daily_sales', { pipeline: { name: 'weekly sales' } })

  expect(pipeline.uuid).toBe('weekly_sales')
  expect((await send('GET', '/api/pipelines/weekly_sales/blocks/store')).block.upstream_blocks).toEqual([
    'clean',
  ])
  expect((await send('GET', '/api/backfills?pipeline_uuid=weekly_sales')).backfills).toHaveLength(1)
  expect(
    (await send('GET', '/api/pipelines/weekly_sales/pipeline_schedules')).pipeline_schedules,
  ).toHaveLength(1)
  expect((await send('GET', '/api/pipelines/daily_sales')).error.code).toBe(404)
})

it('writes letter_ before a uuid that would begin with a digit', async () => {
  const { send } = createApi({ 'pipeline-uuid-rule': 'letter first' })

  expect(
    (await send('POST', '/api/pipelines', { pipeline: { name: '9 lives', type: 'python' } })).pipeline.uuid,
  ).toBe('letter_9_lives')
})

it('makes a schedule active that is triggered', async () => {
  const { send } = createApi({ 'trigger-inactive': 'becomes active' })
  await send('POST', '/api/pipeline_schedules/1/pipeline_runs/a-token', {})

  expect((await send('GET', '/api/pipeline_schedules/1')).pipeline_schedule.status).toBe('active')
})

it('writes the lines of logs as objects', async () => {
  const { understudy, send } = createApi({ 'log-lines': 'json' })
  await send('POST', '/api/pipeline_schedules/1/pipeline_runs/a-token', {})
  understudy.clock.advance('1m')
  const { logs } = await send('GET', '/api/pipelines/daily_sales/logs')

  expect(JSON.parse(logs[0].pipeline_run_logs[0].content.split('\n')[1].slice(20))).toMatchObject({
    level: 'INFO',
    message: 'pipeline run 1 completed',
  })
})

it('imports an export with values that only the profile accepts', async () => {
  const understudy = createUnderstudy({ fixture: demo, profile: mageAi0979 })
  const body = JSON.stringify({ pipeline: { name: 'bespoke', type: 'of their own' } })
  await understudy.dispatch({ method: 'POST', url: '/api/pipelines', headers: {}, body })
  const exported = understudy.export()
  expect(Object.keys(exported.custom ?? {})).toEqual(['statuses', 'projects'])
  understudy.import(exported)

  expect(understudy.export()).toEqual(exported)
  expect(understudy.model.pipelines.findFirst((q) => q.where({ uuid: 'bespoke' }))).toMatchObject({
    type: 'of their own',
  })
})
