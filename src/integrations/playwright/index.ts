import {
  expect as base,
  type Fixtures,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
} from '@playwright/test'
import type { Controls, RemoteUnderstudy } from '../../admin/client/types.ts'
import type { Understudy } from '../../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import { worldHeader } from '../../shared/credentials.ts'
import { understudyMatchers } from '../matchers/matchers.ts'
import { answerContext, openHere } from './open-here.ts'
import { openThere, worldOf } from './open-there.ts'

export { usageOf } from '../../traffic/usage-of.ts'

/** Location of the understudy of the tests. */
export interface UnderstudyPlace {
  /**
   * Address of a running `pipeline-understudy serve`, in which each test has a world. Default: each test has
   * a mock server in its own process.
   */
  readonly url?: string | URL | undefined
  /** The value of `--admin-token` of `pipeline-understudy serve`. */
  readonly adminToken?: string | undefined
  /**
   * The base URL of the requests that pages send, without `/api`, if this process answers them.
   * Default: any origin, no path.
   */
  readonly baseUrl?: string | undefined
}

/** Fixtures of a test. */
export interface UnderstudyTestArgs<Handle = Understudy> {
  /** Options of the test's understudy or world. For a world of a server, only the fixture applies. */
  understudyOptions: UnderstudyOptions
  /** The test's own understudy, or a client of its world. */
  understudy: Handle
}

// `extend` infers the type of the arguments only from a type named `Fixtures`.
type GivenTest = PlaywrightTestArgs & PlaywrightTestOptions
type GivenWorker = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/**
 * Creates fixtures that give each test a mock server: one in its own process, which answers the requests of
 * the test's context, or a world of a server, which all requests of the test name in a header. A failed test gets the
 * journal as attachment, as text and as HAR.
 *
 * @example
 * export const test = base.extend(understudyFixtures())
 */
export function understudyFixtures(
  place: UnderstudyPlace & { readonly url: string | URL },
): Fixtures<UnderstudyTestArgs<RemoteUnderstudy>, object, GivenTest, GivenWorker>
export function understudyFixtures(
  place?: UnderstudyPlace & { readonly url?: undefined },
): Fixtures<UnderstudyTestArgs<Understudy>, object, GivenTest, GivenWorker>
export function understudyFixtures(
  place: UnderstudyPlace,
): Fixtures<UnderstudyTestArgs<Controls>, object, GivenTest, GivenWorker>
export function understudyFixtures(place: UnderstudyPlace = {}): object {
  const { url } = place
  const fixtures: Fixtures<UnderstudyTestArgs<Controls>, object, GivenTest, GivenWorker> = {
    understudyOptions: [{}, { option: true }],
    extraHTTPHeaders: async ({ extraHTTPHeaders }, use, test) =>
      use(url === undefined ? extraHTTPHeaders : { ...extraHTTPHeaders, [worldHeader]: worldOf(test) }),
    understudy: [
      ({ understudyOptions }, use, test) =>
        url === undefined
          ? openHere(understudyOptions, use, test)
          : openThere(url, place.adminToken, understudyOptions, use, test),
      { auto: true },
    ],
    context: async ({ context, understudy }, use) => {
      if (url !== undefined) return use(context)
      const close = await answerContext(context, understudy as Understudy, place.baseUrl)
      await use(context)
      await close()
    },
  }
  return fixtures
}

/**
 * The `expect` of Playwright, with the matchers.
 *
 * @example
 * await expect(understudy).toHaveReceived({ operation: 'createPipeline' })
 */
export const expect = base.extend(understudyMatchers)
