import { AsyncLocalStorage } from 'node:async_hooks'
import type { LawCheck } from './laws/laws.ts'

/** Who is told what the laws say of the exchanges that are made on its behalf; nobody: the verdicts themselves. */
export const asker = new AsyncLocalStorage<LawCheck>()
