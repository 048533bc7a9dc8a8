import { render, screen } from '@testing-library/react'
import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import { PipelineList } from './pipeline-list'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
const server = setupServer(...createHandlers(understudy))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => understudy.reset())
afterAll(() => server.close())

test('shows the pipelines', async () => {
  render(<PipelineList />)

  expect(await screen.findByText('daily_sales')).toBeDefined()
})
