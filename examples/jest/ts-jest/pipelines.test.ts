import { setupServer } from 'msw/node'
import { createUnderstudy, type Fixture } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import 'pipeline-understudy/matchers/jest'

const fixture: Fixture = { pipelines: [{ name: 'daily sales' }] }
const understudy = createUnderstudy({ fixture })
const server = setupServer(...createHandlers(understudy))

beforeAll(() => server.listen())
afterEach(() => understudy.reset())
afterAll(() => server.close())

async function listNames(): Promise<string[]> {
  const { pipelines } = await (await fetch('https://pipelines.example.com/api/pipelines')).json()
  return pipelines.map(({ name }: { name: string }) => name)
}

test('answers from the understudy', async () => {
  await understudy.factories.pipeline.create({ name: 'weekly sales' })

  expect(await listNames()).toEqual(['daily sales', 'weekly sales'])
  expect(understudy).toHaveReceived('listPipelines')
})

test('begins anew in each test', async () => {
  expect(await listNames()).toEqual(['daily sales'])
  expect(understudy).toHaveReceivedTimes('listPipelines', 1)
})
