import { understudy } from './understudy'

test('lists the pipelines', async () => {
  const reply = await fetch('https://pipelines.example.com/api/pipelines')

  expect((await reply.json()).pipelines[0].uuid).toBe('daily_sales')
  expect(understudy).toHaveReceived('listPipelines')
})
