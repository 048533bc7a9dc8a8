import { expect, it, onTestFinished } from 'vitest'
import { type Act, act } from '../panel/src/store/acts.ts'
import { Live } from '../panel/src/store/live.ts'
import { ActRunner } from '../panel/src/store/runner.ts'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'

const pipeline = { plural: 'pipelines', where: { uuid: 'load_forecast' }, key: 'load_forecast' }

/** Opens the data of a panel of a mock, without its page. */
async function openRunner() {
  const understudy = createUnderstudy({ fixture: demo, seed: 7 })
  const live = new Live(understudy, 'main')
  onTestFinished(() => live.dispose())
  await expect.poll(() => live.isReady.value).toBe(true)
  return { understudy, runner: new ActRunner(live, '', false) }
}

it.each<Act>([
  act('update', pipeline, { description: 'edited' }),
  act('delete', pipeline),
  act('delete', { plural: 'blocks', where: { pipeline_uuid: 'load_forecast', uuid: 'weather' }, key: '' }),
  act('runs.script', { pipeline_uuid: 'load_forecast' }, 'running for 5s, then failed'),
  act('runs.script', { id: 187 }, 'running until advanced'),
  act('signOut'),
])('undoes $name without what the application changes meanwhile', async (does) => {
  const { understudy, runner } = await openRunner()
  understudy.snapshot('start')
  await runner.perform({ does, message: '' })
  expect(understudy.diff('start')).not.toEqual(understudy.diff({ world: 'main' }))
  await understudy.fetch('/api/backfills/3', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ backfill: { name: 'of the application' } }),
  })
  const undo = runner.message.value?.undo?.() ?? []
  await runner.undo(undo)

  expect(runner.message.value).toEqual({ text: 'Undone.' })
  const changed = Object.values(understudy.diff('start')).flatMap(({ created, updated, deleted }) => [
    ...created,
    ...deleted,
    ...updated.map(({ changes }) => changes),
  ])
  expect(changed).toMatchObject([{ name: { to: 'of the application' } }])
})

it('records what an act changed, and only the number of many records and of tokens', async () => {
  const { runner } = await openRunner()
  const changedBy = async (does: Act) => {
    await runner.perform({ does, message: '' })
    return runner.done.value.at(-1)?.changed
  }

  expect(await changedBy(act('update', pipeline, { description: 'edited', updated_at: null }))).toEqual({
    pipelines: {
      updated: [{ record: { uuid: 'load_forecast' }, changes: { description: { to: 'edited' } } }],
    },
  })
  expect(await changedBy(act('signOut'))).toEqual({ oauth_access_tokens: { updated: 3 } })
  expect(await changedBy(act('delete', pipeline))).toEqual({
    pipelines: { deleted: [{ uuid: 'load_forecast' }] },
    blocks: { deleted: 5 },
    pipeline_schedules: { deleted: [{ id: 6 }, { id: 10 }] },
    backfills: { deleted: [{ id: 2 }] },
    pipeline_runs: { deleted: 20 },
    logs: { deleted: 31 },
  })
  expect(await changedBy(act('journal.clear'))).toEqual({})
})
