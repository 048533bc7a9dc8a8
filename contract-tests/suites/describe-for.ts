import { inject } from 'vitest'
import { describeContract } from '../describe-contract.ts'
import type { JudgeOptions } from '../judge.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What `verify` was asked to do. */
    judge: JudgeOptions & { readonly target: string }
  }
}

/** Registers the suite of some scenarios, with the options that `verify` provides. */
export function describeFor(...names: string[]): void {
  const options = inject('judge')
  describeContract({
    ...options,
    scenarios: names,
    ...(options.ledgerFile === undefined ? {} : { ledgerFile: `${options.ledgerFile}.${names[0]}` }),
    ...(options.prefix === undefined ? {} : { prefix: `${options.prefix}${names[0]!.slice(0, 3)}` }),
  })
}
