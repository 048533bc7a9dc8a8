/**
 * Checks that the pages of a target are consistent with one maximum size ("Default and maximum `_limit`: not shown").
 * A page with a successor may be shorter than `_limit` only if it has the maximum size, and no earlier page was longer.
 */
export class PageSizes {
  #longest = 0
  #most: number | undefined

  /** Adds a page that has a successor; returns whether its length fits `_limit` and the earlier pages. */
  fits(limit: number, length: number): boolean {
    if (length > limit || length === 0) return length === limit
    const isShort = length < limit
    if (isShort && (length < this.#longest || (this.#most ?? length) !== length)) return false
    if (!isShort && length > (this.#most ?? length)) return false
    if (isShort) this.#most = length
    this.#longest = Math.max(this.#longest, length)
    return true
  }
}
