import { setTimeout as wait } from 'node:timers/promises'

/** How far apart requests are brought at least, and at most, once a target has asked for patience. */
const [leastGap, mostGap] = [25, 2_000]
/** The longest that a target is left alone where it does not say how long. */
const mostWait = 10_000
/** Number of consecutive refusals with a wider gap and no more replies after which the gap counts as useless. */
const useless = 2
/** How long a target may ask to be left alone: an hour's quota is none that a run can wait for. */
export const mostAsked = 60_000

/**
 * When requests may be sent: no closer to each other than the caller wants, and further apart for a target that asks for
 * patience, as long as it does.
 */
export class Pace {
  /** How often the target asked for patience. */
  slowed = 0
  readonly #delay: number
  #gap: number
  /** The time before which nothing is sent, and when the gap was widened last. */
  #next = 0
  #widened = Number.NEGATIVE_INFINITY
  /** The requests that were answered since the last refusal and before it, and the gap at that time. */
  #answered = 0
  #answeredBefore = Number.POSITIVE_INFINITY
  #gapBefore = Number.POSITIVE_INFINITY
  #uselessInRow = 0

  constructor(delay = 0) {
    this.#delay = delay
    this.#gap = delay
  }

  /** Waits until it is a request's turn. */
  async turn(): Promise<void> {
    // The time may have moved on meanwhile: the target asked for patience.
    for (let now = performance.now(); ; now = performance.now()) {
      if (now >= this.#next) {
        this.#next = now + this.#gap
        return
      }
      await wait(Math.max(1, this.#next - now))
    }
  }

  /** Records that a request was answered, and returns to the wanted pace gradually. */
  answered(): void {
    this.#answered++
    this.#gap = Math.max(this.#delay, this.#gap * 0.98 - 0.1)
  }

  /** Leaves the target alone for as long as it says, or longer with each try, and sends less often from then on. */
  refused(attempt: number, retryAfter: number | undefined): void {
    this.slowed++
    const now = performance.now()
    // Requests that were under way together are refused together: that is one refusal.
    if (now - this.#widened > this.#gap + 100) {
      this.#noteRefusal()
      this.#gap = this.#countsRequests ? this.#delay : Math.min(mostGap, Math.max(leastGap, this.#gap * 2))
      this.#widened = now
    }
    const isCounted = this.#countsRequests && attempt === 0
    const pause = retryAfter ?? (isCounted ? 0 : Math.min(mostWait, 200 * 2 ** attempt))
    // What asks for more is given up: it is not waited for.
    if (pause <= mostAsked) this.#next = Math.max(this.#next, now + pause)
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

/** How long a header `Retry-After` says, in milliseconds; undefined where it says nothing. */
export function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const milliseconds = /^\d+(\.\d+)?$/.test(text.trim())
    ? Number(text) * 1_000
    : Date.parse(text) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}
