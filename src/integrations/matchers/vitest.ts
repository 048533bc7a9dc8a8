// Separate, so that the declarations load it too: early versions accept extensions only after loading.
import 'vitest'
import { expect } from 'vitest'
import { understudyMatchers } from './matchers.ts'
import type { Outcome, UnderstudyMatchers } from './types.ts'

expect.extend(understudyMatchers)

declare module 'vitest' {
  // Not `Matchers`, which versions before 3.2 do not have.
  interface Assertion<T> extends UnderstudyMatchers<Outcome<T>> {}
}
