import type { Progress } from './options.ts'
import type { ToldStories } from './stage.ts'

/** Says how far judging is. */
export class ProgressTeller {
  readonly #start: number
  readonly #until: number | undefined
  readonly #say: (progress: Progress) => void
  #scenario: Pick<Progress, 'scenario' | 'index' | 'of'> = { scenario: 'first look', index: 0, of: 0 }
  #stories: { readonly told: ToldStories; readonly begun: number } | undefined

  constructor(start: number, until: number | undefined, say: (progress: Progress) => void) {
    this.#start = start
    this.#until = until
    this.#say = say
  }

  /** Notes which scenario begins. */
  begin(scenario: string, index: number, of: number, told: ToldStories): void {
    this.#scenario = { scenario, index, of }
    this.#stories = scenario === 'stories' ? { told, begun: performance.now() } : undefined
  }

  tell(requests: number): void {
    const milliseconds = performance.now() - this.#start
    const left = this.#left()
    const { ended, of, doing = '' } = this.#stories?.told ?? {}
    this.#say({
      ...this.#scenario,
      ...(ended === undefined ? {} : { story: { ended, of, doing } }),
      requests,
      milliseconds,
      ...(left === undefined ? {} : { left }),
    })
  }

  /** Stories take the time that is given, or so long as those before them did. */
  #left(): number | undefined {
    if (this.#stories === undefined) return undefined
    const { told, begun } = this.#stories
    const now = performance.now()
    const byTime = this.#until === undefined ? undefined : Math.max(0, this.#until - now)
    const byCount =
      told.of === undefined || told.ended === 0
        ? undefined
        : ((now - begun) / told.ended) * (told.of - told.ended)
    if (byTime === undefined || byCount === undefined) return byTime ?? byCount
    return Math.min(byTime, byCount)
  }
}
