import type { Progress } from './options.ts'
import type { SequenceProgress } from './run-context.ts'

/** Reports the progress of a run. */
export class ProgressReporter {
  readonly #start: number
  readonly #until: number | undefined
  readonly #report: (progress: Progress) => void
  #scenario: Pick<Progress, 'scenario' | 'index' | 'of'> = { scenario: 'preflight', index: 0, of: 0 }
  #sequences: { readonly progress: SequenceProgress; readonly begun: number } | undefined

  constructor(start: number, until: number | undefined, report: (progress: Progress) => void) {
    this.#start = start
    this.#until = until
    this.#report = report
  }

  /** Records the start of a scenario. */
  begin(scenario: string, index: number, of: number, progress: SequenceProgress): void {
    this.#scenario = { scenario, index, of }
    this.#sequences = scenario === 'sequences' ? { progress, begun: performance.now() } : undefined
  }

  count(requests: number): void {
    const milliseconds = performance.now() - this.#start
    const left = this.#left()
    const { ended, of, doing = '' } = this.#sequences?.progress ?? {}
    this.#report({
      ...this.#scenario,
      ...(ended === undefined ? {} : { sequence: { ended, of, doing } }),
      requests,
      milliseconds,
      ...(left === undefined ? {} : { left }),
    })
  }

  /** Estimates the remaining time: sequences take the given time, or as long as those before them. */
  #left(): number | undefined {
    if (this.#sequences === undefined) return undefined
    const { progress, begun } = this.#sequences
    const now = performance.now()
    const byTime = this.#until === undefined ? undefined : Math.max(0, this.#until - now)
    const byCount =
      progress.of === undefined || progress.ended === 0
        ? undefined
        : ((now - begun) / progress.ended) * (progress.of - progress.ended)
    if (byTime === undefined || byCount === undefined) return byTime ?? byCount
    return Math.min(byTime, byCount)
  }
}
