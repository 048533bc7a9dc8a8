import { AsyncLocalStorage } from 'node:async_hooks'
import type { InvariantCheck } from './invariants/invariant-check.ts'

/** Who is told what the invariants say of the exchanges that are made on its behalf; nobody: the verdicts themselves. */
export const requestScope = new AsyncLocalStorage<InvariantCheck>()
