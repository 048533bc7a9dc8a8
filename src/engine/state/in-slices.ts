/** How long a slice of work takes, in milliseconds: so long others are not served. */
const sliceTime = 5

// As they are at the beginning: a test may put the clock of its page or process aside later.
const { setImmediate: immediately, setTimeout: afterwards } = globalThis

/** Does work to its end, a slice at a time, while everybody else goes on; says how long it was at work, too. */
export async function doInSlices<Result>(
  work: Generator<undefined, Result, undefined>,
): Promise<{ readonly result: Result; readonly milliseconds: number }> {
  let milliseconds = 0
  for (;;) {
    const begin = performance.now()
    let now = begin
    do {
      const { done, value } = work.next()
      now = performance.now()
      if (done) return { result: value, milliseconds: milliseconds + now - begin }
    } while (now - begin < sliceTime)
    milliseconds += now - begin
    await new Promise<void>((resolve) => {
      if (typeof immediately === 'function') immediately(resolve)
      else afterwards(resolve, 0)
    })
  }
}
