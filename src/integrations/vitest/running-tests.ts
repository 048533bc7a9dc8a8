import type { Intercepted, Resolver } from '../../handlers/resolver.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'

/** Result of a request without a handler: it fails, passes with a warning, or passes. */
export type Unhandled = 'error' | 'warn' | 'bypass'

/** A test that is running, with the understudy that answers it. */
export interface RunningTest {
  readonly name: string
  readonly resolver: Resolver
  readonly unhandled: Unhandled
  readonly baseUrl: string | undefined
}

/**
 * Returns the test that sent a request.
 *
 * @param tests the running tests by id: one, or several where they are concurrent.
 * @param known The id of the test that sent it, if known.
 * @throws UnderstudyError if several tests may have sent it.
 */
export function senderOf(
  { request }: Intercepted,
  tests: ReadonlyMap<string, RunningTest>,
  known: string | undefined,
): RunningTest | undefined {
  const sender = known === undefined ? undefined : tests.get(known)
  if (sender !== undefined) return sender
  const running = [...tests.values()]
  if (running.length <= 1) return running[0]
  const matching = running.filter(({ resolver }) => resolver.pattern.test(request.url))
  if (matching.length <= 1) return matching[0]
  throw new UnderstudyError(
    'CONFLICT',
    `${request.method} ${request.url} may be of any of ${matching.length} tests that run at once: ${matching.map(({ name }) => name).join(', ')}. Send it from within the test itself, or give each its own handlerOptions: { baseUrl: '/a-test' } and its application that URL.`,
  )
}
