import { expect } from 'vitest'
import { understudyMatchers } from './matchers.ts'
import type { Outcome, UnderstudyMatchers } from './types.ts'

expect.extend(understudyMatchers)

declare module 'vitest' {
  interface Matchers<T> extends UnderstudyMatchers<Outcome<T>> {}
}
