// Captured at load: a test may replace the timers of its page or process later.
const { setImmediate: immediate, setTimeout: timeout } = globalThis

/** Calls a function when the current work is done: in this turn of the event loop or the next. */
export const afterThisTurn: (run: () => void) => void =
  typeof immediate === 'function' ? (run) => void immediate(run) : (run) => void timeout(run, 0)

/**
 * Whether the next turn comes by itself: not where a test replaced the timers before this was loaded, and unknown where
 * the environment has no turns of its own (jsdom).
 */
export const hasRealTurns = typeof immediate === 'function' && !('clock' in immediate)
