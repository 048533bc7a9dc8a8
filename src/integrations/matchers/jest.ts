import { UnderstudyError } from '../../shared/understudy-error.ts'
import { understudyMatchers } from './matchers.ts'
import type { Outcome, UnderstudyMatchers } from './types.ts'

const { expect } = globalThis as { expect?: { extend?(matchers: typeof understudyMatchers): void } }
if (typeof expect?.extend !== 'function') {
  throw new UnderstudyError(
    'ARGUMENT_INVALID',
    "There is no global expect to extend. Import this in a file of jest's setupFilesAfterEnv, or call expect.extend(understudyMatchers) with the expect of '@jest/globals'.",
  )
}
expect.extend(understudyMatchers)

declare global {
  namespace jest {
    interface Matchers<R, T> extends UnderstudyMatchers<Outcome<T, R>> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: an expected error would be missed where jest is installed
/** @ts-ignore: there is no such module where jest is not installed */
declare module 'expect' {
  interface Matchers<R, T> extends UnderstudyMatchers<Outcome<T, R>> {}
}
