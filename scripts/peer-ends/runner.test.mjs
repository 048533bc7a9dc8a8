import { createUnderstudy } from 'pipeline-understudy'
import { describeContract } from 'pipeline-understudy/contract'
import { createApp } from 'pipeline-understudy/express'
import 'pipeline-understudy/matchers/vitest'
import { expect, it } from 'vitest'

it('asks the journal by matchers, and says what was sent where one fails', async () => {
  const understudy = createUnderstudy()
  await understudy.fetch('/api/pipelines')

  expect(understudy).toHaveReceived('listPipelines')
  expect(understudy).not.toHaveReceived('deleteBackfill')
  expect(() => expect(understudy).toHaveReceivedTimes('listPipelines', 2)).toThrow(/listPipelines/)
})

describeContract({ target: createApp(createUnderstudy()), only: ['conventions/*'] })
