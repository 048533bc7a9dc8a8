import type { Progress } from '../../contract-tests/verify/index.ts'

/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** How often a line is rewritten on a terminal, and how often one is added where there is none, such as in CI. */
const [rewriteMilliseconds, addMilliseconds] = [100, 10_000]

/** Says how far judging is: on one line that is rewritten on a terminal, elsewhere on a line now and then. */
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
    // A line that is wrapped could not be rewritten.
    this.#screen.write(isTTY ? `\r\u001b[K${line.slice(0, columns - 1)}` : `[understudy] ${line}\n`)
  }

  /** Takes the line away, where there is one. */
  hide(): void {
    if (this.#screen.isTTY) this.#screen.write('\r\u001b[K')
  }
}
