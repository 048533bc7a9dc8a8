import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import 'pipeline-understudy/matchers/jest'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
const server = setupServer(...createHandlers(understudy))

beforeAll(() => server.listen())
afterEach(() => understudy.reset())
afterAll(() => server.close())

test('answers a page in jsdom, from modules as they are', async () => {
  const { pipelines } = await (await fetch('https://pipelines.example.com/api/pipelines')).json()
  document.body.textContent = pipelines[0].name

  expect(document.body.innerHTML).toBe('daily sales')
  expect(understudy).toHaveReceived('listPipelines')
})
