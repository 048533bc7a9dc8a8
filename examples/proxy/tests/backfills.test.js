import { expect, it } from 'vitest'

const api = process.env.UNDERSTUDY_PROXY_URL

it('cancels a backfill', async () => {
  const send = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${api}/api/${path}`, { method, headers, body: body && JSON.stringify(body) })
    return reply.json()
  }
  const { backfill } = await send('POST', 'pipelines/daily_revenue/backfills', {
    backfill: { name: 'last week' },
  })
  await send('PUT', `pipelines/daily_revenue/backfills/${backfill.id}`, { backfill: { status: 'cancelled' } })
  const { backfills } = await send('GET', 'backfills?pipeline_uuid=daily_revenue')

  expect(backfills.find(({ id }) => id === backfill.id).status).toBe('cancelled')
})
