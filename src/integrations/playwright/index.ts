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

/** Where the understudy of the tests is. */
export interface UnderstudyPlace {
  /** Of a running `pipeline-understudy serve`, where each test has a world. Without it each test has an understudy in its own process. */
  readonly url?: string | URL | undefined
  /** The token that `pipeline-understudy serve --admin-token` was given. */
  readonly adminToken?: string | undefined
  /** What stands before `/api` in the requests of pages, where they are answered in this process. Default: any origin, no path. */
  readonly baseUrl?: string | undefined
}

/** What a test is given. */
export interface UnderstudyTestArgs<Handle = Understudy> {
  /** What the test's understudy is made with, or its world: of a server's, the fixture alone. */
  understudyOptions: UnderstudyOptions
  /** An understudy of the test's own, or a client of its world. */
  understudy: Handle
}

// `extend` tells what a test is given by the name `Fixtures`, and not through another one.
type GivenTest = PlaywrightTestArgs & PlaywrightTestOptions
type GivenWorker = PlaywrightWorkerArgs & PlaywrightWorkerOptions

/**
 * Creates fixtures that give each test an understudy: in its own process, answering what the pages of its context
 * request, or a world of a server, which all requests of the test name by a header. Where a test fails, the journal is
 * attached, in words and as HAR.
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
