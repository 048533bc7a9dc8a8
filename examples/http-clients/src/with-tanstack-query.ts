import { QueryClient } from '@tanstack/query-core'
import { ApiError } from './api-error.ts'
import { api } from './with-fetch.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // An error of the API is an answer: a second request gets it again.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 3,
    },
  },
})

export const pipelineQuery = (uuid: string) => ({
  queryKey: ['pipelines', uuid],
  queryFn: () => api(`pipelines/${uuid}`),
})
