import { AsyncLocalStorage } from 'node:async_hooks'
import type { InvariantCheck } from './invariants/invariant-check.ts'

/** Receiver of the invariant checks of the current requests; without one, the verdicts receive them. */
export const requestScope = new AsyncLocalStorage<InvariantCheck>()
