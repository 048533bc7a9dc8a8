/**
 * Work that may take long, cut where others may have their turn: whoever drives it goes on at once, or later. What it
 * returns in the end is its result.
 */
export type Slices<Result = void> = Generator<undefined, Result, undefined>

/** Does work to its end, at once. */
export function doAtOnce<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** How many steps are done at once before others may have their turn, where it pays to ask. */
const few = 100

/** Work of so many steps: to be done in slices where they are many, and done already where they are few. */
export function workOf<Result>(steps: number, slices: Slices<Result>): Result | Slices<Result> {
  return steps > few ? slices : doAtOnce(slices)
}

/** Tells work from a result that is there already, which is data: that has no methods. */
export function isSlices<Result>(value: Result | Slices<Result>): value is Slices<Result> {
  return typeof value === 'object' && value !== null && typeof (value as Slices<Result>).next === 'function'
}
