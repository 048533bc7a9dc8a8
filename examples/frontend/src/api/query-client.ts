import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showToast } from '../parts/toasts'
import { ApiError } from './client'
import { keepSession } from './session'
import { isMocked } from './where'

/** What is done where credentials are refused: the router sets it. */
export const onRefused = { leave: () => {} }

/** Ends a session that the server does not know any more. */
function leaveIfRefused(error: Error): boolean {
  if (!(error instanceof ApiError) || !error.isAboutCredentials) return false
  keepSession(undefined)
  onRefused.leave()
  return true
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { state, meta }) {
      if (meta?.isTold || leaveIfRefused(error) || state.data === undefined) return
      // There is something to look at still: the rest of the page says where there is not.
      showToast({ title: 'What you see is from before', error })
    },
  }),
  mutationCache: new MutationCache({
    onError(error, variables, _result, mutation) {
      if (mutation.meta?.isTold || leaveIfRefused(error)) return
      showToast({
        title: String(mutation.meta?.failed ?? 'That did not work'),
        error,
        // Whatever comes of it is told as it was the first time.
        again: () => void mutation.execute(variables).catch(() => undefined),
      })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.isPassing),
      retryDelay: (attempt) => 300 * 2 ** attempt,
    },
  },
})

declare global {
  interface Window {
    /** Where TanStack's tools for the browser look for it. */
    __TANSTACK_QUERY_CLIENT__?: QueryClient
  }
}
if (isMocked) window.__TANSTACK_QUERY_CLIENT__ = queryClient
