/** How far two clocks of one target may be apart, and how much a shortened timestamp has lost, in milliseconds. */
const tolerance = 2_000

/**
 * What is known of the target's clock: how far it is ahead of ours. TargetKnowledge from the first record it creates; ours is
 * never compared with it.
 */
export class TargetClock {
  #ahead: { readonly least: number; readonly most: number } | undefined
  /** The first moment, and whether any other has come: the clock of a server under test may stand still. */
  #first = Number.NaN
  #moves = false

  /** Learns from a moment that the target stamped between two moments of ours; tells whether it fits what is known. */
  fits(stamp: unknown, sent: number, received: number): boolean {
    const moment = momentOf(stamp)
    if (moment === undefined) return false
    const least = moment - received
    const most = moment - sent
    if (this.#ahead === undefined) {
      this.#ahead = { least, most }
      this.#first = moment
      return true
    }
    this.#moves ||= moment !== this.#first
    if (!this.#moves) return true
    return least <= this.#ahead.most + tolerance && most >= this.#ahead.least - tolerance
  }

  /** Tells whether a moment may have come for the target, where it is so late on our clock. */
  hasCome(stamp: unknown, ours: number): boolean {
    const moment = momentOf(stamp)
    return moment === undefined || this.#ahead === undefined || moment <= ours + this.#ahead.most + tolerance
  }
}

/** The milliseconds of a timestamp in either documented form; undefined where it is none. */
export function momentOf(stamp: unknown): number | undefined {
  if (typeof stamp !== 'string' || !/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(stamp)) return undefined
  const moment = Date.parse(`${stamp.slice(0, 10)}T${stamp.slice(11, 19)}Z`)
  return Number.isNaN(moment) ? undefined : moment
}
