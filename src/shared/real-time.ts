/**
 * Milliseconds of real time since some start. Fake timers that start after this module, and the system's
 * clock, do not affect it.
 */
export const realTime: () => number = performance.now.bind(performance)
