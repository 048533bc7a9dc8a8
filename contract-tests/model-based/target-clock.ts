/** Tolerance for rounding and for the clock skew between nodes of one target, in milliseconds. */
const tolerance = 2_000
/** Zones differ from UTC by multiples of this, and by no more than `widestZone`. */
const zoneStep = 15 * 60_000
const hour = 3_600_000
const widestZone = 15 * hour

/** The two documented forms of a timestamp. The short one has no zone. */
type Form = 'short' | 'long'

/** A timestamp that the target created between two points in time of our clock. */
interface Sample {
  readonly stamp: number
  readonly sent: number
  readonly received: number
}

/**
 * Compares the target's timestamps with each other, never with our clock: a target may have another time, and another
 * rate. Short timestamps may be in local time.
 */
export class TargetClock {
  readonly #samples: Readonly<Record<Form, Sample[]>> = { short: [], long: [] }
  /** The difference between short and long timestamps of the same point in time. */
  #zone: number | undefined

  /** Records the creation time of a record, and reports whether it is between those of older and newer records. */
  fits(stamp: unknown, sent: number, received: number): boolean {
    const form = formOf(stamp)
    const time = timeOf(stamp)
    if (form === undefined || time === undefined) return false
    const samples = this.#samples[form]
    const fits = samples.every(
      (other) =>
        (other.received >= sent || other.stamp <= time + tolerance) &&
        (other.sent <= received || other.stamp >= time - tolerance),
    )
    if (fits) samples.push({ stamp: time, sent, received })
    return fits
  }

  /** Returns whether two timestamps of any form are the same point in time. */
  isSame(one: unknown, other: unknown): boolean {
    const [first, second] = [timeOf(one), timeOf(other)]
    if (first === undefined || second === undefined) return one === other
    if (formOf(one) === formOf(other)) return Math.abs(first - second) <= 1_000
    const difference = formOf(one) === 'short' ? first - second : second - first
    const zone = Math.round(difference / zoneStep) * zoneStep
    const isZone = Math.abs(difference - zone) <= 1_000 && Math.abs(zone) <= widestZone
    if (isZone) this.#zone ??= zone
    return isZone && zone === this.#zone
  }

  /**
   * Reports whether two timestamps are the same date that a client wrote. The long form may show it in UTC, if the short one
   * is in local time; summer time may differ from that of now by an hour.
   */
  isSameDate(one: unknown, other: unknown): boolean {
    const [first, second] = [timeOf(one), timeOf(other)]
    if (first === undefined || second === undefined || first === second) return first === second
    const difference = formOf(one) === 'long' ? second - first : first - second
    const zone = this.#zone ?? 0
    const summerTime = difference - zone
    return zone !== 0 && Math.abs(summerTime) <= hour && summerTime % zoneStep === 0
  }

  /** Returns whether a timestamp is not before another, as far as the zones of their forms are known. */
  isNotBefore(one: unknown, other: unknown): boolean {
    const [first, second] = [this.#inOneZone(one), this.#inOneZone(other)]
    if (first === undefined || second === undefined) return true
    return first >= second - 1_000
  }

  /** Returns whether a timestamp may be in the past of the target, whose clock may have another rate. */
  hasPassed(stamp: unknown, localTime: number): boolean {
    const form = formOf(stamp)
    const time = timeOf(stamp)
    if (form === undefined || time === undefined) return true
    const [first, last] = [this.#samples[form].at(0), this.#samples[form].at(-1)]
    if (first === undefined || last === undefined || last.sent - first.received < 500) return true
    const ahead = first.stamp - first.sent
    const hasSameRate = Math.abs(last.stamp - last.sent - ahead) <= tolerance
    return !hasSameRate || time <= localTime + ahead + 2 * tolerance
  }

  #inOneZone(stamp: unknown): number | undefined {
    const time = timeOf(stamp)
    if (time === undefined || formOf(stamp) === 'long') return time
    return this.#zone === undefined ? undefined : time - this.#zone
  }
}

/** Returns the milliseconds of a timestamp in either documented form, read as UTC; undefined for other texts. */
export function timeOf(stamp: unknown): number | undefined {
  if (typeof stamp !== 'string' || formOf(stamp) === undefined) return undefined
  const time = Date.parse(`${stamp.slice(0, 10)}T${stamp.slice(11, 19)}Z`)
  return Number.isNaN(time) ? undefined : time
}

function formOf(stamp: unknown): Form | undefined {
  if (typeof stamp !== 'string' || !/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(stamp)) return undefined
  return stamp.length === 19 ? 'short' : 'long'
}
