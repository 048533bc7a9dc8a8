import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showToast } from '../parts/toasts'
import { ApiError } from './client'
import { storeSession } from './session'
import { isMocked } from './where'

/** Action after refused credentials: the router sets it. */
export const onRefused = { leave: () => {} }

/** Ends a session that the server does not know any more. */
function leaveIfRefused(error: Error): boolean {
  if (!(error instanceof ApiError) || !error.isAboutCredentials) return false
  storeSession(undefined)
  onRefused.leave()
  return true
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { state, meta }) {
      if (meta?.isReported || leaveIfRefused(error) || state.data === undefined) return
      // The page still shows earlier data; without any, it shows the error itself.
      showToast({ title: 'What you see is from before', error })
    },
  }),
  mutationCache: new MutationCache({
    onError(error, variables, _result, mutation) {
      if (mutation.meta?.isReported || leaveIfRefused(error)) return
      showToast({
        title: String(mutation.meta?.failed ?? 'That did not work'),
        error,
        // The second attempt reports its result like the first.
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
    /** The place where TanStack's browser tools expect it. */
    __TANSTACK_QUERY_CLIENT__?: QueryClient
  }
}
if (isMocked) window.__TANSTACK_QUERY_CLIENT__ = queryClient
