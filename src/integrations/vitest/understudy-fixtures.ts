import { HttpResponse, http, passthrough, type RequestHandler } from 'msw'
import type { setupServer } from 'msw/node'
import type { TestAPI, TestContext } from 'vitest'
import { createUnderstudy, type Understudy } from '../../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import type { World } from '../../engine/worlds/world.ts'
import { createResolver, type HandlerOptions, type Intercepted } from '../../handlers/resolver.ts'
import { adminPath } from '../../shared/addresses.ts'
import { quote } from '../../shared/errors.ts'
import { required } from '../../shared/values.ts'
import { describeJournal } from '../matchers/journal-text.ts'
import { type RunningTest, senderOf, type Unhandled } from './running-tests.ts'
import { type RunInside, wrapTest } from './wrap-test.ts'

/** Options of the handlers of a test. Each test has its own understudy, so there is no world. */
export interface TestHandlerOptions extends Pick<HandlerOptions, 'baseUrl' | 'unknown'> {
  /** Result of requests without a handler. Default: `error` in Node, `bypass` in a browser. */
  readonly unhandled?: Unhandled
}

/** The server, or in a browser the worker, of Mock Service Worker that a test runs with. */
export type MockServer = Pick<
  ReturnType<typeof setupServer>,
  'use' | 'resetHandlers' | 'restoreHandlers' | 'listHandlers' | 'events'
>

/** Fixtures of a test. */
export interface UnderstudyFixtures {
  /** Options of the test's understudy. */
  understudyOptions: UnderstudyOptions
  /** Options of its handlers. */
  handlerOptions: TestHandlerOptions
  /** The test's own understudy. */
  understudy: Understudy
  /** The server that answers from it. Handlers that a test adds with `use` end with the test. */
  server: MockServer
}

/** Interception of requests, in Node or in a browser. */
export interface Network {
  readonly unhandled: Unhandled
  /** Intercepts requests from now on. */
  open(...handlers: RequestHandler[]): MockServer | Promise<MockServer>
  /** No test is running any more. */
  close(): void
  /** Reports the received requests of a test's worlds, for the usage map of the run. */
  noteUsage(worlds: readonly World[]): Promise<void> | undefined
  readonly inside: RunInside
  /** Returns the id of the test that contains the caller. */
  current(): string | undefined
}

export function addUnderstudy(test: TestAPI<object>, network: Network): TestAPI<UnderstudyFixtures> {
  const running = new Map<string, RunningTest>()
  let server: MockServer | Promise<MockServer> | undefined
  const handler = http.all('*', async (intercepted: Intercepted) => {
    const sender = senderOf(intercepted, running, network.current())
    // The admin API of a server: `createClient(url)` in a test.
    if (sender === undefined || intercepted.request.url.includes(`${adminPath}/`)) return passthrough()
    const { resolver, unhandled, baseUrl } = sender
    const reply = resolver.pattern.test(intercepted.request.url)
      ? await resolver.answer(intercepted)
      : undefined
    return reply ?? leave(intercepted.request, unhandled, baseUrl)
  })
  const fixtures: Fixtures = {
    understudyOptions: {},
    handlerOptions: {},
    understudy: [
      async ({ understudyOptions, handlerOptions, task }: FixturesGiven, use: UseFixture<Understudy>) => {
        const { unhandled = network.unhandled, ...options } = handlerOptions
        const understudy = createUnderstudy(understudyOptions)
        const resolver = createResolver(understudy, options, 'handlerOptions')
        running.set(task.id, { name: task.name, resolver, unhandled, baseUrl: options.baseUrl })
        try {
          server ??= network.open(handler)
          await server
          await use(understudy)
          const worlds = usedWorlds(understudy)
          report(task, worlds)
          await network.noteUsage(worlds)
        } finally {
          running.delete(task.id)
          understudy.dispose()
          if (running.size === 0) {
            network.close()
            server = undefined
          }
        }
      },
      { auto: true },
    ],
    server: async ({ understudy: _ }: FixturesGiven, use: UseFixture<MockServer>) =>
      use(required(await server, 'a server that was opened')),
  }
  return lay(test, fixtures, [], network.inside)
}

type Fixtures = Readonly<Record<keyof UnderstudyFixtures, unknown>>
type FixturesGiven = UnderstudyFixtures & TestContext
type UseFixture<Value> = (value: Value) => Promise<void>

/** The type of `extend` differs between versions. */
const extend = (test: unknown, fixtures: object) =>
  (test as { extend(fixtures: object): TestAPI<UnderstudyFixtures> }).extend(fixtures)

/**
 * Extends a test by our fixtures and then by others. Before vitest 4.1, fixtures do not see the replacement of one on which
 * they depend. So later options add ours again, before the others.
 */
function lay(
  test: object,
  own: Fixtures,
  others: readonly object[],
  inside: RunInside,
): TestAPI<UnderstudyFixtures> {
  const laid = others.reduce<TestAPI<UnderstudyFixtures>>(extend, extend(test, own))
  const extendAgain = ({ understudyOptions, handlerOptions, ...layer }: Partial<Fixtures>) => {
    const options = {
      understudyOptions: understudyOptions ?? own.understudyOptions,
      handlerOptions: handlerOptions ?? own.handlerOptions,
    }
    return lay(test, { ...own, ...options }, [...others, layer], inside)
  }
  return wrapTest(laid, inside, 'override' in test ? undefined : extendAgain)
}

function leave({ method, url }: Request, unhandled: Unhandled, baseUrl: string | undefined): Response {
  if (unhandled !== 'bypass') {
    const isOfApi = baseUrl !== undefined && /^[^?#]*\/api(?:[/?#]|$)/.test(url)
    const reason = isOfApi
      ? `handlerOptions.baseUrl is ${quote(baseUrl)}. Correct it, or`
      : 'Add a handler with server.use(), or'
    const problem = `[understudy] No handler matches ${method} ${url}. ${reason} let such requests pass: test.override({ handlerOptions: { unhandled: 'bypass' } }).`
    if (unhandled === 'warn') console.warn(problem)
    else console.error(problem)
  }
  return unhandled === 'error' ? HttpResponse.error() : passthrough()
}

/** Returns the test's own world, and the others that have received requests. */
function usedWorlds(understudy: Understudy): World[] {
  return understudy.worlds
    .list()
    .filter(({ name, requests }) => requests > 0 || name === understudy.name)
    .map(({ name }) => understudy.world(name))
}

/** Adds the received requests of worlds to the message of a failed test. */
function report(task: TestContext['task'], worlds: readonly World[]): void {
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
  if (error === undefined) return
  const journals = worlds.map(({ journal }) => describeJournal(journal.entries()))
  error.message = [error.message, ...journals].join('\n\n')
}
