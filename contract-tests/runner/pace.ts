import { setTimeout } from 'node:timers/promises'

/** Minimum and maximum gap between requests after a rate limit, in milliseconds. */
const [leastGap, mostGap] = [25, 2_000]
/** Maximum pause if a target does not name one. */
const mostWait = 10_000
/** Number of consecutive refusals after which a wider gap without more replies counts as useless. */
const useless = 2
/** Maximum pause that a target may request: a run cannot wait for an hour's quota. */
export const maxPause = 60_000

/** A clock in milliseconds, and waiting by it. */
export interface PaceClock {
  now(): number
  wait(milliseconds: number): Promise<unknown>
}

const systemClock: PaceClock = {
  now: () => performance.now(),
  wait: (milliseconds) => setTimeout(milliseconds),
}

/**
 * Delays requests: by the gap of the caller, and by a wider one as long as the target limits the rate.
 */
export class Pace {
  /** The number of replies by which the target limited the rate. */
  slowed = 0
  readonly #delay: number
  readonly #clock: PaceClock
  #gap: number
  /** The time of the next request, and of the last increase of the gap. */
  #next = 0
  #widened = Number.NEGATIVE_INFINITY
  /** The number of answered requests since the last refusal and before it, and the gap at that time. */
  #answered = 0
  #answeredBefore = Number.POSITIVE_INFINITY
  #gapBefore = Number.POSITIVE_INFINITY
  #uselessInRow = 0

  constructor(delay = 0, clock = systemClock) {
    this.#delay = delay
    this.#clock = clock
    this.#gap = delay
  }

  /** Waits for the time of the next request. */
  async waitForSlot(): Promise<void> {
    // A rate limit may have delayed the time meanwhile.
    for (let now = this.#clock.now(); ; now = this.#clock.now()) {
      if (now >= this.#next) {
        this.#next = now + this.#gap
        return
      }
      await this.#clock.wait(Math.max(1, this.#next - now))
    }
  }

  /** Counts an answered request, and returns to the wanted pace gradually. */
  answered(): void {
    this.#answered++
    this.#gap = Math.max(this.#delay, this.#gap * 0.98 - 0.1)
  }

  /** Pauses as long as the target requests, or longer with each attempt, and widens the gap. */
  refused(attempt: number, retryAfter: number | undefined): void {
    this.slowed++
    const now = this.#clock.now()
    // Concurrent requests get their refusals together: that is one refusal.
    if (now - this.#widened > this.#gap + 100) {
      this.#noteRefusal()
      this.#gap = this.#countsRequests ? this.#delay : Math.min(mostGap, Math.max(leastGap, this.#gap * 2))
      this.#widened = now
    }
    const isCounted = this.#countsRequests && attempt === 0
    const pause = retryAfter ?? (isCounted ? 0 : Math.min(mostWait, 200 * 2 ** attempt))
    // A longer pause ends the request.
    if (pause <= maxPause) this.#next = Math.max(this.#next, now + pause)
  }

  /** A target that refuses each ninth request counts requests, not their rate: sending less often does not help. */
  get #countsRequests(): boolean {
    return this.#uselessInRow >= useless
  }

  #noteRefusal(): void {
    const isWider = this.#gap > this.#gapBefore * 1.2
    const isUseless = isWider && this.#answered <= this.#answeredBefore * 1.2
    if (!this.#countsRequests) this.#uselessInRow = isUseless ? this.#uselessInRow + 1 : 0
    this.#answeredBefore = this.#answered
    this.#gapBefore = this.#gap
    this.#answered = 0
  }
}

/** The pause in a header `Retry-After`, in milliseconds; undefined if it has none. */
export function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = /^\d+(\.\d+)?$/.test(text.trim())
    ? Number(text) * 1_000
    : Date.parse(text) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}
