import { HttpResponse, http } from 'msw'
import { expect, test } from 'pipeline-understudy/vitest'
import { describe } from 'vitest'
import { create, listNames } from './pipelines-client.ts'

/** Number of concurrent tests that wait for each other before they read. */
const everybody = 4
let arrived = 0
let open = () => {}
const gate = new Promise<void>((resolve) => {
  open = resolve
})
async function meet() {
  arrived += 1
  if (arrived === everybody) open()
  await gate
}

describe.concurrent('at the same time', () => {
  for (const name of ['one', 'two', 'three']) {
    test(`sees what ${name} has created, and nothing else`, async ({ understudy }) => {
      await create(name)
      await meet()

      expect(await listNames()).toEqual([name])
      expect(understudy).toHaveReceivedTimes('createPipeline', 1)
      expect(understudy).toHaveReceivedTimes('listPipelines', 1)
    })
  }

  test('keeps handlers apart', async ({ server }) => {
    server.use(http.get('*/api/pipelines', () => HttpResponse.json({ pipelines: [{ name: 'mine' }] })))
    await meet()

    expect(await listNames()).toEqual(['mine'])
  })
})
