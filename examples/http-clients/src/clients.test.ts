import { setupServer } from 'msw/node'
import { createUnderstudy } from 'pipeline-understudy'
import { createHandlers } from 'pipeline-understudy/msw'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPipeline as readPipelineByOrval } from './generated/orval.ts'
import { client as axios } from './with-axios.ts'
import { api } from './with-fetch.ts'
import { readPipeline as readPipelineByHeyApi } from './with-hey-api.ts'
import { client as ky } from './with-ky.ts'
import { client as openapi } from './with-openapi-fetch.ts'
import { pipelineQuery, queryClient } from './with-tanstack-query.ts'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
const server = setupServer(...createHandlers(understudy, { baseUrl: 'https://api.example.com' }))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

/** Reads a pipeline with each client. */
const clients: Record<string, (uuid: string) => Promise<unknown>> = {
  fetch: (uuid) => api(`pipelines/${uuid}`),
  axios: async (uuid) => (await axios.get(`pipelines/${uuid}`)).data,
  ky: (uuid) => ky.get(`pipelines/${uuid}`).json(),
  'openapi-fetch': async (uuid) =>
    (await openapi.GET('/api/pipelines/{uuid}', { params: { path: { uuid } } })).data,
  'TanStack Query': (uuid) => queryClient.fetchQuery(pipelineQuery(uuid)),
  'Hey API': async (uuid) => (await readPipelineByHeyApi({ path: { uuid } })).data,
  Orval: async (uuid) => (await readPipelineByOrval(uuid)).data,
}

describe.each(Object.entries(clients))('%s', (_, read) => {
  it('returns a pipeline', async () => {
    expect(await read('daily_sales')).toMatchObject({ pipeline: { name: 'daily sales' } })
  })

  it('throws the error that arrives under HTTP 200', async () => {
    const requests = understudy.journal.entries().length

    await expect(read('nowhere')).rejects.toMatchObject({ name: 'ApiError', code: 404 })
    expect(understudy.journal.entries()).toHaveLength(requests + 1)
  })
})
