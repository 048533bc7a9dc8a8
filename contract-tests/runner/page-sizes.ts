/**
 * What a target has shown of the most that it puts on a page: "Default and maximum `_limit`: not shown". Whatever is asked
 * for, a maximum is one number: a page may be shorter and go on only where no longer one has been seen, nor another maximum.
 */
export class PageSizes {
  #longest = 0
  #most: number | undefined

  /** Takes a page down that goes on; tells whether its length fits what was asked for, and what was seen before. */
  fits(asked: number, length: number): boolean {
    if (length > asked || length === 0) return length === asked
    const isShort = length < asked
    if (isShort && (length < this.#longest || (this.#most ?? length) !== length)) return false
    if (!isShort && length > (this.#most ?? length)) return false
    if (isShort) this.#most = length
    this.#longest = Math.max(this.#longest, length)
    return true
  }
}
