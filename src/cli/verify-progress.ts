import type { Progress } from '../../contract-tests/verify/index.ts'

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  /** Replaces the last line of a terminal. */
  rewrite(line: string): void
  print(line: string): void
}

/** Interval of rewriting the line on a terminal, and of adding lines elsewhere, such as in CI. */
const [rewriteMilliseconds, addMilliseconds] = [100, 10_000]

/** Shows the progress of the verifier: on one rewritten line on a terminal, on occasional lines elsewhere. */
export class ProgressLine {
  readonly #screen: Screen
  readonly #toLine: (progress: Progress) => string
  #last = performance.now()

  constructor(screen: Screen, toLine: (progress: Progress) => string) {
    this.#screen = screen
    this.#toLine = toLine
  }

  show(progress: Progress): void {
    const { isTTY = false, columns = 80 } = this.#screen
    const now = performance.now()
    if (now - this.#last < (isTTY ? rewriteMilliseconds : addMilliseconds)) return
    this.#last = now
    const line = this.#toLine(progress)
    // A wrapped line cannot be rewritten.
    if (isTTY) this.#screen.rewrite(line.slice(0, columns - 1))
    else this.#screen.print(`[understudy] ${line}`)
  }

  /** Removes the line on a terminal. */
  hide(): void {
    if (this.#screen.isTTY) this.#screen.rewrite('')
  }
}
