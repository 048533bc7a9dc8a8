import type { Intercepted, Resolver } from '../../handlers/resolver.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'

/** What becomes of a request that no handler answers: it fails, it passes with a warning, or it passes. */
export type Unhandled = 'error' | 'warn' | 'bypass'

/** A test that is running, with the understudy that answers it. */
export interface RunningTest {
  readonly name: string
  readonly resolver: Resolver
  readonly unhandled: Unhandled
  readonly baseUrl: string | undefined
}

/** The tests that are running in this process or page: one, or several where they are concurrent. */
export class RunningTests {
  readonly #tests = new Map<string, RunningTest>()

  get size(): number {
    return this.#tests.size
  }

  begin(id: string, test: RunningTest): void {
    this.#tests.set(id, test)
  }

  end(id: string): void {
    this.#tests.delete(id)
  }

  /**
   * The test that a request is of.
   *
   * @param known the id of the test that it was sent in, where that can be told.
   * @throws UnderstudyError where it may be of several.
   */
  testOf({ request }: Intercepted, known: string | undefined): RunningTest | undefined {
    const sender = known === undefined ? undefined : this.#tests.get(known)
    if (sender !== undefined) return sender
    const running = [...this.#tests.values()]
    if (running.length <= 1) return running[0]
    const asked = running.filter(({ resolver }) => resolver.pattern().test(request.url))
    if (asked.length <= 1) return asked[0]
    throw new UnderstudyError(
      'CONFLICT',
      `${request.method} ${request.url} may be of any of ${asked.length} tests that run at once: ${asked.map(({ name }) => name).join(', ')}. Send it from within the test itself, or give each its own handlerOptions: { baseUrl: '/a-test' } and its application that URL.`,
    )
  }
}
