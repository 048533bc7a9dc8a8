import { expect, test } from '@playwright/test'

test('lists pipelines', async ({ request }) => {
  const reply = await request.get(`${process.env.UNDERSTUDY_PROXY_URL}/api/pipelines`)
  const { pipelines } = await reply.json()

  expect(pipelines.length).toBeGreaterThan(0)
})
