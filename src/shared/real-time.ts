/**
 * Milliseconds that really pass, from some time on: no fake timer moves them, if it was put in place after this was
 * loaded, and no setting of the system's clock.
 */
export const realTime: () => number = performance.now.bind(performance)
