import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'

/** With `clock: 'system'`, whatever moves `Date` moves the runs. */
export const understudy = createUnderstudy({
  clock: 'system',
  fixture: {
    pipelines: [{ name: 'sales' }],
    pipeline_schedules: [{ pipeline_uuid: 'sales', token: 'let-me-in' }],
  },
})
export const server = setupServer(...createHandlers(understudy))

export const expected = ['running', 'running', 'running', 'running', 'completed']

/** Waits for replies that are on their way, without a timer. */
export async function until(isDone) {
  for (let turn = 0; turn < 10_000 && !isDone(); turn++)
    await new Promise((resolve) => void setImmediate(resolve))
}
