import { create, listNames } from './pipelines-client'
import { understudy } from './understudy'

test('answers a page in jsdom', async () => {
  await create('weekly sales')
  document.body.textContent = (await listNames()).join(', ')

  expect(document.body.innerHTML).toBe('daily sales, weekly sales')
  expect(understudy).toHaveReceivedTimes('createPipeline', 1)
})

test('signs in', async () => {
  const session = { username: 'mira', password: 'lantern' }
  const reply = await fetch('https://pipelines.example.com/api/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session }),
  })

  expect((await reply.json()).session.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})
