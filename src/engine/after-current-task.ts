// Captured at load: a test may replace the timers of its page or process later.
const { setImmediate: immediate, setTimeout: timeout } = globalThis

/** Calls a function after the current task of the event loop. */
export const afterCurrentTask: (run: () => void) => void =
  typeof immediate === 'function' ? (run) => void immediate(run) : (run) => void timeout(run, 0)

/**
 * True if the event loop continues by itself. False if a test replaced the timers before this module was
 * loaded, or if the environment has no event loop of its own (jsdom).
 */
export const hasRealEventLoop = typeof immediate === 'function' && !('clock' in immediate)
