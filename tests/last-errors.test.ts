import { expect } from 'vitest'
import { it } from './support/it.ts'

it('finds the last line of an error in the logs of each pipeline', async ({ api }) => {
  const { factories, logs } = api.understudy
  expect(await logs.lastErrors()).toEqual([])
  const write = (pipeline_uuid: string, minute: number, content: string, block_uuid: string | null = null) =>
    factories.log.create({
      ...{ pipeline_uuid, content, block_uuid, path: '/a.log' },
      created_at: `2026-03-01 08:0${minute}:00.000000+00:00`,
    })
  const trace = '[00:03] ERROR sum_up failed\nTraceback\n  File "x"\nKeyError: region\n'
  const json = '2026-03-01T08:02:00 {"level": "ERROR", "message": "no space"}'
  await write('daily_sales', 1, '[00:01] ERROR old\n')
  await write('daily_sales', 3, trace, 'sum_up')
  await write('daily_sales', 3, '[00:03] ERROR run failed\n')
  await write('daily_sales', 4, '[00:04] INFO done, no error\n')
  await write('archive', 2, `${json}\n`)

  expect(await logs.lastErrors()).toEqual([
    {
      pipeline_uuid: 'daily_sales',
      pipeline_run_id: null,
      block_uuid: 'sum_up',
      path: '/a.log',
      created_at: '2026-03-01 08:03:00.000000+00:00',
      line: 'KeyError: region',
    },
    expect.objectContaining({ pipeline_uuid: 'archive', line: json }),
  ])
})

it('finds the error of a run that failed, in one pipeline', async ({ api }) => {
  const { factories, logs, runs } = api.understudy
  const run = await factories.pipelineRun.create({ pipeline_uuid: 'archive', pipeline_schedule_id: 4 })
  runs.finish(run.id, 'failed')

  expect((await logs.lastErrors({ pipeline_uuid: 'archive' })).map(({ line }) => line)).toEqual([
    `2026-03-01 09:00:00 pipeline run ${run.id} failed`,
  ])
  expect(await logs.lastErrors({ pipeline_uuid: 'nobody' })).toEqual([])
})
