import type { Progress } from '../../contract-tests/verify/index.ts'
import { printError, rewriteLine } from './output.ts'
import type { ProcessIo } from './process-io.ts'

/** Interval of rewriting the line on a terminal, and of adding lines elsewhere, such as in CI. */
const [rewriteMilliseconds, addMilliseconds] = [100, 10_000]

/** Creates what shows the progress of the verifier: one rewritten line on a terminal, occasional lines elsewhere. */
export function createProgressLine(io: ProcessIo, toLine: (progress: Progress) => string) {
  const { isTTY = false, columns = 80 } = io.stderr
  let last = performance.now()
  return {
    show(progress: Progress): void {
      const now = performance.now()
      if (now - last < (isTTY ? rewriteMilliseconds : addMilliseconds)) return
      last = now
      // A wrapped line cannot be rewritten.
      if (isTTY) rewriteLine(io, toLine(progress).slice(0, columns - 1))
      else printError(io, `[understudy] ${toLine(progress)}`)
    },
    hide(): void {
      if (isTTY) rewriteLine(io, '')
    },
  }
}
